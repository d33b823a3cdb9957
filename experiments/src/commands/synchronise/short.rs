//! How short words get in about a second, on the machines that `--write` makes from seeds 1 to 5.

use std::time::Duration;

use provoke::machine::Machine;
use provoke::rng::Rng;
use provoke::synchronise::Method;
use serde_json::{Value, json};

use super::measure::{Row, shown};
use crate::machines::random;

/// Sizes with the mean length to reach: that of a public beam search backwards where it is known.
const TARGETS: [(usize, usize, f64); 3] = [(512, 2, 58.4), (512, 10, 33.0), (1024, 2, 85.0)];

/// Every method of interest on every size.
pub(super) fn rows(budget: Duration, quiet: bool) -> Vec<Value> {
    let mut rows = Vec::new();
    if !quiet {
        println!("\nShort words: the machines that --write makes from seeds 1 to 5");
    }
    for (states, inputs, target) in TARGETS {
        let machines: Vec<Machine> =
            (1..=5).map(|seed| random(states, inputs, &mut Rng::new(seed))).collect();
        for method in [Method::Fast, Method::Beam, Method::Auto] {
            let row = Row::measure("short", &machines, method, budget);
            if !quiet {
                let lengths: Vec<usize> = row.lengths.iter().flatten().copied().collect();
                println!(
                    "  {states:>5} x {inputs:<3} {:<5} {lengths:?}, mean {:.1} [at most {target} wanted], {}",
                    method.entry().name,
                    row.length(),
                    shown(row.time())
                );
            }
            let mut value = row.to_json(None);
            value["lengths"] = json!(row.lengths);
            value["target"] = json!(target);
            rows.push(value);
        }
    }
    rows
}
