//! What the system has shown so far, kept across runs.

mod seen;

pub use seen::Seen;
