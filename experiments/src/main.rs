//! Regenerates the published tables beside the papers' numbers.

fn main() {}
