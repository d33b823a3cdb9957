//! Shrinking against the truth: random faulty machines that are small enough to be solved exactly.

#![allow(clippy::unwrap_used)]

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use provoke::campaign::{Budget, Limits, Oracle, ShrinkLimits, Told, shortest_story};
use provoke::letter::{Alphabet, Letter};
use provoke::rng::Rng;
use provoke::session::{Settings, test};
use provoke::specification::Specification;
use provoke::strategy::{DEFAULT, find};
use provoke::system::{Closure, SystemError};
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
    fn run(&self, inputs: &[Letter]) -> Told {
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
                None => return Told { trace, violated: true },
            }
            at = next;
        }
        Told { trace, violated: false }
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

struct InProcess<'a>(&'a Case);

impl Oracle for InProcess<'_> {
    fn try_inputs(&mut self, inputs: &[Letter]) -> Result<Told, SystemError> {
        Ok(self.0.run(inputs))
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

#[derive(Debug, Default)]
struct Score {
    cases: usize,
    /// Stories at most one step longer than the shortest.
    near: usize,
    /// Of those longer than they may be: which machine, how long, and how long the shortest is.
    far: Vec<(u64, usize, usize)>,
    runs: u64,
}

/// Shrinks random violating runs of at least ten steps of so many faulty machines.
fn score(family: fn(&mut Rng) -> Case, seed: u64, wanted: usize) -> Score {
    let mut score = Score::default();
    let limits = ShrinkLimits::default();
    let budget =
        Budget { runs: limits.candidates.into(), steps: limits.steps, time: Duration::from_secs(3600) };
    for stream in 0.. {
        let mut rng = Rng::stream(seed, stream);
        let case = family(&mut rng);
        let Some(shortest) = case.shortest() else { continue };
        let least = 10 + rng.index(240);
        let Some(trace) = case.wander(least, &mut rng).filter(|trace| trace.len() >= 10) else { continue };
        let inputs = Alphabet::labels((0..case.inputs).map(|at| at.to_string())).unwrap();
        let story = shortest_story(&trace, &inputs, &[], budget, &mut InProcess(&case));
        for told in &story.stories {
            let word: Vec<Letter> = told.iter().map(|step| step.input).collect();
            let again = case.run(&word);
            assert!(again.violated && again.trace == *told, "a story that is not true");
        }
        let best = story.stories.last().unwrap().len();
        score.cases += 1;
        score.near += usize::from(best <= shortest + 1);
        score.runs += story.runs;
        if best > (shortest + 1).max(shortest * 3 / 2) {
            score.far.push((stream, best, shortest));
        }
        if score.cases == wanted {
            break;
        }
    }
    score
}

#[test]
fn stories_are_nearly_as_short_as_can_be() {
    // For all of 200 machines each, and other seeds, set CASES and SEED.
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    let (cases, seed) = (number("CASES", 25) as usize, number("SEED", 1));
    type Family = (&'static str, fn(&mut Rng) -> Case);
    let families: [Family; 3] =
        [("random requirement", random_requirement), ("one fault", one_fault), ("ladder", ladder)];
    for (name, family) in families {
        let score = score(family, seed, cases);
        println!("{name}: {score:?}");
        assert!(score.near * 10 >= score.cases * 9 && score.far.is_empty(), "{name}: {score:?}");
    }
}

/// The lift of the examples.
#[allow(unreachable_pub)]
#[path = "../../../examples/lift/lift.rs"]
mod lift;

fn lift_step(lift: &mut lift::Lift, input: Letter) -> Letter {
    let call = (0..lift::FLOORS).find(|&floor| input.get(floor as usize)).map(|floor| floor + 1);
    let shown = lift.step(call);
    let flags = [shown.door, shown.up, shown.down];
    let at = Letter::default().with(shown.floor as usize - 1, true);
    flags.iter().zip(lift::FLOORS as usize..).fold(at, |letter, (&on, place)| letter.with(place, on))
}

/// The fewest calls, by breadth-first search, with which the lift moves with an open door.
fn shortest_lift() -> usize {
    let start = lift::Lift::new(true);
    let mut depth = HashMap::from([(start, 0)]);
    let mut open = VecDeque::from([start]);
    loop {
        let at = open.pop_front().unwrap();
        for call in std::iter::once(None).chain((1..=lift::FLOORS).map(Some)) {
            let mut next = at;
            let shown = next.step(call);
            if shown.door && (shown.up || shown.down) {
                return depth[&at] + 1;
            }
            let steps = depth[&at] + 1;
            depth.entry(next).or_insert_with(|| {
                open.push_back(next);
                steps
            });
        }
    }
}

#[test]
fn a_lift_breaks_its_doors_in_as_few_steps_as_can_be() {
    let shortest = shortest_lift();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lift/boolean.toml");
    let specification = Specification::load(&path).unwrap();
    let wanted = specification.objective("break-doors").unwrap();
    for (strategy, objectives, seed) in [
        ("uniform", vec![], 1),
        ("uniform", vec![wanted], 2),
        (DEFAULT, vec![], 3),
        (DEFAULT, vec![wanted], 4),
    ] {
        let mut system = Closure::new(|| lift::Lift::new(true), lift_step);
        let settings = Settings::new(find(strategy).unwrap(), seed);
        let report = test(&specification, &objectives, None, &mut system, &settings, &mut ()).unwrap();
        let violation = &report.violations[0];
        println!("{strategy}: {} -> {}, shortest {shortest}", violation.original_len, violation.trace.len());
        assert!(violation.trace.len() <= shortest + 1, "{strategy}, seed {seed}: {}", violation.trace.len());
    }
}

/// A requirement over three neighbouring steps: after this input with this output, and then that output, never this.
#[derive(Clone, Copy)]
struct Pattern {
    first: (usize, usize),
    then: usize,
    never: usize,
}

impl Pattern {
    fn ltl(&self) -> String {
        let Pattern { first: (input, output), then, never } = self;
        format!("G ((i{input} & o{output}) -> X (o{then} -> X !o{never}))")
    }

    /// How much of the pattern the last steps hold, one bit for the first and one for the first two; none where it
    /// is violated.
    fn next(&self, held: usize, input: usize, output: usize) -> Option<usize> {
        if held & 2 != 0 && output == self.never {
            return None;
        }
        let first = usize::from((input, output) == self.first);
        Some(first | usize::from(held & 1 != 0 && output == self.then) << 1)
    }
}

#[test]
fn whole_sessions_end_with_short_stories() {
    let (mut cases, mut near) = (0, 0);
    for stream in 0..160 {
        let mut rng = Rng::stream(7, stream);
        let (states, inputs, outputs) = (2 + rng.index(29), 2 + rng.index(15), 3);
        let system = machine(states, inputs, outputs, &mut rng);
        let first = (rng.index(inputs), rng.index(outputs));
        let pattern = Pattern { first, then: rng.index(outputs), never: rng.index(outputs) };
        let rule = |held| {
            (0..inputs).map(move |input| (0..3).map(|output| pattern.next(held, input, output)).collect())
        };
        let requirement = (0..4).map(|held| rule(held).collect()).collect();
        let case = Case { inputs, system, requirement, withheld: vec![vec![false; inputs]; 4] };
        let Some(shortest) = case.shortest() else { continue };
        let names = |letter: &str, count: usize| {
            (0..count).map(|at| format!("\"{letter}{at}\"")).collect::<Vec<_>>().join(", ")
        };
        let text = format!(
            "[labels]\ninputs = [{}]\noutputs = [{}]\n[[requirement]]\nid = \"R\"\nltl = \"{}\"\n",
            names("i", inputs),
            names("o", outputs),
            pattern.ltl()
        );
        let specification = Specification::from_text("case.toml".as_ref(), &text).unwrap();
        let table = case.system.clone();
        let mut system = Closure::new(
            || 0usize,
            move |at: &mut usize, input: Letter| {
                let (next, output) = table[*at][input.index() as usize];
                *at = next;
                Letter::from_index(output as u64)
            },
        );
        let strategy = find(["uniform", DEFAULT][stream as usize % 2]).unwrap();
        let settings =
            Settings { limits: Limits { runs: 50, ..Limits::default() }, ..Settings::new(strategy, stream) };
        let report = test(&specification, &[], None, &mut system, &settings, &mut ()).unwrap();
        let Some(violation) = report.violations.first().filter(|violation| violation.original_len >= 10)
        else {
            continue;
        };
        let (found, word) = (violation.trace.len(), violation.trace.iter().map(|step| step.input));
        let again = case.run(&word.collect::<Vec<_>>());
        assert!(again.violated && again.trace == violation.trace, "a story that is not true");
        assert!(
            found <= (shortest + 1).max(shortest * 3 / 2),
            "machine {stream}: {found} steps, {shortest} suffice"
        );
        cases += 1;
        near += usize::from(found <= shortest + 1);
    }
    println!("{near} of {cases}");
    assert!(cases >= 50 && near * 10 >= cases * 9, "{near} of {cases} are within one step");
}
