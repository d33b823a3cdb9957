//! An adaptive cruise controller: plain code, in which every condition, operator, number and assignment goes through a
//! [`Probe`], so that it counts its branches and any of them can be changed from outside.

use super::probe::Relation::{AtLeast, Equal, Less, More, Unequal};
use super::probe::{Change, Kind, Probe};

/// What drives the car: nobody here, the wish for a speed, or the car in front.
const OFF: i32 = 0;
const SPEED: i32 = 1;
const DISTANCE: i32 = 2;

/// What the car is told.
const DECELERATE: i32 = -1;
const KEEP: i32 = 0;
const ACCELERATE: i32 = 1;

/// A button that is held for so many steps is stuck.
const STUCK: i32 = 5;
/// For so many steps after the driver took over, the button is not heard.
const PAUSE: i32 = 2;
/// After so many steps without a car close in front, the speed counts again.
const CLEAR: i32 = 3;
/// After so many steps with a car close in front, the driver is warned.
const PATIENCE: i32 = 4;

/// What the controller is told, in the order of the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Input {
    /// The button is held down.
    pub button: bool,
    /// The driver brakes.
    pub brake: bool,
    /// The driver accelerates.
    pub gas: bool,
    /// The car in front is closer than is safe.
    pub near: bool,
    /// The car is slower than it should be.
    pub slow: bool,
    /// The car is faster than it should be.
    pub fast: bool,
}

/// What it answers, in the order of the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Output {
    /// The controller drives.
    pub active: bool,
    /// It does not.
    pub standby: bool,
    /// It drives at the speed that is wished for.
    pub speed_control: bool,
    /// It keeps its distance.
    pub distance_control: bool,
    /// The car is told to accelerate.
    pub accelerate: bool,
    /// The car is told to decelerate.
    pub decelerate: bool,
    /// The car is told to keep its speed.
    pub keep: bool,
    /// The driver took over in this step.
    pub cancelled: bool,
    /// The driver is warned of the car in front.
    pub warning: bool,
    /// The brake lamps are lit.
    pub lamp: bool,
}

/// The names of what it is told and what it answers.
pub const INPUTS: [&str; 6] = ["button", "brake", "gas", "near", "slow", "fast"];
pub const OUTPUTS: [&str; 10] = [
    "active",
    "standby",
    "speed_control",
    "distance_control",
    "accelerate",
    "decelerate",
    "keep",
    "cancelled",
    "warning",
    "lamp",
];

impl Input {
    /// The input with these truths, in the order of [`INPUTS`].
    pub fn of([button, brake, gas, near, slow, fast]: [bool; 6]) -> Input {
        Input { button, brake, gas, near, slow, fast }
    }
}

impl Output {
    /// The truths in the order of [`OUTPUTS`].
    pub fn bits(self) -> [bool; 10] {
        let Output { active, standby, speed_control, distance_control, accelerate, .. } = self;
        let Output { decelerate, keep, cancelled, warning, lamp, .. } = self;
        [
            active,
            standby,
            speed_control,
            distance_control,
            accelerate,
            decelerate,
            keep,
            cancelled,
            warning,
            lamp,
        ]
    }
}

/// What the controller remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    mode: i32,
    down: i32,
    pause: i32,
    clear: i32,
    close: i32,
    told: i32,
}

/// The controller.
#[derive(Clone, Debug, Default)]
pub struct Cruise {
    /// Counts branches, and says which mutant it is.
    pub probe: Probe,
    /// What it remembers.
    pub memory: Memory,
}

/// A fault that was planted: one of the mutants, with a name.
pub struct Fault {
    /// What the command line calls it.
    pub name: &'static str,
    /// The change.
    pub change: Change,
}

const fn fault(name: &'static str, kind: Kind, site: u32, way: u32) -> Fault {
    Fault { name, change: Change { kind, site, way } }
}

/// The planted faults.
pub const FAULTS: [Fault; 10] = [
    fault("held-button", Kind::Logic, 0, 1),
    fault("deaf-to-gas", Kind::Logic, 1, 1),
    fault("both-pedals", Kind::Logic, 1, 3),
    fault("short-pause", Kind::Constant, 12, 1),
    fault("early-return", Kind::Constant, 24, 1),
    fault("never-warns", Kind::Constant, 42, 0),
    fault("counts-on", Kind::Assignment, 12, 0),
    fault("warns-too-early", Kind::Assignment, 25, 0),
    fault("jerks", Kind::Condition, 19, 2),
    fault("dark-lamp", Kind::Truth, 7, 0),
];

impl Cruise {
    /// The controller as it should be, or changed.
    pub fn new(change: Option<Change>) -> Cruise {
        Cruise { probe: Probe::new(change), memory: Memory::default() }
    }

    /// One step.
    pub fn step(&mut self, input: Input) -> Output {
        let Cruise { probe: p, memory } = self;
        let Memory { mode, down, pause, clear, close, told } = memory;
        let mut output = Output::default();

        // Who drives? The button counts when it goes down.
        let pressed = p.and(0, p.read(0, input.button), p.is(0, *down, Equal, p.number(0, 0)));
        let driver = p.or(1, p.read(1, input.brake), p.read(2, input.gas));
        if p.decide(0, p.read(3, input.button)) {
            if p.decide(1, p.is(1, *down, Less, p.number(1, STUCK))) {
                p.set(0, down, p.add(0, *down, p.number(2, 1)));
            }
        } else {
            p.set(1, down, p.number(3, 0));
        }
        if p.decide(2, p.is(2, *mode, Equal, p.number(4, OFF))) {
            if p.decide(3, pressed) {
                if p.decide(4, driver) {
                    p.set(2, pause, p.number(5, PAUSE));
                } else if p.decide(5, p.is(3, *pause, Equal, p.number(6, 0))) {
                    p.set(3, mode, p.number(7, SPEED));
                    p.set(4, clear, p.number(8, 0));
                }
            }
            if p.decide(6, p.is(4, *pause, More, p.number(9, 0))) {
                p.set(5, pause, p.add(1, *pause, p.number(10, -1)));
            }
        } else if p.decide(7, p.read(4, driver)) {
            p.set(6, mode, p.number(11, OFF));
            p.set(7, pause, p.number(12, PAUSE));
            p.set(8, &mut output.cancelled, p.truth(0, true));
        } else if p.decide(8, p.read(5, pressed)) {
            p.set(9, mode, p.number(13, OFF));
        } else if p.decide(9, p.is(5, *down, AtLeast, p.number(14, STUCK))) {
            p.set(10, mode, p.number(15, OFF));
        }

        // By speed or by distance?
        if p.decide(10, p.is(6, *mode, Unequal, p.number(16, OFF))) {
            if p.decide(11, p.read(6, input.near)) {
                p.set(11, mode, p.number(17, DISTANCE));
                p.set(12, clear, p.number(18, 0));
                if p.decide(12, p.is(7, *close, Less, p.number(19, PATIENCE))) {
                    p.set(13, close, p.add(2, *close, p.number(20, 1)));
                }
            } else {
                p.set(14, close, p.number(21, 0));
                if p.decide(13, p.is(8, *mode, Equal, p.number(22, DISTANCE))) {
                    p.set(15, clear, p.add(3, *clear, p.number(23, 1)));
                    if p.decide(14, p.is(9, *clear, AtLeast, p.number(24, CLEAR))) {
                        p.set(16, mode, p.number(25, SPEED));
                    }
                }
            }
        }

        // What is the car told?
        let mut action = p.number(26, KEEP);
        if p.decide(15, p.is(10, *mode, Equal, p.number(27, SPEED))) {
            let contradict = p.and(2, p.read(7, input.slow), p.read(8, input.fast));
            if p.decide(16, contradict) {
                p.set(17, &mut action, p.number(28, KEEP));
            } else if p.decide(17, p.read(9, input.slow)) {
                p.set(18, &mut action, p.number(29, ACCELERATE));
            } else if p.decide(18, p.read(10, input.fast)) {
                p.set(19, &mut action, p.number(30, DECELERATE));
            }
            // Never from one to the other at once.
            let product = p.multiply(4, action, *told);
            if p.decide(19, p.is(11, product, Less, p.number(31, 0))) {
                p.set(20, &mut action, p.number(32, KEEP));
            }
        } else if p.decide(20, p.is(12, *mode, Equal, p.number(33, DISTANCE))) {
            if p.decide(21, p.read(11, input.near)) {
                p.set(21, &mut action, p.number(34, DECELERATE));
            } else if p.decide(22, p.and(3, p.read(12, input.fast), !p.read(13, input.slow))) {
                p.set(22, &mut action, p.number(35, DECELERATE));
            }
        }
        p.set(23, told, action);

        // What is seen?
        if p.decide(23, p.is(13, *mode, Equal, p.number(36, OFF))) {
            p.set(24, &mut output.standby, p.truth(1, true));
            if p.decide(24, p.is(14, *close, More, p.number(37, 0))) {
                p.set(25, close, p.number(38, 0));
            }
        } else {
            p.set(26, &mut output.active, p.truth(2, true));
            if p.decide(25, p.is(15, *mode, Equal, p.number(39, SPEED))) {
                p.set(27, &mut output.speed_control, p.truth(3, true));
            } else {
                p.set(28, &mut output.distance_control, p.truth(4, true));
            }
            if p.decide(26, p.is(16, action, More, p.number(40, 0))) {
                p.set(29, &mut output.accelerate, p.truth(5, true));
            } else if p.decide(27, p.is(17, action, Less, p.number(41, 0))) {
                p.set(30, &mut output.decelerate, p.truth(6, true));
                p.set(31, &mut output.lamp, p.truth(7, true));
            } else {
                p.set(32, &mut output.keep, p.truth(8, true));
            }
            let urgent = p.is(18, *close, AtLeast, p.number(42, PATIENCE));
            if p.decide(28, p.and(4, urgent, p.read(14, output.distance_control))) {
                p.set(33, &mut output.warning, p.truth(9, true));
            }
        }
        if p.decide(29, p.read(15, input.brake)) {
            p.set(34, &mut output.lamp, p.truth(10, true));
        }
        output
    }
}
