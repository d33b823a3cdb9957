//! Runs that go round: how violations are provoked that no finite run shows.

mod candidates;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use self::candidates::{Candidate, Candidates};
use super::Loans;
use super::rerun::{Rerun, rerun};
use super::shrink::{Bench, ShrinkLimits};
use crate::letter::Letter;
use crate::monitor::{Judge, Keepable, LongRun};
use crate::trace::{MOST_STEPS, RequirementNumber, Step, Trace};

/// How many rounds are made where nobody said how many states the system has: enough to raise a suspicion.
pub const ROUNDS: u32 = 100;

/// Probing may cost so many steps in any case.
const HEAD_START: u64 = 200;
/// Where nobody thought of it, one step for so many others; and where it was not even seen to go round.
const PARTS: [u64; 2] = [8, 16];

/// So many runs are kept until somebody asks for a probe.
const RUNS: usize = 32;

/// A run that went round, with the same answers in every round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// A requirement that is violated if this goes on for ever.
    pub requirement: RequirementNumber,
    /// The exchanges before the rounds.
    pub stem: Trace,
    /// One round.
    pub round: Trace,
    /// How many rounds were made.
    pub rounds: u32,
    /// Whether the system is said to have no more states than rounds were made, and some system could have kept the requirement:
    /// then this is a violation.
    pub is_sure: bool,
}

/// Looks for lassos between the runs of a campaign.
///
/// A probe is a run like any other, but its inputs are those of a candidate: a stem, and then one round after another. It
/// ends once enough rounds were the same or the round turns out to be harmless. Candidates come from what was seen: pieces
/// of runs that begin and end in the same place; and stems after which an obligation was open, continued by rounds through
/// the automaton of the violations and by all rounds of inputs, the shortest first.
pub struct Lassos<'a> {
    long_run: Arc<LongRun>,
    /// Whether some system could keep a requirement: one that the tester can see to that it is violated by says nothing of the system.
    keepable: Box<dyn Fn(RequirementNumber) -> Keepable + 'a>,
    /// How many equal rounds are wanted, and whether that is a bound on the system's states.
    rounds: u32,
    is_sure: bool,
    /// Requirements that are looked at.
    open: Vec<bool>,
    candidates: Candidates,
    /// Runs that were not looked at yet, the last at the end: whoever thinks of lassos itself may never ask for others.
    runs: VecDeque<Trace>,
    judge: Judge,
    watch: Option<Watch>,
    /// Steps spent on probes, and on those among them that nothing spoke for.
    spent: u64,
    blindly: u64,
    is_blind: bool,
}

impl<'a> Lassos<'a> {
    /// Looks for violations of these requirements. With a bound on the system's states what is found is sure, where some system
    /// could keep the requirement, unless it is [larger](Lassos::is_too_many) than any run can show; `rounds` are inputs that go
    /// round where a requirement is violated in the long run.
    pub fn new(
        long_run: Arc<LongRun>,
        keepable: impl Fn(RequirementNumber) -> Keepable + 'a,
        judge: Judge,
        states: Option<u32>,
        rounds: Vec<Vec<Letter>>,
    ) -> Lassos<'a> {
        let open = (0..judge.requirements.len()).map(|at| long_run.is_about(RequirementNumber(at))).collect();
        let states = states.filter(|&states| !Lassos::is_too_many(states));
        Lassos {
            long_run,
            keepable: Box::new(keepable),
            rounds: states.unwrap_or(ROUNDS).max(1),
            is_sure: states.is_some(),
            open,
            candidates: Candidates::new(rounds),
            runs: VecDeque::new(),
            judge,
            watch: None,
            spent: 0,
            blindly: 0,
            is_blind: false,
        }
    }

    /// Whether no run can show that a system of so many states goes round: not even one whose round is a single step.
    pub fn is_too_many(states: u32) -> bool {
        u64::from(most_steps(0, 1, states)) > MOST_STEPS
    }

    /// Takes a run in that was made for something else. It is looked at once a probe is to begin.
    pub(super) fn learn(&mut self, trace: &[Step], inputs: &dyn Fn() -> Vec<Letter>, steps: u64) {
        if !self.open.contains(&true) || !self.may_spend(steps) {
            return;
        }
        self.candidates.make_rounds_of(inputs);
        let mut kept =
            if self.runs.len() < RUNS { Trace::new() } else { self.runs.pop_front().unwrap_or_default() };
        kept.clear();
        kept.extend_from_slice(trace);
        self.runs.push_back(kept);
    }

    fn may_spend(&self, steps: u64) -> bool {
        self.spent <= HEAD_START + (steps - self.spent.min(steps)) / PARTS[0]
    }

    /// Begins a probe, after so many steps in all and with so many left, and says how many steps it may take.
    pub(super) fn begin(&mut self, steps: u64, left: u64) -> Option<u32> {
        if !self.open.contains(&true) || !self.may_spend(steps) {
            return None;
        }
        let Lassos { candidates, runs, judge, long_run, open, .. } = self;
        runs.drain(..).for_each(|run| candidates.learn(judge, long_run, open, &run));
        let may_be_blind = self.blindly <= HEAD_START + (steps - self.spent.min(steps)) / PARTS[1];
        let seen = self.candidates.seen();
        let is_blind = seen.is_none();
        let candidate = seen.or_else(|| if may_be_blind { self.candidates.thought_up() } else { None })?;
        let most = self.try_out(candidate, left);
        self.is_blind = is_blind;
        most
    }

    /// The same with a stem and a round that somebody thinks of.
    pub(super) fn try_out(&mut self, (stem, round): Candidate, left: u64) -> Option<u32> {
        let watch = Watch::new(self.judge.clone(), stem, round, self.rounds);
        let most = watch.most();
        if u64::from(most) > left.min(MOST_STEPS) {
            return None;
        }
        (self.watch, self.is_blind) = (Some(watch), false);
        Some(most)
    }

    /// How many steps a round of the probe takes.
    pub(super) fn round_len(&self) -> usize {
        self.watch.as_ref().map_or(0, |watch| watch.round.len())
    }

    /// The next input of the probe; none where it is over.
    pub(super) fn input(&self) -> Option<Letter> {
        self.watch.as_ref().and_then(Watch::input)
    }

    /// Takes in the answer to it: a lasso for each requirement that is violated in the long run, once that is shown.
    pub(super) fn saw(&mut self, step: &Step) -> Vec<Lasso> {
        self.spent += 1;
        self.blindly += u64::from(self.is_blind);
        let Some(watch) = &mut self.watch else { return Vec::new() };
        let shown = watch.saw(step, &self.long_run);
        let mut found = Vec::new();
        for requirement in shown {
            if std::mem::take(&mut self.open[requirement.0]) {
                let keepable = (self.keepable)(requirement);
                let lasso = watch.lasso(requirement, self.is_sure && keepable == Keepable::Yes);
                found.extend((keepable != Keepable::No).then_some(lasso));
            }
        }
        found
    }

    /// How many steps were spent on probes.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// A violation of this requirement is known.
    pub(super) fn forget(&mut self, requirement: RequirementNumber) {
        // There are none of ranges.
        if let Some(open) = self.open.get_mut(requirement.0) {
            *open = false;
        }
    }
}

/// Follows a run that is to go round.
struct Watch {
    judge: Judge,
    inputs: Vec<Letter>,
    round: Vec<Letter>,
    wanted: u32,
    trace: Trace,
    /// Where the rounds began whose answers are all the same, and how many there are.
    since: usize,
    same: u32,
    /// Where the monitors were at the end of the last round, or before the first.
    place: Vec<u32>,
    made: u32,
    /// Whether nothing is violated if it goes on like this.
    is_harmless: bool,
    is_over: bool,
}

/// A round that is harmless is given so many chances to change.
const CHANCES: u32 = 3;

fn most_steps(stem: usize, round: usize, wanted: u32) -> u32 {
    let rounds = 2 * u64::from(wanted) + u64::from(CHANCES);
    let steps = (stem as u64).saturating_add(rounds.saturating_mul(round as u64));
    u32::try_from(steps).unwrap_or(u32::MAX)
}

impl Watch {
    fn new(mut judge: Judge, stem: Vec<Letter>, round: Vec<Letter>, wanted: u32) -> Watch {
        judge.reset();
        let since = stem.len();
        let is_over = round.is_empty();
        Watch {
            place: judge.places(),
            judge,
            inputs: stem,
            round,
            wanted,
            trace: Vec::new(),
            since,
            same: 0,
            made: 0,
            is_harmless: false,
            is_over,
        }
    }

    /// The most steps it may take: where answers take a while to settle, more rounds are made than are wanted.
    fn most(&self) -> u32 {
        most_steps(self.inputs.len(), self.round.len(), self.wanted)
    }

    fn input(&self) -> Option<Letter> {
        let at = self.trace.len();
        let in_round = || self.round[(at - self.inputs.len()) % self.round.len()];
        (!self.is_over).then(|| self.inputs.get(at).copied().unwrap_or_else(in_round))
    }

    /// The requirements that are shown to be violated in the long run, once they are.
    fn saw(&mut self, step: &Step, long_run: &LongRun) -> Vec<RequirementNumber> {
        self.trace.push(*step);
        let seen = |step: &Step| step.outlined(long_run.outline());
        _ = self.judge.follow(&seen(step));
        let (stem, length) = (self.inputs.len(), self.trace.len());
        if length == stem {
            self.place = self.judge.places();
        }
        if length <= stem || !(length - stem).is_multiple_of(self.round.len()) {
            return Vec::new();
        }
        self.made += 1;
        let begin = length - self.round.len();
        let before = std::mem::replace(&mut self.place, self.judge.places());
        let is_as_before = self.same > 0 && {
            let last = self.trace[begin - self.round.len()..begin].iter().map(seen);
            self.trace[begin..].iter().map(seen).eq(last)
        };
        if is_as_before {
            self.same += 1;
        } else {
            // The first of its own kind.
            (self.since, self.same) = (begin, 1);
            let violated = long_run.violated(&self.trace[..begin], &self.trace[begin..]);
            self.is_harmless = violated.is_empty();
        }
        // What answers otherwise each time and leads elsewhere goes round nowhere.
        let changes = self.same == 1 && before != self.place;
        if (self.is_harmless || changes) && self.made >= CHANCES {
            self.is_over = true;
        }
        if self.same < self.wanted {
            return Vec::new();
        }
        self.is_over = true;
        let mut judge = self.judge.clone();
        long_run.shown(&mut judge, &self.trace, self.since, self.round.len())
    }

    fn lasso(&self, requirement: RequirementNumber, is_sure: bool) -> Lasso {
        Lasso {
            requirement,
            stem: self.trace[..self.since].to_vec(),
            round: self.trace[self.since..self.since + self.round.len()].to_vec(),
            rounds: self.wanted,
            is_sure,
        }
    }
}

/// A lasso after it was tried again.
pub struct ConfirmedLasso {
    /// The shortest that was found.
    pub lasso: Lasso,
    /// How many of the confirming runs showed it again, and how many there were.
    pub reproduced: (u32, u32),
    /// Runs and steps this took.
    pub extra: (u64, u64),
}

/// Tries a lasso again, and then shortens stem and round as long as it is still shown, within so many steps and so much time. One
/// that does not recur every time is left as it is.
pub fn confirm_lasso(
    bench: &mut Bench<'_>,
    long_run: &LongRun,
    lasso: Lasso,
    limits: ShrinkLimits,
) -> ConfirmedLasso {
    let ShrinkLimits { confirmations, steps, time, .. } = limits;
    let end = Instant::now().checked_add(time);
    let has_time = || end.is_none_or(|end| Instant::now() < end);
    let mut extra = (0, 0);
    let mut again = 0;
    for _ in 0..confirmations {
        let words = (&*inputs(&lasso.stem), &*inputs(&lasso.round));
        again += u32::from(shows(bench, long_run, &lasso, words, &mut extra, || true).is_some());
    }
    let mut best = lasso;
    if again == confirmations {
        let mut improved = true;
        while improved && extra.1 < steps && has_time() {
            improved = false;
            for (stem, round) in shorter(&inputs(&best.stem), &inputs(&best.round)) {
                if extra.1 >= steps || !has_time() {
                    break;
                }
                if let Some(found) = shows(bench, long_run, &best, (&stem, &round), &mut extra, has_time)
                    && found.stem.len() + found.round.len() < best.stem.len() + best.round.len()
                {
                    best = found;
                    improved = true;
                    break;
                }
            }
        }
    }
    ConfirmedLasso { lasso: best, reproduced: (again, confirmations), extra }
}

fn inputs(trace: &[Step]) -> Vec<Letter> {
    trace.iter().map(|step| step.input).collect()
}

/// A run looks at the clock once in so many steps.
const STRIDE: usize = 64;

/// Whether the same requirement is shown to be violated by these inputs, while there is time.
fn shows(
    bench: &mut Bench<'_>,
    long_run: &LongRun,
    like: &Lasso,
    (stem, round): (&[Letter], &[Letter]),
    extra: &mut (u64, u64),
    has_time: impl Fn() -> bool,
) -> Option<Lasso> {
    let mut watch = Watch::new(bench.judge.clone(), stem.to_vec(), round.to_vec(), like.rounds);
    let mut sent = stem.to_vec();
    while (sent.len() as u64) < u64::from(watch.most()) && !round.is_empty() {
        sent.extend_from_slice(round);
    }
    let mut shown = Vec::new();
    // What other requirements make of the run does not matter to this one.
    let violates = |made: &Rerun| made.violated.iter().any(|(violated, _)| *violated == like.requirement);
    let Bench { system, judge, gate, .. } = bench;
    // A lasso shows itself whether promises are kept.
    let made = rerun(&mut **system, judge, gate, &mut Loans::default(), &sent, |made| {
        if let Some(step) = made.trace.last() {
            shown = watch.saw(step, long_run);
        }
        let is_late = made.trace.len().is_multiple_of(STRIDE) && !has_time();
        is_late || watch.is_over || violates(made) || made.unfair.is_some()
    });
    extra.0 += 1;
    extra.1 += made.trace.len() as u64;
    let fine = made.broken.is_none() && !made.withheld && !violates(&made) && made.unfair.is_none();
    (fine && shown.contains(&like.requirement)).then(|| watch.lasso(like.requirement, like.is_sure))
}

/// Shorter stems and rounds, the shortest first where that is cheap.
fn shorter(stem: &[Letter], round: &[Letter]) -> Vec<(Vec<Letter>, Vec<Letter>)> {
    let mut all = vec![(Vec::new(), round.to_vec())];
    for length in 1..round.len() {
        all.extend((0..round.len() - length + 1).map(|at| (stem.to_vec(), round[at..at + length].to_vec())));
    }
    let mut chunk = stem.len() / 2;
    while chunk > 0 {
        for at in (0..stem.len()).step_by(chunk) {
            let rest = stem[..at].iter().chain(&stem[(at + chunk).min(stem.len())..]).copied();
            all.push((rest.collect(), round.to_vec()));
        }
        chunk /= 2;
    }
    // A stem that ends with pieces of the round.
    if let Some((_, before)) = stem.split_last() {
        all.push((before.to_vec(), round.to_vec()));
    }
    all.retain(|(other, rounds)| other.len() + rounds.len() < stem.len() + round.len());
    all
}
