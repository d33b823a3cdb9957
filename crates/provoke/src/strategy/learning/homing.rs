//! Learning without any reset, within one run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Learning;
use crate::learn::{Claims, Gauge, Learnt, Patience};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::strategy::{Strategy, View};
use crate::trace::{RunEnd, Step};

/// Learns a system that is never reset: a *homing* word, whose answers tell which state it leads to, takes the place of resets.
///
/// Rivest and Schapire, "Inference of Finite Automata Using Homing Sequences" (1993): for each answer to the homing word there is
/// a learner of its own, for which the state that it leads to is the first. Where one of them sees a word answered in two ways,
/// the homing word does not home: it is made longer by that word, and learning begins anew.
///
/// Beyond that, the run as a whole is held against what was learnt: a machine from no state of which the last of it could have come is
/// wrong, and what it does not explain makes the homing word longer. What it does not explain of the beginning only, the system has
/// left for good.
pub struct Homing {
    nodes: usize,
    patience: Patience,
    gauge: Arc<Gauge>,
    home: Vec<Letter>,
    learners: BTreeMap<Vec<Letter>, Learning>,
    /// The answers to the homing word so far, or whose turn it is.
    phase: Phase,
    is_over: bool,
    last_new: u64,
    steps: u64,
    /// How many steps at the beginning of the run are not explained by what was learnt.
    unexplained: u64,
}

enum Phase {
    Home(Vec<Letter>),
    Learn { answers: Vec<Letter>, since: usize },
}

/// How long a learner may go on before the homing word is sent again.
const STEPS: u32 = 250;
/// No longer words are looked for to tell what a machine does not explain.
const LONGEST: usize = 4_096;

impl Homing {
    /// Remembers at most so many exchanges, gives up after so long without anything new, and tells how far it is.
    pub fn new(nodes: usize, patience: Patience, gauge: Arc<Gauge>) -> Homing {
        Homing {
            nodes,
            patience,
            gauge,
            home: Vec::new(),
            learners: BTreeMap::new(),
            phase: Phase::Home(Vec::new()),
            is_over: false,
            last_new: 0,
            steps: 0,
            unexplained: 0,
        }
    }

    /// The learner of the state that the homing word leads to with these answers.
    fn learner(&mut self, answers: &[Letter]) -> &mut Learning {
        let Homing { nodes, gauge, learners, .. } = self;
        let made = || Learning::new(Arc::new(Claims::default()), *nodes).watched(gauge.clone());
        learners.entry(answers.to_vec()).or_insert_with(made)
    }

    /// The one that knows most.
    fn best(&mut self) -> Option<&mut Learning> {
        self.learners.values_mut().max_by_key(|learning| {
            let learner = learning.learner();
            learner.map(|learner| (learner.hypothesis().is_complete(), learner.steps()))
        })
    }

    /// Whether what was learnt explains the run since something was last new. Where it does not, the shortest word that shows that makes
    /// the homing word longer.
    fn explains(&mut self, run: &[Step]) -> bool {
        let recent = run.len().saturating_sub((self.steps - self.last_new) as usize);
        let Some(learner) = self.best().and_then(|learning| learning.learner()) else { return true };
        if let Some(length) = learner.misfit(&run[recent..]) {
            let end = recent + length;
            let is_shown = |&length: &usize| learner.misfit(&run[end - length..end]).is_some();
            let shortest = (1..=length.min(LONGEST)).find(is_shown).unwrap_or(length);
            self.lengthen(&run[end - shortest..end]);
            return false;
        }
        let mut explained = 0;
        while let Some(length) = learner.misfit(&run[explained..]) {
            explained += length;
        }
        self.unexplained = explained as u64;
        true
    }

    /// Where the homing word does not home, it is made longer.
    fn lengthen(&mut self, word: &[Step]) {
        self.unexplained = 0;
        self.home.extend(word.iter().map(|step| step.input));
        self.learners.clear();
        self.phase = Phase::Home(Vec::new());
        self.last_new = self.steps;
    }
}

impl Strategy for Homing {
    fn begin_run(&mut self, _run: u64, _steps: u32) -> bool {
        !self.is_over
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if self.patience.is_over(self.steps, self.last_new) && self.explains(view.trace) {
            return None;
        }
        loop {
            if let Phase::Home(answers) = &self.phase {
                if let Some(&input) = self.home.get(answers.len()) {
                    return Some(input).filter(|&input| view.inputs().contains(input));
                }
                let answers = answers.clone();
                self.learner(&answers).begin_run(0, STEPS);
                self.phase = Phase::Learn { answers, since: view.trace.len() };
            }
            let Phase::Learn { answers, since } = &self.phase else { return None };
            let (answers, since) = (answers.clone(), *since);
            let inner = View { trace: &view.trace[since..], ..*view };
            if let Some(input) = self.learner(&answers).choose(&inner, rng) {
                return Some(input);
            }
            self.learner(&answers).end_run(&RunEnd::Active, &inner);
            self.phase = Phase::Home(Vec::new());
            if self.home.is_empty() && inner.trace.is_empty() {
                return None;
            }
        }
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.steps += 1;
        match &mut self.phase {
            Phase::Home(answers) => answers.push(step.output),
            Phase::Learn { answers, since } => {
                let (answers, since) = (answers.clone(), *since);
                let inner = View { trace: &now.trace[since..], ..*now };
                let learner = self.learner(&answers);
                learner.observe(step, &inner);
                let found = learner.doubts();
                let is_new = learner.learner().is_some_and(|known| known.last_surprise() == known.steps());
                if is_new {
                    self.last_new = self.steps;
                }
                if let Some(found) = found {
                    self.lengthen(&found.first);
                }
            }
        }
    }

    fn end_run(&mut self, _end: &RunEnd, _last: &View<'_>) {
        self.is_over = true;
    }

    fn memory(&self) -> usize {
        self.learners.values().map(Strategy::memory).sum()
    }

    fn learnt(&mut self) -> Option<Learnt> {
        let mut learnt = self.best()?.learnt()?;
        learnt.unexplained = self.unexplained;
        learnt.since_surprise = self.steps - self.last_new;
        learnt.is_over = self.patience.is_over(self.steps, self.last_new);
        Some(learnt)
    }
}
