//! Model programs: what a system may do, as actions that need not alternate.
//!
//! A [`ModelProgram`] is written in Rust, or read from a file ([`FileModel`], [`Suspension`]). It says which actions are enabled in a state
//! and where they lead; [`Stepper`] walks through it one action at a time. The state space may be unbounded: nothing here
//! enumerates it.
//!
//! ```
//! use provoke::action::{Direction, ModelProgram, Stepper};
//!
//! /// A lamp with a button; it may go out by itself.
//! struct Lamp;
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
//! enum Act { Press, Burn }
//!
//! impl ModelProgram for Lamp {
//!     type State = bool;
//!     type Action = Act;
//!
//!     fn symbols(&self) -> Vec<(String, Direction)> {
//!         vec![("Press".into(), Direction::Controllable), ("Burn".into(), Direction::Observable)]
//!     }
//!     fn initial(&self) -> bool {
//!         false
//!     }
//!     fn enabled(&self, direction: Direction, &on: &bool, actions: &mut Vec<Act>) {
//!         match direction {
//!             Direction::Controllable => actions.push(Act::Press),
//!             Direction::Observable => actions.extend(on.then_some(Act::Burn)),
//!         }
//!     }
//!     fn step(&self, &on: &bool, action: &Act) -> Option<bool> {
//!         match action {
//!             Act::Press => Some(!on),
//!             Act::Burn => on.then_some(false),
//!         }
//!     }
//!     fn show(&self, action: &Act) -> String {
//!         format!("{action:?}")
//!     }
//!     fn read(&self, text: &str) -> Option<Act> {
//!         [Act::Press, Act::Burn].into_iter().find(|action| self.show(action) == text)
//!     }
//! }
//!
//! let mut stepper = Stepper::new(&Lamp);
//! assert_eq!(stepper.enabled_observables(), []);
//! assert!(stepper.do_step(&Act::Press));
//! assert_eq!(stepper.enabled_observables(), [Act::Burn]);
//! ```

mod exchange;
mod file;
mod lexicon;
mod sketch;
mod stepper;
mod survey;
mod suspension;
mod written;

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::diagnostic::SpecError;
pub use crate::format::program::Direction;

pub use exchange::{Deed, Exchanges, Track};
pub use file::{FileAction, FileModel};
pub use lexicon::{Lexicon, Meaning};
pub use sketch::Sketch;
pub use stepper::Stepper;
pub use survey::Survey;
pub use suspension::{Anomaly, Steps, Suspension, TooLarge, Validity};
pub use written::{Written, write_down};

/// A model program (paper 2, definition 1): states, actions of both sides, and guarded updates.
///
/// What the paper calls `IStepper` is a [`Stepper`] over one; what it calls `IModelStepper` are the methods about abstract
/// states and actions.
pub trait ModelProgram: Send + Sync {
    /// A state.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// An action with its arguments.
    type Action: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The names of all actions, each with the side that takes them.
    fn symbols(&self) -> Vec<(String, Direction)>;

    /// Where a run begins.
    fn initial(&self) -> Self::State;

    /// Where a run may begin, where the model does not say which.
    fn initials(&self) -> Vec<Self::State> {
        vec![self.initial()]
    }

    /// Appends the actions of one side that are enabled in a state.
    fn enabled(&self, direction: Direction, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// Whether one side has an action that is enabled in a state. The same as asking whether
    /// [`enabled`](ModelProgram::enabled) appends any, and may be faster.
    fn may_act(&self, direction: Direction, state: &Self::State) -> bool {
        let mut actions = Vec::new();
        self.enabled(direction, state, &mut actions);
        !actions.is_empty()
    }

    /// Where an action leads; nothing where it is not enabled.
    fn step(&self, state: &Self::State, action: &Self::Action) -> Option<Self::State>;

    /// Appends the states that an action may lead to, where the model does not say which; false where it is not enabled.
    fn steps(&self, state: &Self::State, action: &Self::Action, to: &mut Vec<Self::State>) -> bool {
        match self.step(state, action) {
            Some(next) => {
                to.push(next);
                true
            }
            None => false,
        }
    }

    /// Where silence leads; nothing where the system must not be silent. A model program lets it be.
    fn silence(&self, state: &Self::State) -> Option<Self::State> {
        Some(state.clone())
    }

    /// Whether there may be states in which the system may not be reset; see [`may_reset`](ModelProgram::may_reset).
    fn restricts_reset(&self) -> bool {
        false
    }

    /// Whether the system may be reset here. A model that ever says no must say so in
    /// [`restricts_reset`](ModelProgram::restricts_reset).
    fn may_reset(&self, _state: &Self::State) -> bool {
        true
    }

    /// An action as it is written, beginning with its name: `Search(0)`.
    fn show(&self, action: &Self::Action) -> String;

    /// The action that is written so.
    fn read(&self, text: &str) -> Option<Self::Action>;

    /// The same where it is known who acts, for models in which both sides have actions of one name.
    fn read_as(&self, _direction: Direction, text: &str) -> Option<Self::Action> {
        self.read(text)
    }

    /// Appends actions of one side that are known before any state is met, whether or not they are ever enabled.
    fn known(&self, _direction: Direction, _actions: &mut Vec<Self::Action>) {}

    /// What a state is called, where the model has names for its states.
    fn name(&self, _state: &Self::State) -> Option<String> {
        None
    }

    /// A state in words, for people who look at it: its name, or all that it consists of.
    fn show_state(&self, state: &Self::State) -> String {
        self.name(state).unwrap_or_else(|| format!("{state:?}"))
    }

    /// What tells the part of a state that an action is about from others: `GetAbstractState(action)` in paper 2, section
    /// 3. The whole state, unless the model says otherwise; see [`fingerprint`].
    fn abstract_state(&self, state: &Self::State, _action: &Self::Action) -> u64 {
        fingerprint(state)
    }

    /// Whether [`abstract_state`](ModelProgram::abstract_state) is the same for all actions in a state: it is then asked once
    /// for all of them.
    fn abstracts_alike(&self) -> bool {
        false
    }

    /// What tells an action from others: `GetAbstractAction(action)`. The action with all its arguments, unless the model
    /// says otherwise.
    fn abstract_action(&self, _state: &Self::State, action: &Self::Action) -> u64 {
        fingerprint(action)
    }

    /// By how much taking an action raises the weight of its abstract transition; at least 1.
    fn weight(&self, _state: &Self::State, _action: &Self::Action) -> u32 {
        1
    }

    /// An error about one of its actions, shown where that is declared; none where there is no file to show.
    fn complain(&self, _symbol: &str, _message: String) -> Option<SpecError> {
        None
    }

    /// What is wrong with the model itself, as far as it was found out on the way. Nothing that a model says after it
    /// went wrong counts.
    fn fault(&self) -> Option<SpecError> {
        None
    }
}

/// What tells a value from others, but for a chance of about 2^-64.
#[inline]
pub fn fingerprint(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    mixed(hasher.finish())
}

/// Two fingerprints as one.
#[inline]
pub fn joined(first: u64, second: u64) -> u64 {
    // Asked for every action of every step. Two long products mix as well as two finalisers, in half the time.
    const KEYS: [u64; 2] = [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53];
    let folded = |first: u64, second: u64| {
        let product = u128::from(first ^ KEYS[0]) * u128::from(second ^ KEYS[1]);
        ((product >> 64) as u64, product as u64)
    };
    let (high, low) = folded(first, second);
    let (high, low) = folded(high, low);
    high ^ low
}

/// Every bit depends on every bit (the finaliser of MurmurHash3).
#[inline]
fn mixed(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}
