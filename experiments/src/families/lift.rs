//! (b) A lift with six floors and requirements that only say what it must never do: `examples/lift`.

use anyhow::{Context, Result};
use provoke::letter::Letter;
use provoke::rng::Rng;
use provoke::specification::Specification;
use provoke::system::{Closure, System};

use super::Instance;
use crate::arena::Arena;

#[allow(unreachable_pub)]
#[path = "../../../examples/lift/lift.rs"]
mod cabin;

use cabin::{FLOORS, Lift, Shown};

/// The committed objective, which stands for any round trip.
const COMMITTED: &str = "F (door & at_6 & X (!door U (door & at_2 & X (!door U (door & at_5)))))";

/// A round trip through random floors without other stops; no floor twice in a row.
pub(super) fn round_trip(stops: u32, seed: u64) -> Result<Instance> {
    let mut rng = Rng::stream(seed, 0x11f7);
    let mut floor = 1;
    let mut trip = Vec::new();
    for _ in 0..stops {
        let other = 1 + rng.below(u64::from(FLOORS) - 1) as u32;
        floor = if other >= floor { other + 1 } else { other };
        trip.push(floor);
    }
    let (&first, rest) = trip.split_first().context("a round trip has stops")?;
    let open = |floor: u32| format!("door & at_{floor}");
    let nested = rest
        .iter()
        .rev()
        .fold(String::new(), |after, &floor| format!(" & X (!door U ({}{after}))", open(floor)));
    instance(&format!("F ({}{nested})", open(first)), "round-trip", false)
}

/// The faulty lift, driven towards a violation.
pub(super) fn fault(_seed: u64) -> Result<Instance> {
    instance(COMMITTED, "break-doors", true)
}

fn instance(trip: &str, objective: &str, faulty: bool) -> Result<Instance> {
    let text = include_str!("../../../examples/lift/boolean.toml").replace(COMMITTED, trip);
    let specification = Specification::from_text("boolean.toml".as_ref(), &text)?;
    let objective = specification.objective(objective).context("boolean.toml has the objective")?;
    let arena = Arena::of_specification(&specification, objective)?;
    let system = move |_| {
        let step = |lift: &mut Lift, input: Letter| {
            letter(lift.step((1..=FLOORS).find(|&floor| input.get(floor as usize - 1))))
        };
        Box::new(Closure::new(move || Lift::new(faulty), step)) as Box<dyn System>
    };
    Ok(Instance { arena, system: Box::new(system) })
}

fn letter(shown: Shown) -> Letter {
    let floors = FLOORS as usize;
    Letter::default()
        .with(shown.floor as usize - 1, true)
        .with(floors, shown.door)
        .with(floors + 1, shown.up)
        .with(floors + 2, shown.down)
}
