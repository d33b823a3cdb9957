//! One campaign over many objectives against many campaigns over one.

use std::ops::Range;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use provoke::campaign::{Campaign, Limits};
use provoke::game::{Game, Guide};
use provoke::letter::{Interface, Letter};
use provoke::objective::Reach;
use provoke::rng::Rng;
use provoke::specification::{STATE_LIMIT, Specification};
use provoke::strategy::{DEFAULT, Options, StrategyEntry};
use provoke::system::{Closure, System};
use serde_json::json;

use super::chosen;
use crate::passageway::{self, Door, Grid, Passageway};
use crate::table::grouped;

/// Steps and resets of one campaign over many objectives, against one campaign after another
#[derive(Args, Debug)]
pub struct ObjectivesArgs {
    /// How many rooms the passageway has; each is an objective
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=50))]
    rooms: u32,
    /// How many objectives on each random machine
    #[arg(long, default_value_t = 50)]
    objectives: usize,
    /// How many states these machines have
    #[arg(long, default_value_t = 40)]
    states: usize,
    /// Runs for each objective
    #[arg(long, default_value_t = 2_000)]
    runs: u64,
    /// Attempts of each kind
    #[arg(long, default_value_t = 20)]
    attempts: u64,
    /// These strategies of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

type Goal = (Arc<dyn Game>, Arc<dyn Guide>);

/// What is pursued, and how the system that it is pursued on is made.
struct Case {
    specification: Specification,
    goals: Vec<Goal>,
    system: Box<dyn Fn() -> Box<dyn System>>,
}

/// What was spent, and how many objectives were covered for it.
#[derive(Clone, Copy, Default)]
struct Spent {
    steps: u64,
    runs: u64,
    covered: usize,
}

impl ObjectivesArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let mut rows = Vec::new();
        let names = if self.strategy.is_empty() {
            vec!["uniform".into(), "epsilon-greedy".into(), "mcts-greedy".into(), DEFAULT.into()]
        } else {
            self.strategy.clone()
        };
        for entry in chosen(&names, |_| true)? {
            for kind in ["passageway", "passageway backwards", "random machines"] {
                let (mut together, mut apart) = (Spent::default(), Spent::default());
                for seed in 1..=self.attempts {
                    let case = match kind {
                        "passageway" => rooms(self.rooms, false)?,
                        "passageway backwards" => rooms(self.rooms, true)?,
                        _ => random(self.states, self.objectives, seed)?,
                    };
                    together.add(self.pursue(&case, 0..case.goals.len(), entry, seed)?);
                    for at in 0..case.goals.len() {
                        apart.add(self.pursue(&case, at..at + 1, entry, seed)?);
                    }
                }
                let ratio = together.steps as f64 / apart.steps.max(1) as f64;
                rows.push(json!({
                    "strategy": entry.name, "kind": kind, "attempts": self.attempts, "ratio": ratio,
                    "together": {"steps": together.steps, "runs": together.runs, "covered": together.covered},
                    "apart": {"steps": apart.steps, "runs": apart.runs, "covered": apart.covered},
                }));
                if !self.json {
                    println!(
                        "{:<22} {kind:<22} together {:>11} steps {:>8} runs {:>5} covered   apart {:>11} steps {:>8} runs {:>5} covered   ratio {ratio:.3}",
                        entry.name,
                        grouped(together.steps),
                        grouped(together.runs),
                        together.covered,
                        grouped(apart.steps),
                        grouped(apart.runs),
                        apart.covered,
                    );
                }
            }
        }
        if self.json {
            println!("{}", json!(rows));
        }
        Ok(())
    }
}

impl ObjectivesArgs {
    /// One campaign over some of the goals. Each draws from its own stream of random numbers, so that a strategy without
    /// memory does the same in both ways until something is covered by chance.
    fn pursue(&self, case: &Case, goals: Range<usize>, entry: &StrategyEntry, seed: u64) -> Result<Spent> {
        let limits = Limits { runs: self.runs, steps: 250, ..Limits::default() };
        let mut strategy = (entry.build)(&Options::default());
        let (mut reach, mut system) = (Reach::all(case.goals[goals.clone()].to_vec()), (case.system)());
        let judge = case.specification.judge();
        let mut campaign = Campaign::new(&mut reach, judge, &mut *system, &mut *strategy, limits, seed);
        campaign.stream = goals.start as u64;
        let outcome = campaign.run(&mut ())?;
        let covered = outcome.objectives.iter().filter(|tally| tally.covered.is_some()).count();
        Ok(Spent { steps: outcome.steps, runs: outcome.runs, covered })
    }
}

impl Spent {
    fn add(&mut self, other: Spent) {
        self.steps += other.steps;
        self.runs += other.runs;
        self.covered += other.covered;
    }
}

/// Every room of a passageway, first to last or last to first.
fn rooms(rooms: u32, backwards: bool) -> Result<Case> {
    let quoted =
        |names: Vec<String>| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    let Interface { inputs, outputs } = passageway::interface(rooms)?;
    let file = std::env::temp_dir().join(format!("provoke-rooms-{}.hoa", std::process::id()));
    std::fs::write(&file, passageway::hoa(rooms))?;
    let mut text = format!(
        "[signals]\ninputs = [{}]\noutputs = [{}]\n[[requirement]]\nid = 'doors'\nautomaton = {:?}\n",
        quoted(inputs.names().map(str::to_owned).collect()),
        quoted(outputs.names().map(str::to_owned).collect()),
        file.display().to_string(),
    );
    let mut order: Vec<u32> = (1..=rooms).collect();
    if backwards {
        order.reverse();
    }
    for room in order {
        let states = (0..3).map(|m| format!("room {room}, m{m}")).collect();
        text.push_str(&format!("[[objective]]\nid = 'room {room}'\nstates = [{}]\n", quoted(states)));
    }
    let made =
        case(&text, move || Box::new(Passageway::new(Grid { last_door: Door::Open, ..Grid::faulty(rooms) })));
    std::fs::remove_file(&file)?;
    made
}

/// A random machine of two inputs and three outputs, and what it was once seen to answer in a row.
fn random(states: usize, objectives: usize, seed: u64) -> Result<Case> {
    let mut rng = Rng::stream(seed, 77);
    let table: Vec<[(usize, u64); 4]> =
        (0..states).map(|_| std::array::from_fn(|_| (rng.index(states), rng.below(8)))).collect();
    let mut text = "[signals]\ninputs = ['a', 'b']\noutputs = ['x', 'y', 'z']\n".to_owned();
    for number in 0..objectives {
        let mut at = 0;
        let mut said = Vec::new();
        for _ in 0..4 + rng.index(12) {
            let (next, output) = table[at][rng.index(4)];
            at = next;
            said.push(output);
        }
        let shown = |output: &u64| {
            let signal = |(bit, name)| {
                format!("{}{name}", if Letter::from_index(*output).get(bit) { "" } else { "!" })
            };
            [(0, "x"), (1, "y"), (2, "z")].map(signal).join(" & ")
        };
        let last: Vec<String> = said[said.len() - 4..].iter().map(shown).collect();
        text.push_str(&format!(
            "[[objective]]\nid = 'o{number}'\nltl = 'F({})'\n",
            last.join(" & X(") + ")))"
        ));
    }
    case(&text, move || {
        let table = table.clone();
        Box::new(Closure::new(
            || 0,
            move |at: &mut usize, input: Letter| {
                let (next, output) = table[*at][input.index() as usize];
                *at = next;
                Letter::from_index(output)
            },
        ))
    })
}

fn case(text: &str, system: impl Fn() -> Box<dyn System> + 'static) -> Result<Case> {
    let specification = Specification::from_text("objectives.toml".as_ref(), text)?;
    let wanted: Vec<_> = specification.objectives.iter().collect();
    let guidances = specification.guidance_to_all(&wanted, STATE_LIMIT)?;
    let goals = guidances.into_iter().map(|guidance| (guidance.game, guidance.guide)).collect();
    Ok(Case { specification, goals, system: Box::new(system) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strategies without memory do the same either way until something is passed; with memory it pays.
    #[test]
    fn all_rooms_together_never_cost_more_than_one_after_another() {
        for name in ["uniform", "epsilon-greedy", "mcts-greedy", DEFAULT] {
            let args = ObjectivesArgs {
                rooms: 10,
                objectives: 0,
                states: 0,
                runs: 300,
                attempts: 0,
                strategy: Vec::new(),
                json: false,
            };
            let entry = provoke::strategy::find(name).unwrap();
            for backwards in [false, true] {
                let case = rooms(10, backwards).unwrap();
                let (mut together, mut apart) = (Spent::default(), Spent::default());
                for seed in 1..4 {
                    together.add(args.pursue(&case, 0..10, entry, seed).unwrap());
                    for at in 0..10 {
                        apart.add(args.pursue(&case, at..at + 1, entry, seed).unwrap());
                    }
                }
                assert!(together.steps <= apart.steps, "{name}: {} > {}", together.steps, apart.steps);
                assert!(together.covered >= apart.covered, "{name}");
                assert!(name != DEFAULT || 2 * together.steps <= apart.steps, "memory pays");
            }
        }
    }
}
