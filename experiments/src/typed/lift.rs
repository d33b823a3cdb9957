//! A lift with twenty floors, right and with ten faults.

/// The highest floor.
const TOP: i64 = 19;

/// What is wrong with a lift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Coming from below, it stops one floor above 13 and comes back.
    Overshoots,
    /// It takes the highest floor for one more than there are, and tries to go up from there.
    BeyondTheTop,
    /// Above floor 10, it goes up when it is called to the floor below.
    WrongDirection,
    /// Above floor 15, it shows the floor of the step before.
    Stale,
    /// On its way down, it stands still on floor 9 for a step.
    TooSlow,
    /// It goes from floor 17 to floor 19 in one step.
    Skips,
    /// Passing floor 7 on its way down, its door is open.
    OpenOnTheWay,
    /// On floor 12 the button does not keep the door open.
    NotHeld,
    /// On its way up from floor 4 it shows that it goes down.
    ShowsTheOpposite,
    /// Called to the highest floor from the lowest, it stops one below.
    StopsShort,
}

/// All of them, with what reports call them.
pub const FAULTS: [(&str, Fault); 10] = [
    ("overshoots 13", Fault::Overshoots),
    ("beyond the top", Fault::BeyondTheTop),
    ("wrong direction", Fault::WrongDirection),
    ("stale above 15", Fault::Stale),
    ("too slow at 9", Fault::TooSlow),
    ("skips 18", Fault::Skips),
    ("open on the way", Fault::OpenOnTheWay),
    ("not held on 12", Fault::NotHeld),
    ("shows the opposite", Fault::ShowsTheOpposite),
    ("stops short of 19", Fault::StopsShort),
];

/// Where the cabin goes until the next exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motor {
    /// One floor up.
    Up,
    /// One floor down.
    Down,
    /// Nowhere.
    Off,
}

impl Motor {
    /// What the specification calls it.
    pub fn word(self) -> &'static str {
        match self {
            Motor::Up => "up",
            Motor::Down => "down",
            Motor::Off => "off",
        }
    }

    fn floors(self) -> i64 {
        match self {
            Motor::Up => 1,
            Motor::Down => -1,
            Motor::Off => 0,
        }
    }
}

/// What a lift shows.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Where it is.
    pub floor: i64,
    /// Where it goes.
    pub motor: Motor,
    /// Whether its door is open.
    pub door: bool,
}

/// The lift.
pub struct Lift {
    fault: Option<Fault>,
    floor: i64,
    /// Where it is on its way to, and from where.
    way: Option<(i64, i64)>,
    motor: Motor,
    door: bool,
    /// Whether it has stood still where it should not.
    rested: bool,
}

impl Lift {
    /// On the lowest floor, its door shut.
    pub fn new(fault: Option<Fault>) -> Lift {
        Lift { fault, floor: 0, way: None, motor: Motor::Off, door: false, rested: false }
    }

    /// One exchange.
    pub fn step(&mut self, call: i64, button: bool) -> Shown {
        let has = |fault| self.fault == Some(fault);
        let before = self.floor;
        self.floor += self.motor.floors();
        if has(Fault::Skips) && before == 17 && self.floor == 18 {
            self.floor = 19;
        }
        let held = self.door && button && !(has(Fault::NotHeld) && self.floor == 12);
        self.door = held;
        self.motor = Motor::Off;
        if !held {
            let (from, to) = *self.way.get_or_insert((self.floor, call));
            let goal = match to {
                13 if has(Fault::Overshoots) && from < 13 && self.floor < 14 => 14,
                TOP if has(Fault::BeyondTheTop) && self.floor == TOP => TOP + 1,
                TOP if has(Fault::StopsShort) && from == 0 => TOP - 1,
                to if has(Fault::WrongDirection) && from > 10 && to == from - 1 && from < TOP => from + 1,
                to => to,
            };
            self.motor = match goal.cmp(&self.floor) {
                std::cmp::Ordering::Greater => Motor::Up,
                std::cmp::Ordering::Less => Motor::Down,
                std::cmp::Ordering::Equal => Motor::Off,
            };
            self.door = self.motor == Motor::Off;
            if self.door {
                self.way = None;
            }
            if has(Fault::TooSlow) && self.floor == 9 && self.motor == Motor::Down {
                self.rested = !self.rested;
                if self.rested {
                    self.motor = Motor::Off;
                }
            }
        }
        let mut shown = Shown { floor: self.floor, motor: self.motor, door: self.door };
        match self.fault {
            Some(Fault::Stale) if self.floor > 15 => shown.floor = before,
            Some(Fault::OpenOnTheWay) if self.floor == 7 && self.motor == Motor::Down => shown.door = true,
            Some(Fault::ShowsTheOpposite) if self.floor == 4 && self.motor == Motor::Up => {
                shown.motor = Motor::Down;
            }
            _ => {}
        }
        if has(Fault::BeyondTheTop) && self.floor > TOP {
            shown.floor = TOP;
        }
        shown
    }
}
