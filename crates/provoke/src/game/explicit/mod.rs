//! Games whose states are written down one by one: the product of automata, and an objective solved on it.

mod explore;
mod flatten;
mod moves;
mod product;
mod scored;
mod sets;
mod solve;
mod tuples;

pub use product::{Component, Product, ProductError, Role};
pub use scored::Scored;
pub use solve::{Solved, solve};
