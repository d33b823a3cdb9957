//! A room that loses heat to a cold day, and a thermostat with hysteresis that heats it.

/// What is wrong with the thermostat, if anything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// Goes on heating up to one and a half degrees above the wish.
    Overshoots,
    /// Begins to heat when it is three tenths of a degree too cold already.
    Late,
    /// Heats the less the colder it is.
    WrongDirection,
    /// Goes by the wish of the step before.
    Stale,
    /// Half of the heat is lost in the pipes.
    Slow,
    /// Shows four degrees too many in the step in which the window is opened.
    Jumps,
}

pub(crate) const FAULTS: [(&str, Fault); 7] = [
    ("good", Fault::None),
    ("overshoots", Fault::Overshoots),
    ("late", Fault::Late),
    ("wrong-direction", Fault::WrongDirection),
    ("stale", Fault::Stale),
    ("slow", Fault::Slow),
    ("jumps", Fault::Jumps),
];

/// The room and its thermostat.
#[derive(Clone, Debug)]
pub(crate) struct Thermostat {
    fault: Fault,
    /// Degrees, in the room.
    room: f64,
    heats: bool,
    power: i64,
    /// The wish of the step before.
    wished: Option<f64>,
    /// Whether the window was open in the step before.
    opened: bool,
}

/// What the thermostat shows after a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// Degrees.
    pub(crate) temp: f64,
    pub(crate) heats: bool,
    pub(crate) power: i64,
}

/// How cold it is outside.
const OUTSIDE: f64 = 5.0;
/// The share of the difference to outside that is lost in a step, with the window closed and open.
const LOSS: [f64; 2] = [0.02, 0.15];
/// What the heater gives in a step, for each of ten steps of power.
const HEAT: f64 = 0.08;

impl Thermostat {
    pub(crate) fn new(fault: Fault) -> Thermostat {
        Thermostat { fault, room: 16.5, heats: false, power: 0, wished: None, opened: true }
    }

    /// A minute passes; then the thermostat decides by what it measures.
    pub(crate) fn step(&mut self, wish: f64, window: bool) -> Shown {
        let given = HEAT * self.power as f64 * if self.fault == Fault::Slow { 0.5 } else { 1.0 };
        self.room += given - (self.room - OUTSIDE) * LOSS[usize::from(window)];
        let was_open = std::mem::replace(&mut self.opened, window);
        let opens = window && !was_open;
        let temp = self.room + if self.fault == Fault::Jumps && opens { 4.0 } else { 0.0 };
        let before = self.wished.replace(wish).unwrap_or(wish);
        let wish = if self.fault == Fault::Stale { before } else { wish };
        let lower = wish - if self.fault == Fault::Late { 0.8 } else { 0.5 };
        let upper = wish + if self.fault == Fault::Overshoots { 1.5 } else { 0.5 };
        if temp <= lower {
            self.heats = true;
        }
        if window || temp >= upper {
            self.heats = false;
        }
        let wanted = match self.fault {
            Fault::WrongDirection => temp - wish + 0.5,
            _ => wish + 0.5 - temp,
        };
        let is_cold = temp <= wish - 0.5 && self.fault != Fault::WrongDirection;
        let share = if is_cold { 10 } else { ((wanted * 10.0).round() as i64).clamp(1, 10) };
        self.power = if self.heats { share } else { 0 };
        Shown { temp, heats: self.heats, power: self.power }
    }
}
