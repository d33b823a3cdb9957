//! The lift: plain integers, no library behind it.

/// The highest floor; floors count from 1.
pub const FLOORS: u32 = 6;

/// A lift that serves calls on its way and turns round when there are none left ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lift {
    floor: u32,
    /// Calls that wait, one bit a floor.
    calls: u32,
    goes_up: bool,
    /// Whether the planted fault is there.
    faulty: bool,
}

/// What the lift shows after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The floor, from 1.
    pub floor: u32,
    /// The door is open.
    pub door: bool,
    /// It moved up in this step.
    pub up: bool,
    /// It moved down in this step.
    pub down: bool,
}

impl Lift {
    /// On floor 1, without calls. The faulty one opens its door without stopping, when it is called to the very
    /// floor that it reaches on the way down, with at least two more calls waiting.
    pub fn new(faulty: bool) -> Lift {
        Lift { floor: 1, calls: 0, goes_up: true, faulty }
    }

    /// One step, with a call to a floor or without. A call to the floor where the lift is opens the door; otherwise
    /// it moves one floor towards its calls.
    pub fn step(&mut self, call: Option<u32>) -> Shown {
        let here = 1 << self.floor;
        self.calls |= call.map_or(0, |floor| 1 << floor);
        if self.calls & here != 0 {
            self.calls &= !here;
            return Shown { floor: self.floor, door: true, ..Shown::default() };
        }
        if self.calls == 0 {
            return Shown { floor: self.floor, ..Shown::default() };
        }
        let (below, above) = (self.calls & (here - 1), self.calls & !(here - 1));
        self.goes_up = if self.goes_up { above != 0 } else { below == 0 };
        self.floor = if self.goes_up { self.floor + 1 } else { self.floor - 1 };
        let shown = Shown { floor: self.floor, door: false, up: self.goes_up, down: !self.goes_up };
        let rushed = self.faulty && shown.down && call == Some(self.floor) && self.calls.count_ones() >= 3;
        if rushed {
            self.calls &= !(1 << self.floor);
        }
        Shown { door: rushed, ..shown }
    }
}
