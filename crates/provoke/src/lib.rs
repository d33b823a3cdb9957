//! Tests black-box reactive systems against their requirements, online.
//!
//! Testing is a game of letters: the tester sends one input letter, the system answers one output letter,
//! and the pair moves every requirement from one state to the next.

pub mod automaton;
pub mod bdd;
pub mod campaign;
mod diagnostic;
pub mod draw;
mod forest;
pub mod game;
pub mod judge;
pub mod letter;
pub mod machine;
pub mod monitor;
pub mod report;
pub mod rng;
pub mod session;
pub mod space;
pub mod spec;
pub mod specification;
pub mod strategy;
pub mod synchronise;
pub mod system;
pub mod trace;
