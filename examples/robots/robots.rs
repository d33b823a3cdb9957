//! The recycling robots as a model program (Veanes, Roy and Campbell: Online Testing with Reinforcement Learning, figure 1).

use std::str::FromStr;

use provoke::action::{Direction, ModelProgram, fingerprint};

/// The most robots that there is room for.
pub const ROOM: usize = 10;

/// Robots that search for cans while they have power, or wait for people to bring them.
#[derive(Clone, Copy, Debug)]
pub struct Robots {
    /// The most robots that may be started, up to [`ROOM`].
    pub most: usize,
    /// Whether what a robot does is about its own state alone, whichever robot it is (example 2 of the paper); without it
    /// nothing is grouped (example 1).
    pub grouped: bool,
}

/// How all robots are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fleet {
    /// How many were started.
    pub started: u8,
    /// The power of each, from 0 to 100; 0 where it was not started.
    pub power: [u8; ROOM],
    /// What each has collected.
    pub reward: [u32; ROOM],
}

/// What a robot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// It is started.
    Start,
    /// It looks for cans.
    Search,
    /// It waits for cans.
    Wait,
    /// It is recharged: the system does that.
    Recharge,
}

const ACTS: [Act; 4] = [Act::Start, Act::Search, Act::Wait, Act::Recharge];

/// An action and the robot that takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action(pub Act, pub u8);

impl Fleet {
    /// Whether a robot that was started may do this.
    pub fn may(&self, act: Act, robot: usize) -> bool {
        let power = self.power[robot];
        match act {
            Act::Start => false,
            Act::Search => power > 30,
            Act::Wait => power <= 50,
            Act::Recharge => power < 100,
        }
    }

    /// Takes an action that is enabled.
    fn take(&mut self, &Action(act, robot): &Action) {
        let at = usize::from(robot);
        match act {
            Act::Start => self.started += 1,
            Act::Search => {
                self.power[at] -= 30;
                self.reward[at] += 2;
            }
            Act::Wait => self.reward[at] += 1,
            Act::Recharge => self.power[at] = 100,
        }
    }
}

impl Robots {
    /// Whether an action is enabled.
    fn may(&self, fleet: &Fleet, &Action(act, robot): &Action) -> bool {
        match act {
            Act::Start => robot == fleet.started && usize::from(robot) < self.most,
            _ => robot < fleet.started && fleet.may(act, usize::from(robot)),
        }
    }
}

impl ModelProgram for Robots {
    type State = Fleet;
    type Action = Action;

    fn symbols(&self) -> Vec<(String, Direction)> {
        let side = |act: Act| match act {
            Act::Recharge => Direction::Observable,
            _ => Direction::Controllable,
        };
        ACTS.iter().map(|&act| (format!("{act:?}"), side(act))).collect()
    }

    fn initial(&self) -> Fleet {
        Fleet::default()
    }

    fn enabled(&self, direction: Direction, fleet: &Fleet, actions: &mut Vec<Action>) {
        if direction == Direction::Controllable && usize::from(fleet.started) < self.most {
            actions.push(Action(Act::Start, fleet.started));
        }
        let acts: &[Act] = match direction {
            Direction::Controllable => &[Act::Search, Act::Wait],
            Direction::Observable => &[Act::Recharge],
        };
        for robot in 0..fleet.started {
            for &act in acts {
                // Listed, and taken back where it may not: no processor can guess which.
                let end = actions.len() + usize::from(fleet.may(act, usize::from(robot)));
                actions.push(Action(act, robot));
                actions.truncate(end);
            }
        }
    }

    fn may_act(&self, direction: Direction, fleet: &Fleet) -> bool {
        let started = 0..usize::from(fleet.started);
        match direction {
            // A robot that has no power to search may wait.
            Direction::Controllable => self.most > 0,
            Direction::Observable => started.into_iter().any(|robot| fleet.may(Act::Recharge, robot)),
        }
    }

    fn step(&self, fleet: &Fleet, action: &Action) -> Option<Fleet> {
        let mut next = *fleet;
        self.may(fleet, action).then(|| {
            next.take(action);
            next
        })
    }

    /// The same as [`step`](ModelProgram::step) in place: a fleet is not copied right after it was written to, which is
    /// slow.
    fn steps(&self, fleet: &Fleet, action: &Action, to: &mut Vec<Fleet>) -> bool {
        let may = self.may(fleet, action);
        if may {
            to.push(*fleet);
            to.last_mut().into_iter().for_each(|next| next.take(action));
        }
        may
    }

    fn show(&self, &Action(act, robot): &Action) -> String {
        format!("{act:?}({robot})")
    }

    fn read(&self, text: &str) -> Option<Action> {
        let (name, rest) = text.split_once('(')?;
        let act = ACTS.into_iter().find(|act| format!("{act:?}") == name)?;
        let robot = u8::from_str(rest.strip_suffix(')')?).ok()?;
        Some(Action(act, robot)).filter(|action| self.show(action) == text)
    }

    fn abstract_state(&self, fleet: &Fleet, &Action(act, robot): &Action) -> u64 {
        let at = usize::from(robot);
        match (self.grouped, act) {
            (false, _) => fingerprint(fleet),
            (true, Act::Start) => u64::MAX,
            (true, _) => u64::from(fleet.power[at]) << 32 | u64::from(fleet.reward[at]),
        }
    }

    fn abstracts_alike(&self) -> bool {
        !self.grouped
    }

    fn abstract_action(&self, _fleet: &Fleet, action: &Action) -> u64 {
        let Action(act, robot) = *action;
        if self.grouped { act as u64 } else { (act as u64) << 8 | u64::from(robot) }
    }
}
