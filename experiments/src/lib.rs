//! The systems, requirements and measurements behind the published tables.

pub mod arena;
pub mod choices;
pub mod clock;
pub mod commands;
pub mod controllers;
pub mod data;
pub mod families;
pub mod irregular;
pub mod machines;
pub mod passageway;
pub mod plot;
pub mod robots;
pub mod subjects;
pub mod table;
pub mod typed;
