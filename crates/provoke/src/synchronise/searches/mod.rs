//! Searches for short words: beams of sets of states, forwards and backwards, and what makes a word shorter.

pub(crate) mod auto;
pub(crate) mod backward;
pub(crate) mod beam;
pub(crate) mod careful;
pub(crate) mod fast;
mod improve;
mod least;
mod meet;
mod shorten;
mod weighed;
mod weight;
mod wide;
