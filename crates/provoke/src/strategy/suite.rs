//! Tests that were made before.

use std::sync::Arc;

use super::{Needs, Strategy, StrategyEntry, View};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::suite::Tests;
use crate::trace::{RunEnd, Step};

/// Runs the tests of a suite, one after another, each once.
///
/// A test ends with what comes first: the end of its tree, or that nothing can be violated any more, and it has passed; a violation, and it has failed; an answer that
/// is allowed but not in the tree, an input that may not be sent, or the limit of steps, and it is inconclusive.
pub struct SuiteRun {
    tests: Arc<Tests>,
    /// The test of this run, and of the next one.
    test: usize,
    next: usize,
    /// Where it is in the tree; none where it has left it.
    node: Option<usize>,
    passed: bool,
    /// Whether the next input of the test may not be sent.
    withheld: bool,
    /// The most steps of this run.
    most: usize,
}

/// The strategy that runs a suite; it is not in the catalogue, because it needs one.
pub static SUITE: StrategyEntry = StrategyEntry {
    name: "suite",
    sentence: "the tests of a suite, each once",
    source: "this project",
    options: &[],
    needs: Needs::Suite,
    build: |options| Box::new(SuiteRun::new(options.knowledge.suite.clone().unwrap_or_default())),
};

impl SuiteRun {
    /// Runs these tests.
    pub fn new(tests: Arc<Tests>) -> SuiteRun {
        SuiteRun { tests, test: 0, next: 0, node: None, passed: false, withheld: false, most: 0 }
    }
}

impl Strategy for SuiteRun {
    fn begin_run(&mut self, _run: u64, steps: u32) -> bool {
        if self.next >= self.tests.tests.len() {
            return false;
        }
        (self.test, self.node, self.passed) = (self.next, Some(0), false);
        (self.withheld, self.most) = (false, steps as usize);
        self.next += 1;
        true
    }

    fn choose(&mut self, view: &View<'_>, _rng: &mut Rng) -> Option<Letter> {
        let input = self.tests.tests[self.test][self.node?].input;
        self.withheld = !view.inputs().contains(input);
        (!self.withheld).then_some(input)
    }

    fn observe(&mut self, step: &Step, _now: &View<'_>) {
        let Some(node) = self.node.map(|node| &self.tests.tests[self.test][node]) else { return };
        let fits = |(outputs, _): &&(crate::letter::LetterSet, Option<usize>)| outputs.contains(step.output);
        // A system that talks when it likes may keep the input from being sent.
        let answer = node.answers.iter().find(fits).filter(|_| step.input == node.input);
        self.passed = matches!(answer, Some((_, None)));
        self.node = answer.and_then(|(_, to)| *to);
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        // A run ends early where nothing that comes could violate anything.
        let settled = *end == RunEnd::Active
            && self.node.is_some()
            && !self.withheld
            && (1..self.most).contains(&last.trace.len());
        match end {
            RunEnd::Violated(_) => self.tests.note_failed(),
            RunEnd::Broken => {}
            // The connection was lost, and the system begins again.
            RunEnd::Lost => self.next = self.test,
            _ if self.passed || settled => self.tests.note_passed(),
            _ => self.tests.note_inconclusive(),
        }
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }

    fn tells_states_apart(&self) -> bool {
        false
    }
}
