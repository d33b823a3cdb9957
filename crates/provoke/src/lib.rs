//! Tests black-box reactive systems against their requirements, online.
//!
//! Testing is a game of letters: the tester sends one input letter, the system answers one output letter,
//! and the pair moves every requirement from one state to the next.
//!
//! A door that must not open while it is locked, and an implementation that forgets so after two knocks, in the body of a
//! `#[test]`:
//!
//! ```should_panic
//! use provoke::Test;
//!
//! let door = r#"
//!     [signals]
//!     inputs  = ["knock", "lock"]
//!     outputs = ["open"]
//!
//!     [[requirement]]
//!     id  = "locked"
//!     ltl = "G (lock -> !open)"
//! "#;
//! Test::of_text(door) // or Test::of("door.toml")
//!     .system(|| 0, |knocks, input, output| {
//!         *knocks = if input["knock"] { *knocks + 1 } else { 0 };
//!         output.set("open", input["knock"] && (!input["lock"] || *knocks > 2));
//!     })
//!     .assert_passes();
//! ```
//!
//! It fails, with the shortest story of the violation and what repeats it:
//!
//! ```text
//! specification does not pass: violated locked
//!
//! violation of locked
//!      1  knock=1 lock=0 / open=1
//!      2  knock=1 lock=0 / open=1
//!      3  knock=1 lock=1 / open=1
//!   3 steps, found with 6; reproduced 3 of 3
//! VIOLATED: 1 run, 6 steps, 0.00 s (21482 steps/s), strategy frontier-experience (3 kB), seed 0
//!
//! the same again: .strategy("frontier-experience").steps(250).seed(0)
//! ```
//!
//! With more say in how it is done, a session is data: a [`Plan`](session::Plan) of attempts that can be written down,
//! run wherever the specification and the system are, and whose reports are [merged](report::Report::merge) into one.
//! Whoever wants to see more than the report watches the [events](campaign::Event), or writes them to a
//! [log](session::Log).
//!
//! ```
//! use provoke::letter::Letter;
//! use provoke::report::Overall;
//! use provoke::session::{Attempt, Here, Plan};
//! use provoke::specification::Specification;
//! use provoke::strategy::StrategyChoice;
//! use provoke::system::Closure;
//!
//! let specification = Specification::from_text("lamp.toml".as_ref(), r#"
//!     [signals]
//!     inputs  = ["switch"]
//!     outputs = ["light"]
//!
//!     [[objective]]
//!     id  = "lit"
//!     ltl = "F light"
//! "#)?;
//! let mut lamp = Closure::new(|| false, |lit: &mut bool, input: Letter| {
//!     *lit ^= input.get(0);
//!     Letter::default().with(0, *lit)
//! });
//! let plan = Plan::new(vec![Attempt::new(&specification, StrategyChoice::named("uniform"), 1)]);
//! let plan = Plan::from_json(&plan.to_json())?;
//! let report = plan.run(&mut Here {
//!     specification: &specification,
//!     system: &mut lamp,
//!     archive: None,
//!     observer: &mut (),
//! })?;
//! assert_eq!(report.verdict, Overall::Covered);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Specifications are usually files, read by [`Specification::load`](specification::Specification::load); what they
//! may say is in the guide. Programs and servers are systems as well: [`system::Lines`].

pub mod account;
pub mod action;
pub mod assertion;
pub mod atom;
pub mod automaton;
pub mod bdd;
pub mod campaign;
pub mod circuit;
mod connected;
pub mod coverage;
pub mod diagnostic;
pub mod draw;
pub mod expression;
pub mod format;
pub mod game;
pub mod generate;
pub mod learn;
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
pub mod suite;
pub mod synchronise;
pub mod system;
pub mod trace;
pub mod verify;

pub use assertion::{Input, Output, Test};
