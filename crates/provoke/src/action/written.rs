//! A small model written down: the automaton that accepts what it allows.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Deed, Direction, Exchanges, ModelProgram, Track};
use crate::automaton::{Acceptance, Automaton, Edge, StateInfo};
use crate::bdd::{Bdd, OutOfNodes, Space};
use crate::letter::Letter;

/// A model as deterministic automata over exchanges, with a state for each set of states that a run may be in.
#[derive(Clone, Debug)]
pub struct Written {
    /// What the model allows: an exchange without an edge violates it. Where it says nothing more of a run, the automaton
    /// is in a state called `anything` that allows everything.
    pub requirement: Automaton,
    /// What the model lets the tester send, as an assumption: an input has no edge where some state that the run may be
    /// in does not enable it.
    pub environment: Automaton,
}

/// The state from which on nothing is demanded.
const ANYTHING: &str = "anything";

/// Writes a model down as [`Exchanges::follow`] follows it; nothing where a run may be in more than so many sets of states.
pub fn write_down<M: ModelProgram>(
    exchanges: &mut Exchanges<M>,
    space: &Arc<Space>,
    most: usize,
) -> Result<Option<Written>, OutOfNodes> {
    if !name_actions(exchanges, most) {
        return Ok(None);
    }
    let sides =
        [Direction::Controllable, Direction::Observable].map(|side| Side::new(exchanges, space, side));
    let mut first = exchanges.model.initials();
    let mut writer = Writer { exchanges, space, sides, beliefs: IndexSet::default() };
    writer.meet(&mut first);
    let (mut required, mut leaves) = (Vec::new(), Vec::new());
    while required.len() < writer.beliefs.len() {
        let (own, left) = writer.row(required.len());
        required.push(own);
        leaves.push(left);
        space.bdds().within_bounds()?;
        if writer.beliefs.len() > most {
            return Ok(None);
        }
    }
    let names: Vec<Option<String>> = (0..required.len()).map(|at| writer.name(at)).collect();
    let automaton = |rows: Vec<Row>, names: &mut dyn FnMut(usize) -> Option<String>| {
        let count = rows.len() as u32;
        let edge = |(guard, to): (Bdd, Option<u32>)| Edge { guard, to: to.unwrap_or(count), marks: 0 };
        let state = |(at, row): (usize, Row)| StateInfo {
            name: names(at),
            marks: 0,
            edges: row.into_iter().map(edge).collect(),
        };
        let mut states: Vec<StateInfo> = rows.into_iter().enumerate().map(state).collect();
        if states.iter().any(|state| state.edges.iter().any(|edge| edge.to == count)) {
            let edges = vec![Edge { guard: space.exchanges(), to: count, marks: 0 }];
            states.push(StateInfo { name: names(count as usize), marks: 0, edges });
        }
        Automaton { space: space.clone(), name: None, states, initial: 0, acceptance: Acceptance::All }
    };
    let anything = || {
        let taken = |name: &String| names.iter().flatten().any(|known| known == name);
        let mut name = ANYTHING.to_owned();
        while taken(&name) {
            name.push('\'');
        }
        Some(name)
    };
    let requirement = automaton(required, &mut |at| names.get(at).cloned().unwrap_or_else(anything));
    // It has no names to show: a state of the game is known by its requirements.
    let environment = automaton(leaves, &mut |_| Some(String::new()));
    space.bdds().checked(Ok(Some(Written { requirement, environment })))
}

/// Makes letters for all actions of a model; false where it has more than so many states, or more actions than letters.
fn name_actions<M: ModelProgram>(exchanges: &mut Exchanges<M>, most: usize) -> bool {
    let model = exchanges.model.clone();
    let mut states: IndexSet<M::State, FxBuildHasher> = model.initials().into_iter().collect();
    let (mut actions, mut to, mut at) = (Vec::new(), Vec::new(), 0);
    for direction in [Direction::Controllable, Direction::Observable] {
        model.known(direction, &mut actions);
        let mut known = actions.drain(..);
        if !known.all(|action| exchanges.lexicon.letter(&model, direction, &action).is_some()) {
            return false;
        }
    }
    while at < states.len() {
        let state = states[at].clone();
        at += 1;
        for direction in [Direction::Controllable, Direction::Observable] {
            model.enabled(direction, &state, &mut actions);
            for action in actions.drain(..) {
                if exchanges.lexicon.letter(&model, direction, &action).is_none() {
                    return false;
                }
                model.steps(&state, &action, &mut to);
            }
        }
        to.extend(model.silence(&state));
        states.extend(to.drain(..));
        if states.len() > most {
            return false;
        }
    }
    true
}

/// Guards, and where each leads; nowhere in particular where nothing more is said.
type Row = Vec<(Bdd, Option<u32>)>;

/// What one side may do, as sets of letters.
struct Side<A> {
    /// Every deed with a letter of its own.
    known: Vec<(Deed<A>, Bdd)>,
    /// What belongs to other models.
    elsewhere: Bdd,
    /// All the rest.
    unknown: Bdd,
}

impl<A: Clone + Eq> Side<A> {
    fn new<M: ModelProgram<Action = A>>(
        exchanges: &mut Exchanges<M>,
        space: &Space,
        direction: Direction,
    ) -> Side<A> {
        let output = direction == Direction::Observable;
        let interface = exchanges.lexicon.interface().clone();
        let (alphabet, valid) = match output {
            false => (&interface.inputs, space.valid_inputs()),
            true => (&interface.outputs, space.valid_outputs()),
        };
        let bdd = |letter: Letter| if output { space.output(letter) } else { space.input(letter) };
        let labels = alphabet.as_labels();
        let letters: Vec<Letter> =
            labels.into_iter().flat_map(|labels| labels.iter()).map(|(letter, _)| letter).collect();
        let mut known = Vec::new();
        let mut unknown = valid.clone();
        for letter in letters {
            let deed = exchanges.deed(direction, letter);
            if !matches!(deed, Deed::Elsewhere | Deed::Unknown) {
                let letters = bdd(letter);
                unknown = &unknown - &letters;
                known.push((deed, letters));
            }
        }
        let is_own = |family: &str| {
            exchanges.lexicon.symbols().iter().any(|(name, side)| name == family && *side == direction)
        };
        let families =
            labels.into_iter().flat_map(|labels| labels.families()).filter(|family| !is_own(family));
        let codes = families.filter_map(|family| alphabet.proposition(family));
        let elsewhere = codes.fold(space.bdds().none(), |sum, codes| &sum | &space.codes(output, &codes));
        // A letter for doing nothing is nobody's.
        let elsewhere = &elsewhere & &unknown;
        Side { known, unknown: &unknown - &elsewhere, elsewhere }
    }
}

struct Writer<'a, M: ModelProgram> {
    exchanges: &'a Exchanges<M>,
    space: &'a Space,
    sides: [Side<M::Action>; 2],
    /// Sets of states by their places in order of meeting, each sorted by place.
    beliefs: IndexSet<Vec<M::State>, FxBuildHasher>,
}

impl<M: ModelProgram> Writer<'_, M> {
    /// The number of a set of states; the same states in another order are the same set.
    fn meet(&mut self, states: &mut Vec<M::State>) -> u32 {
        let mut seen = rustc_hash::FxHashSet::default();
        states.retain(|state| seen.insert(state.clone()));
        states.sort_by_cached_key(super::fingerprint);
        self.beliefs.insert_full(std::mem::take(states)).0 as u32
    }

    fn name(&self, at: usize) -> Option<String> {
        let states = self.beliefs.get_index(at)?;
        let mut names: Vec<String> =
            states.iter().map(|state| self.exchanges.model.name(state)).collect::<Option<_>>()?;
        names.sort_unstable();
        Some(match &names[..] {
            [one] => one.clone(),
            several => format!("{{{}}}", several.join(",")),
        })
    }

    /// What leaves a set of states: for the system, and for the tester.
    fn row(&mut self, at: usize) -> (Row, Row) {
        let from = self.beliefs[at].clone();
        let sent = self.groups(0, &from);
        let (mut own, mut left): (Row, Row) = (Vec::new(), Vec::new());
        let mut to = Vec::new();
        for (sent, inputs, is_legal) in sent {
            // What may be said depends on where the input leads.
            let mut reach = from.clone();
            let mut taken = Vec::new();
            if self.exchanges.take(&from, &sent, &mut taken) == Track::Kept {
                reach.extend(taken);
            }
            let mut allowed = self.space.bdds().none();
            let mut led: Row = Vec::new();
            for (said, outputs, _) in self.groups(1, &reach) {
                let next = match self.exchanges.follow_deeds(&from, &sent, &said, &mut to) {
                    Track::Lost => None,
                    Track::Kept if to.is_empty() => continue,
                    Track::Kept => Some(self.meet(&mut to)),
                };
                allowed = &allowed | &outputs;
                add(&mut led, outputs, next);
            }
            let both = |guard: &Bdd| guard & &inputs;
            if is_legal {
                led.iter().for_each(|(guard, to)| add(&mut left, both(guard), *to));
                // What the system does wrong is not the tester's fault.
                add(&mut left, both(&(self.space.valid_outputs() - &allowed)), None);
            }
            led.iter().for_each(|(guard, to)| add(&mut own, both(guard), *to));
        }
        (own, left)
    }

    /// The deeds of one side that mean different things to these states, each with its letters and whether the tester may
    /// do it: what no state enables is all the same.
    fn groups(&self, side: usize, states: &[M::State]) -> Vec<(Deed<M::Action>, Bdd, bool)> {
        let Side { known, elsewhere, unknown } = &self.sides[side];
        let mut groups: Vec<(Deed<M::Action>, Bdd, bool)> = Vec::new();
        let mut disabled: Option<(Deed<M::Action>, Bdd)> = None;
        let (model, mut to) = (&self.exchanges.model, Vec::new());
        for (deed, letters) in known {
            let Deed::Act(action) = deed else {
                groups.push((deed.clone(), letters.clone(), true));
                continue;
            };
            let enabled = states.iter().filter(|state| model.steps(state, action, &mut to)).count();
            to.clear();
            match &mut disabled {
                _ if enabled > 0 => groups.push((deed.clone(), letters.clone(), enabled == states.len())),
                Some((_, all)) => *all = &*all | letters,
                None => disabled = Some((deed.clone(), letters.clone())),
            }
        }
        groups.extend(disabled.map(|(deed, letters)| (deed, letters, false)));
        groups.push((Deed::Elsewhere, elsewhere.clone(), true));
        groups.push((Deed::Unknown, unknown.clone(), false));
        groups.retain(|(_, letters, _)| !letters.is_none());
        groups
    }
}

fn add(row: &mut Row, guard: Bdd, to: Option<u32>) {
    match row.iter_mut().find(|(_, known)| *known == to) {
        _ if guard.is_none() => {}
        Some((known, _)) => *known = &*known | &guard,
        None => row.push((guard, to)),
    }
}
