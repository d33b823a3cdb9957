//! Requirements, machines, model programs and recorded runs as files: the readers and the writers.

pub mod aiger;
pub mod hoa;
pub mod machine;
pub mod pattern;
pub mod program;
pub mod recording;
pub mod tlsf;
