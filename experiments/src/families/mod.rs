//! Systems that are not the passageway, so that nothing is tuned to one example.

mod deceptive;
mod explicit;
mod lift;
mod lock;
mod machine;

use anyhow::Result;
use provoke::system::System;

use crate::arena::Arena;

/// One system with its requirement and objective.
pub struct Instance {
    /// The game and its guide.
    pub arena: Arena,
    /// Makes the system anew; the seed is for systems that throw dice.
    pub system: Box<dyn Fn(u64) -> Box<dyn System>>,
}

/// A family of instances: a seed gives one of them.
pub struct Family {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub sentence: &'static str,
    /// Makes the instance of a seed.
    pub instance: fn(u64) -> Result<Instance>,
}

/// Every family.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "lock-3",
        sentence: "3 digits, progress shown every third",
        instance: |seed| lock::instance(3, seed),
    },
    Family {
        name: "lock-6",
        sentence: "6 digits, progress shown every third",
        instance: |seed| lock::instance(6, seed),
    },
    Family {
        name: "lock-9",
        sentence: "9 digits, progress shown every third",
        instance: |seed| lock::instance(9, seed),
    },
    Family {
        name: "lift-3",
        sentence: "a lift with 6 floors, 3 stops in order",
        instance: |seed| lift::round_trip(3, seed),
    },
    Family {
        name: "lift-5",
        sentence: "a lift with 6 floors, 5 stops in order",
        instance: |seed| lift::round_trip(5, seed),
    },
    Family {
        name: "lift-fault",
        sentence: "a faulty lift with 6 floors, driven towards its fault",
        instance: lift::fault,
    },
    Family {
        name: "machine-5",
        sentence: "random Mealy machine, 200 states",
        instance: |seed| machine::instance(8, 5, seed),
    },
    Family {
        name: "machine-8",
        sentence: "random Mealy machine, 200 states",
        instance: |seed| machine::instance(14, 8, seed),
    },
    Family {
        name: "machine-12",
        sentence: "random Mealy machine, 200 states",
        instance: |seed| machine::instance(24, 12, seed),
    },
    Family {
        name: "deceptive-2-2",
        sentence: "the shortest way is never there",
        instance: |seed| deceptive::instance(2, 2, seed),
    },
    Family {
        name: "deceptive-6-3",
        sentence: "the shortest way is never there",
        instance: |seed| deceptive::instance(6, 3, seed),
    },
    Family {
        name: "deceptive-3-6",
        sentence: "the shortest way is never there",
        instance: |seed| deceptive::instance(3, 6, seed),
    },
];
