//! Which steps put a requirement to the test.

use crate::automaton::{Automaton, Table, Verdict};
use crate::bdd::Bdd;

/// Automata of more states are not compared state by state.
const STATES: usize = 24;

/// The exchanges that put a requirement to the test, state by state; nothing where none ever does.
///
/// Some answer to the input would have violated it or left an obligation open, or the answer that came opened one: it
/// leaves fewer continuations than another would have. Where some inputs ask for an answer and others do not (all answers to
/// these leave the same), one that asks is a test even when it is answered at once.
pub(super) fn tests(automaton: &Automaton, verdicts: &[Verdict]) -> Option<Table> {
    let space = &automaton.space;
    let compared = Compared::new(automaton);
    let testing = |at: u32| {
        let edges = &automaton.states[at as usize].edges;
        let open = edges.iter().filter(|edge| verdicts[edge.to as usize] == Verdict::SoFarBad);
        let wrong = open.fold(&space.exchanges() - &automaton.allowed(at), |sum, edge| &sum | &edge.guard);
        let mut testing = space.some_output(&wrong);
        let (mut opening, mut asking) = (space.bdds().none(), space.bdds().none());
        for opened in edges {
            for other in edges.iter().filter(|other| compared.is_stricter(opened.to, other.to)) {
                let inputs = space.some_output(&other.guard);
                opening = &opening | &(&opened.guard & &inputs);
                asking = &asking | &(&space.some_output(&opened.guard) & &inputs);
            }
        }
        if !space.valid_inputs().is_within(&asking) {
            testing = &testing | &asking;
        }
        &(&testing & &space.exchanges()) | &opening
    };
    let rows: Vec<Bdd> = (0..automaton.states.len() as u32).map(testing).collect();
    if rows.iter().all(Bdd::is_none) {
        return None;
    }
    Some(Table::new(space, rows.iter().map(|testing| (!testing.is_none()).then_some((testing, 0)))))
}

/// Which states allow all that others allow.
struct Compared {
    states: usize,
    /// For each pair of states, whether the first allows nothing that the second does not; empty where there are too
    /// many states.
    within: Vec<bool>,
}

impl Compared {
    fn new(automaton: &Automaton) -> Compared {
        let states = automaton.states.len();
        if states > STATES {
            return Compared { states, within: Vec::new() };
        }
        let allowed: Vec<Bdd> = (0..states as u32).map(|at| automaton.allowed(at)).collect();
        let pair = |first: usize, second: usize| first * states + second;
        let mut within: Vec<bool> =
            (0..states * states).map(|at| allowed[at / states].is_within(&allowed[at % states])).collect();
        // For each pair, the pairs that one exchange leads to.
        let next = |at: usize| {
            let (first, second) = (&automaton.states[at / states], &automaton.states[at % states]);
            let meets = first.edges.iter().flat_map(|edge| {
                let both = second.edges.iter().filter(|other| other.guard.meets(&edge.guard));
                both.map(|other| pair(edge.to as usize, other.to as usize))
            });
            meets.collect::<Vec<_>>()
        };
        let next: Vec<Vec<usize>> = (0..states * states).map(next).collect();
        loop {
            let wrong = (0..within.len()).filter(|&at| within[at] && next[at].iter().any(|&to| !within[to]));
            let wrong: Vec<usize> = wrong.collect();
            if wrong.is_empty() {
                return Compared { states, within };
            }
            wrong.into_iter().for_each(|at| within[at] = false);
        }
    }

    /// Whether the first state allows less than the second. Where that would be too costly to tell, any other state will do.
    fn is_stricter(&self, first: u32, second: u32) -> bool {
        let (first, second) = (first as usize, second as usize);
        match self.within.is_empty() {
            true => first != second,
            false => self.within[first * self.states + second] && !self.within[second * self.states + first],
        }
    }
}
