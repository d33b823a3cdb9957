//! The subcommands: each regenerates one table.

pub mod passageway;
