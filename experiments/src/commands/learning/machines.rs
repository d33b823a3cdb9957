//! Public machines: whether what is learnt of each is the machine itself, and whether changes to it are found.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use provoke::campaign::{Campaign, Limits};
use provoke::format::machine::read;
use provoke::game::History;
use provoke::learn::{Claims, Learner, differences};
use provoke::machine::Machine;
use provoke::monitor::Judge;
use provoke::objective::Hunt;
use provoke::rng::Rng;
use provoke::specification::{STATE_LIMIT, Specification};
use provoke::strategy::Learning;
use provoke::system::Simulated;
use serde_json::{Value, json};

use super::until::{Until, is_learnt};
use crate::irregular::Irregular;
use crate::table::grouped;

/// Larger machines are left out.
const STATES: usize = 100;
const INPUTS: usize = 64;

/// What is learnt, and what it may cost.
pub(super) struct Course<'a> {
    /// Only machines whose names have this in them.
    pub(super) only: &'a str,
    /// How many mutants.
    pub(super) mutants: u64,
    /// The seed of every campaign.
    pub(super) seed: u64,
    /// Steps in one run and in all runs.
    pub(super) steps: u32,
    pub(super) total_steps: u64,
}

/// Learns every public machine that is small enough, and then as many of their mutants as asked for.
pub(super) fn run(course: &Course<'_>, json: bool) -> Result<()> {
    let mut rows = Vec::new();
    let mut machines = machines()?;
    machines.retain(|(name, _)| name.contains(course.only));
    anyhow::ensure!(!machines.is_empty(), "no machine has {} in its name", course.only);
    for (name, machine) in &machines {
        let learnt = learn_one(machine, machine, course)?;
        if !json {
            println!(
                "  {name:36} {:>3} states {:>2} inputs   {} after {} steps ({} in all)",
                machine.rows.len(),
                machine.rows[0].len(),
                if learnt.difference.is_none() { "learnt" } else { "NOT LEARNT" },
                grouped(learnt.last_new),
                grouped(learnt.steps),
            );
        }
        rows.push(json!({
            "machine": name,
            "states": machine.rows.len(),
            "inputs": machine.rows[0].len(),
            "equal": learnt.difference.is_none(),
            "steps_to_model": learnt.last_new,
        }));
    }
    let (mut found, mut tried) = (0, 0);
    // Where no change of a machine shows, another takes its turn.
    for seed in 0..2 * course.mutants {
        if tried == course.mutants {
            break;
        }
        let (_, machine) = &machines[seed as usize % machines.len()];
        let Some((mutant, shortest)) = mutant(machine, seed) else { continue };
        let learnt = learn_one(&mutant, machine, course)?;
        tried += 1;
        found += u64::from(learnt.difference == Some(shortest));
    }
    if json {
        let mutants = json!({ "mutants": tried, "shortest_differences": found });
        println!("{}", json!({ "machines": rows, "mutants": mutants }));
    } else {
        let equal = rows.iter().filter(|row| row["equal"] == Value::Bool(true)).count();
        println!(
            "{equal} of {} machines learnt; the shortest difference of {found} of {tried} mutants",
            rows.len()
        );
    }
    Ok(())
}

/// What learning one machine took.
struct Learnt {
    steps: u64,
    last_new: u64,
    /// How long the shortest word is on which it differs from the old machine, if there is one.
    difference: Option<usize>,
}

/// Learns a machine until that is done or there are no more steps, and compares what was learnt with the old one.
fn learn_one(new: &Irregular, old: &Irregular, course: &Course<'_>) -> Result<Learnt> {
    let outputs = |irregular: &Irregular| -> Vec<String> {
        irregular.rows.iter().flatten().map(|(_, output)| output.clone()).collect()
    };
    let mut names = outputs(new);
    names.extend(outputs(old));
    names.sort();
    names.dedup();
    let quoted =
        |names: Vec<String>| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let inputs = (0..new.rows[0].len()).map(|input| format!("i{input}")).collect();
    let text = format!("[labels]\ninputs = [{}]\noutputs = [{}]\n", quoted(inputs), quoted(names));
    let specification = Specification::from_text("machine.toml".as_ref(), &text)?;
    let machine = new.machine()?;
    let mut system = Simulated::new(&machine, specification.interface())
        .map_err(|error| anyhow::anyhow!("{}", error.message))?;
    let Course { steps, total_steps, seed, .. } = *course;
    let limits = Limits { runs: u64::MAX, steps, total_steps, ..Limits::default() };
    let inner = Box::new(Learning::new(Arc::new(Claims::default()), total_steps as usize));
    let machine = specification.reactions(&machine)?;
    // The model is looked at whenever it has changed.
    let mut version = None;
    let is_over = |learning: &mut Learning| {
        let is_done = |learner: &Learner| {
            let before = version.replace(learner.version());
            before != version && is_learnt(learner, &machine)
        };
        learning.learner().is_some_and(is_done)
    };
    let mut strategy = Until { inner, is_over };
    let mut hunt = Hunt::new(Arc::new(History::of(specification.permitted(STATE_LIMIT)?.game)));
    let campaign = Campaign::new(&mut hunt, Judge::default(), &mut system, &mut strategy, limits, seed);
    let steps = campaign.run(&mut ())?.steps;
    let learner = strategy.inner.learner().context("nothing was learnt")?;
    let reactions = specification.reactions(&old.machine()?)?;
    let difference = differences(learner, &reactions, 1).first().map(|found| found.before.len() + 1);
    Ok(Learnt { steps, last_new: learner.last_surprise(), difference })
}

/// The machines of the public data, by name; inputs that a state does not take leave it where it is.
fn machines() -> Result<Vec<(String, Irregular)>> {
    let folder = crate::data::path("machines")?;
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "dot" || ending == "kiss2"));
    paths.sort();
    let mut made = Vec::new();
    for path in paths {
        let name = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        let machine = match read(&path) {
            Ok(machine) => machine,
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        };
        if machine.states().len() <= STATES && machine.inputs().len() <= INPUTS {
            made.push((name, rows(&machine)));
        }
    }
    Ok(made)
}

fn rows(machine: &Machine) -> Irregular {
    let first = machine.initial().unwrap_or(0);
    // The first state comes first.
    let number = |state: u32| match state {
        state if state == first => 0,
        state if state < first => state + 1,
        state => state,
    };
    let mut rows = vec![Vec::new(); machine.states().len()];
    for state in 0..machine.states().len() as u32 {
        for input in 0..machine.inputs().len() as u32 {
            let to = machine.next(state, input).unwrap_or(state);
            let output = match machine.output(state, input) {
                Some(output) => format!("o{output}"),
                None if machine.next(state, input).is_some() => "silent".to_owned(),
                None => "undefined".to_owned(),
            };
            rows[number(state) as usize].push((number(to), output));
        }
    }
    Irregular { rows, errors: 0 }
}

/// The machine with one answer or target changed, and how long the shortest word is that shows it; none where none does.
fn mutant(machine: &Irregular, seed: u64) -> Option<(Irregular, usize)> {
    let mut rng = Rng::stream(seed, 0x3074);
    for _ in 0..100 {
        let mut rows = machine.rows.clone();
        let (state, input) = (rng.index(rows.len()), rng.index(rows[0].len()));
        let other = rng.index(rows.len());
        if rng.chance(0.5) {
            rows[state][input].0 = other as u32;
        } else {
            rows[state][input].1 = rows[other][rng.index(rows[0].len())].1.clone();
        }
        let mutant = Irregular { rows, errors: 0 };
        if let Some(length) = shortest(&machine.rows, &mutant.rows) {
            return Some((mutant, length));
        }
    }
    None
}

/// How long the shortest word is that two machines answer differently.
fn shortest(one: &[Vec<(u32, String)>], other: &[Vec<(u32, String)>]) -> Option<usize> {
    let mut lengths = BTreeMap::from([((0u32, 0u32), 0)]);
    let mut queue = VecDeque::from([(0u32, 0u32)]);
    while let Some((first, second)) = queue.pop_front() {
        let length = lengths[&(first, second)] + 1;
        for ((to, answer), (into, said)) in one[first as usize].iter().zip(&other[second as usize]) {
            if answer != said {
                return Some(length);
            }
            lengths.entry((*to, *into)).or_insert_with(|| {
                queue.push_back((*to, *into));
                length
            });
        }
    }
    None
}
