//! Systems whose signals are numbers and names.

pub mod edges;
pub mod lift;
pub mod speed;
pub mod threshold;
