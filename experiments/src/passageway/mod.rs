//! The case study of paper 1: a robot in a passageway of rooms, with a fault behind the last door but one.

mod files;
#[path = "../../../examples/passageway/grid.rs"]
mod grid;
mod requirement;
mod system;

use std::sync::Arc;

use anyhow::{Context, Result};
use provoke::automaton::read_requirement;
use provoke::bdd::Space;
use provoke::diagnostic::Source;
use provoke::letter::Interface;

use crate::arena::Arena;

pub use files::files;
pub use grid::{Door, Grid, Robot, Shown};
pub use requirement::hoa;
pub use system::{Passageway, letter};

/// The interface of a passageway: which way to move, and what is shown.
pub fn interface(rooms: u32) -> Result<Interface> {
    let rooms = (1..=rooms).map(|room| format!("room_{room}"));
    let outputs = rooms.chain(["open", "doorstep", "collision"].map(String::from));
    let inputs = ["right", "up"].map(String::from);
    Ok(Interface::signals(inputs, outputs)?)
}

/// The requirement with the objective of the paper: the last room, without a collision.
pub fn arena(rooms: u32) -> Result<Arena> {
    let space = Arc::new(Space::new(interface(rooms)?));
    let requirement = read_requirement(&Source::new("passageway.hoa", hoa(rooms)), &space)
        .context("failed to read the generated requirement")?;
    let last = requirement::state_number(rooms, 0)..requirement::state_number(rooms, 3);
    Arena::new(space, requirement, |at| last.contains(&at))
}
