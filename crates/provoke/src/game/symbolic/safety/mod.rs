//! Whether the tester can force a violation of a circuit, whatever the system answers: the plain safety game.
//!
//! Three ways to find out, each good at what the others are bad at: forwards, state after state (`explore.rs`); clauses
//! that a SAT solver helps to learn (`learn.rs`); backwards from the violation with decision diagrams (`backwards.rs`).

mod backwards;
mod explore;
mod forest;
mod growing;
mod learn;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use backwards::Backwards;
use explore::Explore;
use growing::Growing;
use learn::Learn;

use super::diagrams::{Visit, leaves};
use crate::bdd::nodes_within;
use crate::format::aiger::{Circuit, Literal};

/// How much may be spent on an answer.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Time.
    pub time: Duration,
    /// Decision-diagram nodes at once.
    pub nodes: usize,
}

impl Effort {
    /// So much time, and what fits into so many megabytes: a third for nodes, the rest for what is remembered of
    /// operations, for moving to more room, and for the ways that need no diagrams.
    pub fn within(time: Duration, megabytes: usize) -> Effort {
        Effort { time, nodes: nodes_within(megabytes) / 3 }
    }
}

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Whether the tester can force a violation; none where the effort was not enough.
    pub can: Option<bool>,
    /// The most decision-diagram nodes that were there at once.
    pub peak_nodes: usize,
}

/// How many nodes an order of variables gets that is only tried.
const TRIED_NODES: usize = 40_000;

/// How long each of the other ways is tried at first.
const FIRST_TRY: Duration = Duration::from_millis(60);

/// One part in so many of the time is for the other ways while diagrams grow.
const SHARE: u32 = 8;

/// Solves the plain safety game of a circuit: the tester chooses inputs, then the system, which `is_systems` tells by their
/// numbers, chooses the others. A step in which a constraint does not hold wins nothing.
///
/// First each way for a moment, backwards with a few orders of variables that the circuit suggests and little room for
/// each; then backwards with the best of these orders, changing it on the way (sifting) and with more room as it is
/// needed, while the other ways go on in between.
pub fn tester_can_force(
    circuit: &Circuit,
    is_systems: &dyn Fn(usize) -> bool,
    violations: &[Literal],
    constraints: &[Literal],
    effort: Effort,
) -> Answer {
    let until = Until::new(Instant::now() + effort.time);
    let game = Plain::new(circuit, is_systems, violations, constraints);
    // Operations on diagrams go as deep as there are variables.
    let stack = (STACK_A_VARIABLE * circuit.first_gate()).clamp(1 << 23, 1 << 30);
    std::thread::scope(|scope| {
        let deep = std::thread::Builder::new().stack_size(stack);
        let spawned = deep.spawn_scoped(scope, || answer(&game, until, effort.nodes));
        match spawned.map(|thread| thread.join()) {
            Ok(Ok(found)) => found,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => Answer { can: None, peak_nodes: 0 },
        }
    })
}

/// What a thread's stack needs for each variable.
const STACK_A_VARIABLE: usize = 1 << 11;

fn answer(game: &Plain<'_>, until: Until, nodes: usize) -> Answer {
    let mut others = Others::new(game, until, nodes);
    let mut peak_nodes = 0;
    let can = others.explore(until.within(FIRST_TRY));
    let can = can.or_else(|| others.learn(until.within(FIRST_TRY)));
    let can = can.or_else(|| diagrams(game, &mut others, until, nodes, &mut peak_nodes));
    Answer { can: can.or_else(|| others.last()), peak_nodes }
}

fn diagrams(
    game: &Plain<'_>,
    others: &mut Others<'_>,
    until: Until,
    nodes: usize,
    peak: &mut usize,
) -> Option<bool> {
    let mut best: Option<(usize, Vec<usize>)> = None;
    let roots = || game.violations.iter().chain(game.constraints).copied();
    for visit in Visit::ALL {
        let backwards = Backwards::new(game, leaves(game.circuit, roots(), visit), false);
        let mut work = Growing::new(backwards.order.len(), TRIED_NODES.min(nodes), until).in_order();
        let (built, can) = backwards.solve(&mut work);
        *peak = (*peak).max(work.peak);
        if can.is_some() {
            return can;
        }
        // The first of them is the best more often than not.
        if best.as_ref().is_none_or(|(nodes, _)| built < *nodes / 2) {
            best = Some((built, backwards.order));
        }
    }
    let (_, order) = best?;
    let backwards = Backwards::new(game, order, true);
    let mut meanwhile = || others.share();
    let mut work = Growing::new(backwards.order.len(), nodes, until).asking(&mut meanwhile);
    let (_, can) = backwards.solve(&mut work);
    *peak = (*peak).max(work.peak);
    can
}

/// A time that ends, and how much of the processor's time may go by until then.
#[derive(Clone, Copy)]
struct Until {
    end: Instant,
    processor: Option<Duration>,
}

impl Until {
    fn new(end: Instant) -> Until {
        Until { end, processor: None }
    }

    fn is_over(self) -> bool {
        Instant::now() >= self.end || self.processor.is_some_and(|end| processor_time() >= end)
    }

    /// In so much time of the processor, but not later than this. On a busy machine each way gets its share all the same.
    fn within(self, time: Duration) -> Until {
        Until { processor: Some(processor_time() + time), ..self }
    }
}

/// How long the processor has worked for us.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// Who chooses what, and what is a violation.
struct Plain<'a> {
    circuit: &'a Circuit,
    /// The nodes of the tester's inputs.
    tester: Vec<usize>,
    /// The nodes of the inputs that the system chooses.
    system: Vec<usize>,
    violations: &'a [Literal],
    constraints: &'a [Literal],
}

impl<'a> Plain<'a> {
    fn new(
        circuit: &'a Circuit,
        is_systems: &dyn Fn(usize) -> bool,
        violations: &'a [Literal],
        constraints: &'a [Literal],
    ) -> Plain<'a> {
        let inputs = 0..circuit.inputs.len();
        let (system, tester): (Vec<usize>, Vec<usize>) = inputs.partition(|&at| is_systems(at));
        let nodes = |inputs: Vec<usize>| inputs.into_iter().map(|at| circuit.input(at).node()).collect();
        Plain { circuit, tester: nodes(tester), system: nodes(system), violations, constraints }
    }

    fn first_latch(&self) -> usize {
        1 + self.circuit.inputs.len()
    }

    /// The nodes of the latches.
    fn latches(&self) -> Vec<usize> {
        (self.first_latch()..self.circuit.first_gate()).collect()
    }

    /// What a literal of a latch is after the step.
    fn next(&self, latch: Literal) -> Literal {
        self.circuit.latches[latch.node() - self.first_latch()].next.negated_if(latch.is_negated())
    }

    /// Whether a literal of a latch is true at the start.
    fn initially(&self, latch: Literal) -> bool {
        let reset = self.circuit.latches[latch.node() - self.first_latch()].reset == Some(true);
        reset != latch.is_negated()
    }
}

/// The ways without diagrams, which go on from where they were.
struct Others<'a> {
    explore: Option<Explore<'a>>,
    learn: Learn<'a>,
    until: Until,
    started: Duration,
    spent: Duration,
    nodes: usize,
}

/// For each node that diagrams may have, so many bytes for states that were met.
const BYTES_A_NODE: usize = 6;

impl<'a> Others<'a> {
    fn new(game: &'a Plain<'a>, until: Until, nodes: usize) -> Others<'a> {
        let (explore, learn) = (Explore::new(game), Learn::new(game));
        Others { explore, learn, until, started: processor_time(), spent: Duration::ZERO, nodes }
    }

    fn explore(&mut self, until: Until) -> Option<bool> {
        let start = processor_time();
        let bytes = BYTES_A_NODE * self.nodes;
        let found = self.explore.as_mut().and_then(|way| way.go_on(until, bytes));
        self.spent += processor_time() - start;
        found
    }

    fn learn(&mut self, until: Until) -> Option<bool> {
        let start = processor_time();
        let found = self.learn.go_on(until, self.nodes / 16);
        self.spent += processor_time() - start;
        found
    }

    /// One after the other.
    fn each(&mut self, explore: Until, learn: Until) -> Option<bool> {
        self.explore(explore).or_else(|| self.learn(learn))
    }

    /// Goes on where less than a share of the time was spent here.
    fn share(&mut self) -> Option<bool> {
        let due = ((processor_time() - self.started) / SHARE).saturating_sub(self.spent);
        if due < FIRST_TRY {
            return None;
        }
        self.each(self.until.within(due / 2), self.until.within(due))
    }

    /// Goes on as long as there is time: nothing else does.
    fn last(&mut self) -> Option<bool> {
        let mut slice = FIRST_TRY;
        while !self.until.is_over() {
            let start = processor_time();
            let found = self.each(self.until.within(slice), self.until.within(2 * slice));
            if found.is_some() {
                return found;
            }
            if processor_time() - start < FIRST_TRY / 2 {
                // Neither has room to go on.
                return None;
            }
            slice *= 2;
        }
        None
    }
}
