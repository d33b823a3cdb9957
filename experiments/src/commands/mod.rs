//! The subcommands: each regenerates one table.

pub mod families;
pub mod ltl;
pub mod monitors;
pub mod passageway;
pub mod passageway_files;
pub mod pipe;
pub mod speed;
pub mod steps;
pub mod synchronise;
