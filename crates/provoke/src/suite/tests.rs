//! A suite in letters of an interface, checked, and what came of running it.

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use super::{Suite, SuiteError, SuiteTest};
use crate::automaton::show_guard;
use crate::bdd::{Bdd, Space};
use crate::letter::{Letter, LetterSet};
use crate::ltl::{Formula, Op, parse};

/// A suite ready to be run; counts what became of its tests.
#[derive(Debug, Default)]
pub struct Tests {
    /// For each test, its nodes; the first is the root.
    pub tests: Vec<Vec<Node>>,
    passed: AtomicU64,
    failed: AtomicU64,
    inconclusive: AtomicU64,
}

/// One input, and where answers lead.
#[derive(Clone, Debug)]
pub struct Node {
    /// What is sent.
    pub input: Letter,
    /// Answers, and the place of the next node; none where the test has passed.
    pub answers: Vec<(LetterSet, Option<usize>)>,
}

/// What became of the tests of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many tests there are.
    pub tests: u64,
    /// Those that came to an end of their tree.
    pub passed: u64,
    /// Those that ended with a violation.
    pub failed: u64,
    /// Those that ended for another reason: an answer that is allowed but not in the tree, an input that may not be sent.
    pub inconclusive: u64,
}

impl Tally {
    /// What became of these and of others.
    #[must_use]
    pub fn and(self, other: Tally) -> Tally {
        Tally {
            tests: self.tests + other.tests,
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            inconclusive: self.inconclusive + other.inconclusive,
        }
    }

    /// How many were not run.
    pub fn not_run(&self) -> u64 {
        self.tests.saturating_sub(self.passed + self.failed + self.inconclusive)
    }
}

impl Tests {
    /// Reads the letters of a suite and checks that every test is a tree.
    pub fn new(suite: &Suite, space: &Space) -> Result<Tests, SuiteError> {
        let misfit = |place: &str, message: String| SuiteError::Misfit { place: place.to_owned(), message };
        let interface = space.interface();
        let sides =
            [("inputs", &suite.inputs, &interface.inputs), ("outputs", &suite.outputs, &interface.outputs)];
        for (side, named, alphabet) in sides {
            let own: Vec<&str> = alphabet.names().collect();
            if !named.iter().eq(own.iter()) {
                let message = format!(
                    "the suite was made for {}, and the specification has {}",
                    list(named.iter().map(String::as_str)),
                    list(own.iter().copied())
                );
                return Err(misfit(side, message));
            }
        }
        let mut guards = FxHashMap::default();
        let tests = suite
            .tests
            .iter()
            .enumerate()
            .map(|(at, test)| Reader { space, guards: &mut guards }.test(&format!("tests[{at}]"), test));
        Ok(Tests { tests: tests.collect::<Result<_, _>>()?, ..Tests::default() })
    }

    /// A test came to an end of its tree.
    pub fn note_passed(&self) {
        self.passed.fetch_add(1, Ordering::Relaxed);
    }

    /// A test ended with a violation.
    pub fn note_failed(&self) {
        self.failed.fetch_add(1, Ordering::Relaxed);
    }

    /// A test ended for another reason.
    pub fn note_inconclusive(&self) {
        self.inconclusive.fetch_add(1, Ordering::Relaxed);
    }

    /// What became of them so far.
    pub fn tally(&self) -> Tally {
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Tally {
            tests: self.tests.len() as u64,
            passed: count(&self.passed),
            failed: count(&self.failed),
            inconclusive: count(&self.inconclusive),
        }
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// A formula for these outputs that is read as the same set again: as people write it or, where names could be misread, one
/// proposition for each output.
pub(crate) fn written(space: &Space, outputs: &Bdd) -> String {
    let usual = show_guard(space, outputs);
    let wanted = space.output_letters(outputs);
    let reads = |text: &String| {
        let mut guards = FxHashMap::default();
        Reader { space, guards: &mut guards }.outputs(text).is_ok_and(|read| read.iter().eq(wanted.iter()))
    };
    let listed = |prefix: &str| {
        let name = |letter| format!("{prefix}{}", space.interface().outputs.show(letter));
        Formula::any_of(wanted.iter().map(|letter| Formula::proposition(name(letter)))).to_string()
    };
    let is_small = wanted.count().to_u64().is_some_and(|count| count <= MOST_LISTED);
    if !is_small || reads(&usual) {
        return usual;
    }
    [listed(""), listed("out.")].into_iter().find(reads).unwrap_or(usual)
}

/// So many outputs are listed one by one.
const MOST_LISTED: u64 = 4096;

struct Reader<'a> {
    space: &'a Space,
    /// What was read before: few guards are written many times.
    guards: &'a mut FxHashMap<String, LetterSet>,
}

impl Reader<'_> {
    fn test(&mut self, place: &str, test: &SuiteTest) -> Result<Vec<Node>, SuiteError> {
        let misfit = |place: String, message: String| SuiteError::Misfit { place, message };
        if test.nodes.is_empty() {
            return Err(misfit(format!("{place}.nodes"), "a test has at least one node".to_owned()));
        }
        let mut parents = vec![0; test.nodes.len()];
        let mut nodes = Vec::with_capacity(test.nodes.len());
        for (at, node) in test.nodes.iter().enumerate() {
            let place = format!("{place}.nodes[{at}]");
            let input = self.space.interface().inputs.parse(&node.input);
            let input = input.map_err(|error| misfit(format!("{place}.input"), error.to_string()))?;
            let mut answers = Vec::with_capacity(node.answers.len());
            for (number, answer) in node.answers.iter().enumerate() {
                let place = format!("{place}.answers[{number}]");
                let outputs = self.outputs(&answer.outputs);
                let outputs = outputs.map_err(|message| misfit(format!("{place}.outputs"), message))?;
                match answer.to {
                    Some(to) if to <= at || to >= test.nodes.len() => {
                        let message = format!("expected the place of a later node of the test, not {to}");
                        return Err(misfit(format!("{place}.to"), message));
                    }
                    Some(to) => parents[to] += 1,
                    None => {}
                }
                answers.push((outputs, answer.to));
            }
            nodes.push(Node { input, answers });
        }
        match parents.iter().enumerate().skip(1).find(|(_, parents)| **parents != 1) {
            None => Ok(nodes),
            Some((at, 0)) => {
                Err(misfit(format!("{place}.nodes[{at}]"), "no answer leads to this node".to_owned()))
            }
            Some((at, _)) => {
                Err(misfit(format!("{place}.nodes[{at}]"), "several answers lead to this node".to_owned()))
            }
        }
    }

    /// The outputs that a formula allows.
    fn outputs(&mut self, text: &str) -> Result<LetterSet, String> {
        if let Some(known) = self.guards.get(text) {
            return Ok(known.clone());
        }
        let formula = parse(text).map_err(|error| format!("{error}"))?.formula;
        let guard = &self.guard(&formula)? & self.space.valid_outputs();
        let variables = guard.support();
        if let Some(input) = variables.into_iter().find(|&variable| variable < self.space.input_bits()) {
            let name = self.space.name(false, input).unwrap_or_default();
            return Err(format!("`{name}` is an input"));
        }
        if guard.is_none() {
            return Err("no output is like this".to_owned());
        }
        let letters = self.space.output_letters(&guard);
        self.guards.insert(text.to_owned(), letters.clone());
        Ok(letters)
    }

    fn guard(&self, formula: &Formula) -> Result<Bdd, String> {
        let bdds = self.space.bdds();
        formula.fold(|formula, args: &[Result<Bdd, String>]| {
            let args: Vec<Bdd> = args.iter().cloned().collect::<Result<_, _>>()?;
            let same = |args: &[Bdd]| &(&args[0] & &args[1]) | &(&(&bdds.all() - &args[0]) - &args[1]);
            Ok(match formula.op() {
                Op::True => bdds.all(),
                Op::False => bdds.none(),
                Op::Proposition(name) => {
                    self.space.proposition(name).ok_or_else(|| format!("unknown signal `{name}`"))?
                }
                Op::Not => &bdds.all() - &args[0],
                Op::And => args.iter().fold(bdds.all(), |all, arg| &all & arg),
                Op::Or => args.iter().fold(bdds.none(), |any, arg| &any | arg),
                Op::Implies => &(&bdds.all() - &args[0]) | &args[1],
                Op::Iff => same(&args),
                Op::Xor => &bdds.all() - &same(&args),
                _ => return Err("temporal operators say nothing of one answer".to_owned()),
            })
        })
    }
}
