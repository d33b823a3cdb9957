//! What a circuit costs while a campaign runs: loading, steps in states that were met before, steps in new ones.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use provoke::campaign::{Campaign, Limits};
use provoke::format::aiger::{Circuit, CircuitBuilder, Literal};
use provoke::letter::Letter;
use provoke::objective::Reach;
use provoke::specification::{Guidance, STATE_LIMIT, Specification};
use provoke::strategy::{CATALOGUE, DEFAULT, Options};
use provoke::system::Closure;

use crate::clock::processor_time;

/// How many latches the requirement has.
const LATCHES: usize = 100;

/// Steps of a run that starts where many have started: there are 8191 states to be met.
const SHORT: u32 = 12;

/// Prints what loading and stepping cost.
pub(super) fn print() -> Result<()> {
    let folder = Folder::new()?;
    let started = processor_time();
    let passageway = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/passageway/rooms-10.aag");
    let specification = Specification::load(&passageway)?;
    let objective = specification.objectives.first().context("the passageway has an objective")?;
    let guidance = specification.guidance(Some(objective), STATE_LIMIT)?;
    let first = guidance.guide.greedy_inputs(guidance.game.initial());
    ensure!(!first.is_empty(), "some input is sent first");
    println!("passageway of 10 rooms: {} ms from the file to the first step", since(started));

    let started = processor_time();
    let specification = folder.specification(&parity())?;
    println!("parity of 64 bits in a requirement: loaded in {} ms", since(started));
    let started = processor_time();
    specification.guidance(specification.objectives.first(), STATE_LIMIT)?;
    println!("parity of 64 bits in a requirement: solved in {} ms", since(started));

    let specification = folder.specification(&delay())?;
    for name in ["greedy", DEFAULT] {
        let guidance = specification.guidance(specification.objectives.first(), STATE_LIMIT)?;
        let known = |steps| Limits { runs: u64::MAX, steps: SHORT, total_steps: steps, ..Limits::default() };
        speed(&specification, &guidance, name, known(200_000))?;
        let again = speed(&specification, &guidance, name, known(1_000_000))?;
        let guidance = specification.guidance(specification.objectives.first(), STATE_LIMIT)?;
        let once = Limits { runs: 1, steps: 50_000, ..Limits::default() };
        let new = speed(&specification, &guidance, name, once)?;
        println!("{LATCHES} latches, {name}: {again:.0} steps/s in states met before, {new:.0} in new ones");
    }
    Ok(())
}

fn since(started: std::time::Duration) -> String {
    format!("{:.1}", (processor_time() - started).as_secs_f64() * 1e3)
}

/// A folder of our own for circuits, gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder> {
        let path = std::env::temp_dir().join(format!("provoke-circuits-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }

    fn specification(&self, circuit: &Circuit) -> Result<Specification> {
        std::fs::write(self.0.join("requirement.aag"), circuit.to_ascii())?;
        let text = "[[requirement]]\nid = 'R'\naiger = 'requirement.aag'\n";
        Ok(Specification::from_text(&self.0.join("specification.toml"), text)?)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Sixty-four inputs are held for a step, and the answer must be their parity.
fn parity() -> Circuit {
    let inputs: Vec<String> =
        (0..64).map(|at| format!("i{at}")).chain(["controllable_p".to_owned()]).collect();
    let held: Vec<String> = (0..64).map(|at| format!("r{at}")).collect();
    let mut builder = CircuitBuilder::new(
        inputs.iter().map(String::as_str),
        held.iter().map(|name| (name.as_str(), false)),
    );
    let mut sum = Literal::FALSE;
    for at in 0..64 {
        builder.next(at, builder.input(at));
        sum = builder.xor(sum, builder.latch(at));
    }
    let error = builder.xor(sum, builder.input(64));
    builder.output("error", error);
    builder.output("objective", sum);
    builder.finish()
}

/// The answer `x` must be `a` as it was 99 steps before. The objective is a grant after `a` came, stayed away and came: the
/// system below keeps the requirement and never grants anything.
fn delay() -> Circuit {
    let names: Vec<String> = (0..LATCHES).map(|at| format!("l{at}")).collect();
    let latches = names.iter().map(|name| (name.as_str(), false));
    let mut builder = CircuitBuilder::new(["a", "controllable_x", "controllable_grant"], latches);
    builder.next(0, builder.input(0));
    for at in 1..LATCHES - 1 {
        builder.next(at, builder.latch(at - 1));
    }
    let came = [builder.latch(0), !builder.latch(1), builder.latch(2), builder.input(2)];
    let granted = builder.all(came);
    builder.next(LATCHES - 1, granted);
    let error = builder.xor(builder.latch(LATCHES - 2), builder.input(1));
    builder.output("error", error);
    builder.output("objective", builder.latch(LATCHES - 1));
    builder.finish()
}

/// Steps a second, guidance and judging included.
fn speed(specification: &Specification, guidance: &Guidance, name: &str, limits: Limits) -> Result<f64> {
    let entry = CATALOGUE.iter().find(|entry| entry.name == name).context("a strategy of the catalogue")?;
    let mut strategy = (entry.build)(&Options::default());
    let mut system = Closure::new(
        || 0u128,
        |held: &mut u128, input: Letter| {
            let answer = *held >> (LATCHES - 2) & 1 == 1;
            *held = *held << 1 | u128::from(input.get(0));
            Letter::default().with(0, answer)
        },
    );
    let mut goal = Reach::one(guidance.game.clone(), guidance.guide.clone());
    let judge = specification.judge();
    let started = processor_time();
    let done = Campaign::new(&mut goal, judge, &mut system, &mut *strategy, limits, 1).run(&mut ())?;
    Ok(done.steps as f64 / (processor_time() - started).as_secs_f64())
}
