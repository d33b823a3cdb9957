//! Requirements, machines, model programs and recorded runs as files: the readers and the writers.

pub mod aiger;
mod aut;
mod dot;
pub mod hoa;
mod html;
pub mod lts;
pub mod machine;
pub mod pattern;
pub mod program;
pub mod recording;
pub mod tlsf;
