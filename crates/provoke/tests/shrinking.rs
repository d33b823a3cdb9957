//! Shrinking against the truth: random faulty machines that are small enough to be solved exactly.

#![allow(clippy::unwrap_used)]

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use provoke::campaign::{Attempt, Budget, Oracle, ShrinkLimits, shortest_story};
use provoke::letter::{Alphabet, Letter};
use provoke::rng::Rng;
use provoke::system::SystemError;
use provoke::trace::{Step, Trace};

/// A machine and a requirement as tables; what is violated is known, nothing else of it is shown.
#[derive(Clone)]
struct Case {
    inputs: usize,
    /// The system: for each state and input the next state and the output.
    system: Vec<Vec<(usize, usize)>>,
    /// The requirement: for each state, input and output the next state; none where it is violated.
    requirement: Vec<Vec<Vec<Option<usize>>>>,
    /// Inputs that may not be sent, by state of the requirement.
    withheld: Vec<Vec<bool>>,
}

impl Case {
    fn run(&self, inputs: &[Letter]) -> Attempt {
        let (mut at, mut rule) = (0, 0);
        let mut trace = Trace::new();
        for &input in inputs {
            let letter = input.index() as usize;
            if self.withheld[rule][letter] {
                break;
            }
            let (next, output) = self.system[at][letter];
            trace.push(Step { input, output: Letter::from_index(output as u64) });
            match self.requirement[rule][letter][output] {
                Some(next) => rule = next,
                None => return Attempt { trace, violated: true },
            }
            at = next;
        }
        Attempt { trace, violated: false }
    }

    /// The length of the shortest violating run, by breadth-first search.
    fn shortest(&self) -> Option<usize> {
        let mut depth = HashMap::from([((0, 0), 0)]);
        let mut open = VecDeque::from([(0, 0)]);
        while let Some((at, rule)) = open.pop_front() {
            let steps = depth[&(at, rule)] + 1;
            for letter in (0..self.inputs).filter(|&letter| !self.withheld[rule][letter]) {
                let (next, output) = self.system[at][letter];
                match self.requirement[rule][letter][output] {
                    None => return Some(steps),
                    Some(rule) => {
                        depth.entry((next, rule)).or_insert_with(|| {
                            open.push_back((next, rule));
                            steps
                        });
                    }
                }
            }
        }
        None
    }

    /// A violating run of at least `least` steps (if there are any) by random inputs, at most 250 long.
    fn wander(&self, least: usize, rng: &mut Rng) -> Option<Trace> {
        let mut found: Option<Trace> = None;
        for _ in 0..300 {
            let word: Vec<Letter> =
                (0..250).map(|_| Letter::from_index(rng.below(self.inputs as u64))).collect();
            // What is withheld is not sent; another input is.
            let word = self.legal(&word, rng);
            let run = self.run(&word);
            if run.violated && found.as_ref().is_none_or(|found| found.len() < run.trace.len()) {
                let enough = run.trace.len() >= least;
                found = Some(run.trace);
                if enough {
                    break;
                }
            }
        }
        found
    }

    fn legal(&self, word: &[Letter], rng: &mut Rng) -> Vec<Letter> {
        let (mut at, mut rule) = (0, 0);
        let mut legal = Vec::new();
        for &input in word {
            let mut letter = input.index() as usize;
            for _ in 0..100 {
                if self.withheld[rule][letter] {
                    letter = rng.index(self.inputs);
                }
            }
            if self.withheld[rule][letter] {
                break;
            }
            legal.push(Letter::from_index(letter as u64));
            let (next, output) = self.system[at][letter];
            match self.requirement[rule][letter][output] {
                Some(next) => rule = next,
                None => break,
            }
            at = next;
        }
        legal
    }
}

struct InProcess<'a> {
    case: &'a Case,
    runs: u64,
}

impl Oracle for InProcess<'_> {
    fn try_inputs(&mut self, inputs: &[Letter]) -> Result<Attempt, SystemError> {
        self.runs += 1;
        Ok(self.case.run(inputs))
    }
}

fn machine(states: usize, inputs: usize, outputs: usize, rng: &mut Rng) -> Vec<Vec<(usize, usize)>> {
    (0..states).map(|_| (0..inputs).map(|_| (rng.index(states), rng.index(outputs))).collect()).collect()
}

/// A random requirement: so many of a thousand exchanges violate it, and so many inputs are withheld.
fn random_requirement(rng: &mut Rng) -> Case {
    let (states, inputs) = (2 + rng.index(29), 2 + rng.index(15));
    let (outputs, rules) = (2 + rng.index(3), 2 + rng.index(5));
    let system = machine(states, inputs, outputs, rng);
    let chance = 0.3 / (states * inputs) as f64;
    let mut requirement: Vec<Vec<Vec<Option<usize>>>> = Vec::new();
    for _ in 0..rules {
        let row =
            |rng: &mut Rng| (0..outputs).map(|_| (!rng.chance(chance)).then(|| rng.index(rules))).collect();
        requirement.push((0..inputs).map(|_| row(rng)).collect());
    }
    let withheld = (0..rules).map(|_| (0..inputs).map(|_| rng.chance(0.1)).collect()).collect();
    Case { inputs, system, requirement, withheld }
}

/// The requirement is the machine itself; the system has one wrong answer or one wrong target.
fn one_fault(rng: &mut Rng) -> Case {
    let (states, inputs, outputs) = (2 + rng.index(29), 2 + rng.index(15), 2 + rng.index(3));
    let right = machine(states, inputs, outputs, rng);
    let mut system = right.clone();
    let (at, letter) = (rng.index(states), rng.index(inputs));
    if rng.chance(0.5) {
        system[at][letter].0 = rng.index(states);
    } else {
        system[at][letter].1 = rng.index(outputs);
    }
    let answers = |&(next, right): &(usize, usize)| {
        (0..outputs).map(|output| (output == right).then_some(next)).collect()
    };
    let requirement = right.iter().map(|row| row.iter().map(answers).collect()).collect();
    Case { inputs, system, requirement, withheld: vec![vec![false; inputs]; states] }
}

/// A ladder: of the inputs one or two lead up, the others down or nowhere; the answers say little; the fault is
/// shown on top, and counts only if the requirement has seen another answer some time before.
fn ladder(rng: &mut Rng) -> Case {
    let (states, inputs) = (6 + rng.index(15), 2 + rng.index(3));
    let mut system = Vec::new();
    for at in 0..states {
        let mut row = Vec::new();
        for _ in 0..inputs {
            let to = if rng.chance(0.5) { at } else { at - rng.index(3).min(at) };
            row.push((to, usize::from(rng.chance(0.1))));
        }
        let up = rng.index(inputs);
        row[up] = ((at + 1) % states, if at + 1 == states { 2 } else { 0 });
        system.push(row);
    }
    let requirement = [[Some(0), Some(1), Some(0)], [Some(1), Some(2), Some(1)], [Some(2), Some(0), None]];
    let requirement = requirement.iter().map(|row| vec![row.to_vec(); inputs]).collect();
    Case { inputs, system, requirement, withheld: vec![vec![false; inputs]; 3] }
}

struct Score {
    cases: usize,
    near: usize,
    far: Vec<(usize, usize, usize)>,
    runs: u64,
    most: u64,
    steps: u64,
    lengths: usize,
}

fn score(family: fn(&mut Rng) -> Case, seed: u64, wanted: usize) -> Score {
    let mut score = Score { cases: 0, near: 0, far: Vec::new(), runs: 0, most: 0, steps: 0, lengths: 0 };
    let limits = ShrinkLimits::default();
    let budget =
        Budget { runs: limits.candidates.into(), steps: limits.steps, time: Duration::from_secs(3600) };
    for stream in 0.. {
        let mut rng = Rng::stream(seed, stream);
        let case = family(&mut rng);
        let Some(shortest) = case.shortest() else { continue };
        let least = 10 + rng.index(240);
        let Some(trace) = case.wander(least, &mut rng) else { continue };
        if trace.len() < 10 {
            continue;
        }
        let inputs = Alphabet::labels((0..case.inputs).map(|at| at.to_string())).unwrap();
        let mut oracle = InProcess { case: &case, runs: 0 };
        let story = shortest_story(&trace, &inputs, &[], budget, &mut oracle);
        let best = story.stories.last().unwrap();
        let word: Vec<Letter> = best.iter().map(|step| step.input).collect();
        let again = case.run(&word);
        assert!(again.violated && again.trace == *best, "a story that is not true");
        score.cases += 1;
        score.near += usize::from(best.len() <= shortest + 1);
        score.lengths += best.len() - shortest;
        if best.len() > (shortest + 1).max(shortest * 3 / 2)
            || std::env::var("ALL").is_ok() && best.len() > shortest
        {
            score.far.push((stream as usize, best.len(), shortest));
        }
        score.runs += story.runs;
        score.most = score.most.max(story.runs);
        score.steps += story.steps;
        assert_eq!(story.runs, oracle.runs);
        if score.cases == wanted {
            break;
        }
    }
    score
}

#[test]
fn stories_are_nearly_as_short_as_can_be() {
    let families: [(&str, fn(&mut Rng) -> Case); 3] =
        [("random requirement", random_requirement), ("one fault", one_fault), ("ladder", ladder)];
    let seed = std::env::var("SEED").map_or(1, |seed| seed.parse().unwrap());
    for (name, family) in families {
        let started = std::time::Instant::now();
        let score = score(family, seed, 200);
        println!(
            "{name}: {} of {} near, far {:?}, {} too many, {} runs mean, {} most, {} steps mean, {:?}",
            score.near,
            score.cases,
            score.far,
            score.lengths,
            score.runs / 200,
            score.most,
            score.steps / 200,
            started.elapsed()
        );
    }
}
