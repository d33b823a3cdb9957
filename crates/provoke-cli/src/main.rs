//! The `provoke` command.

fn main() {}
