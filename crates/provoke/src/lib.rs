//! Tests black-box reactive systems against their requirements, online.
//!
//! Testing is a game of letters: the tester sends one input letter, the system answers one output letter,
//! and the pair moves every requirement from one state to the next.
//!
//! A door that must not open while it is locked, and an implementation that forgets so after two knocks:
//!
//! ```
//! use provoke::letter::Letter;
//! use provoke::report::Overall;
//! use provoke::session::{self, Settings};
//! use provoke::specification::Specification;
//! use provoke::strategy;
//! use provoke::system::Closure;
//!
//! let specification = Specification::from_text("door.toml".as_ref(), r#"
//!     [signals]
//!     inputs  = ["knock", "lock"]
//!     outputs = ["open"]
//!
//!     [[requirement]]
//!     id  = "locked"
//!     ltl = "G (lock -> !open)"
//!
//!     [[objective]]
//!     id  = "opened"
//!     ltl = "F open"
//! "#)?;
//!
//! let mut door = Closure::new(
//!     || 0,
//!     |knocks: &mut u32, input: Letter| {
//!         let (knock, lock) = (input.get(0), input.get(1));
//!         *knocks = if knock { *knocks + 1 } else { 0 };
//!         Letter::default().with(0, knock && (!lock || *knocks > 2))
//!     },
//! );
//!
//! let objectives = [specification.objective("opened").unwrap()];
//! let settings = Settings::new(strategy::find("uniform").unwrap(), 1);
//! let report = session::test(&specification, &objectives, None, &mut door, &settings, &mut ())?;
//! assert_eq!(report.verdict, Overall::Covered);
//!
//! // Without an objective, it only looks for violations, and tells the shortest story of each.
//! let report = session::test(&specification, &[], None, &mut door, &settings, &mut ())?;
//! assert_eq!(report.verdict, Overall::Violated);
//! assert_eq!(report.violations[0].trace.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Specifications are usually files, read by [`Specification::load`](specification::Specification::load); what they
//! may say is in the guide. Programs and servers are systems as well: [`system::Lines`].

pub mod automaton;
pub mod bdd;
pub mod campaign;
mod connected;
pub mod diagnostic;
pub mod draw;
pub mod expression;
pub mod format;
pub mod game;
pub mod letter;
pub mod ltl;
pub mod machine;
pub mod monitor;
pub mod objective;
pub mod report;
pub mod rng;
pub mod session;
pub mod specification;
pub mod strategy;
pub mod synchronise;
pub mod system;
pub mod trace;
