//! Elements of games that are unfolded as they are met.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Cover, Element, Ground, Way};
use crate::game::unfolded::{Act, Unfolded};
use crate::game::{Game, Next, State};
use crate::letter::{Letter, LetterSet};
use crate::trace::Step;

/// The elements of model programs.
///
/// - A state is one of the programs together, also where it is only passed: between an input and the answer to it.
/// - A transition is an action in a state. Silence is one where it leads to another state.
/// - An abstract transition is what the model calls so ([`Game::transition`]).
/// - Labels are actions with their arguments, in whichever state.
pub struct Walked {
    game: Arc<Unfolded>,
    cover: Cover,
    /// An example of each abstract transition.
    examples: Mutex<FxHashMap<u64, (State, bool, Letter)>>,
}

impl Walked {
    /// The elements of a game.
    pub fn new(game: Arc<Unfolded>, cover: Cover) -> Walked {
        Walked { game, cover, examples: Mutex::default() }
    }

    /// What one action covers.
    fn covered(&self, act: &Act) -> Option<Element> {
        let Act { from, output, letter, to } = *act;
        let idle = self.game.idle();
        let is_silence = output && letter == idle.quiet;
        match self.cover {
            Cover::States => Some(Element::State(to.0)),
            _ if is_silence && from == to => None,
            Cover::Transitions => Some(Element::Act { from: from.0, output, letter: letter.index() }),
            Cover::AbstractTransitions => {
                let step = match output {
                    true => Step { input: idle.wait, output: letter },
                    false => Step { input: letter, output: idle.quiet },
                };
                let key = self.game.transition(from, &step).key;
                let mut examples = self.examples.lock().unwrap_or_else(PoisonError::into_inner);
                examples.entry(key).or_insert((from, output, letter));
                Some(Element::Abstract(key))
            }
            Cover::Labels if is_silence => None,
            Cover::Labels => Some(Element::Label { output, at: letter.index(), truth: true }),
        }
    }

    fn act_name(&self, output: bool, letter: Letter) -> String {
        let interface = self.game.interface();
        let side = if output { &interface.outputs } else { &interface.inputs };
        side.show(letter).to_string()
    }
}

impl Ground for Walked {
    fn is_finite(&self) -> bool {
        false
    }

    fn ways(&self, at: State, into: &mut Vec<Way>) -> bool {
        let (mut inputs, mut acts) = (Vec::new(), Vec::new());
        let mut all = self.game.list_inputs(at, &mut inputs);
        let bits = self.game.interface().inputs.bits();
        for input in inputs {
            let set = LetterSet::of(bits, &[input]);
            for output in self.game.outputs(at, input).iter() {
                let step = Step { input, output };
                let Next::To(to) = self.game.next(at, input, output) else { continue };
                if self.game.is_beyond(to) {
                    all = false;
                    continue;
                }
                acts.clear();
                self.game.acts(at, &step, to, &mut acts);
                let before = into.len();
                let covered = acts.iter().filter_map(|act| self.covered(act));
                into.extend(covered.map(|element| Way { inputs: set.clone(), to, element: Some(element) }));
                if into.len() == before {
                    into.push(Way { inputs: set.clone(), to, element: None });
                }
            }
        }
        all
    }

    fn here(&self, at: State, into: &mut Vec<Element>) {
        into.extend((self.cover == Cover::States).then_some(Element::State(at.0)));
    }

    fn seen(&self, from: State, step: &Step, to: State, into: &mut Vec<Element>) {
        if self.game.is_beyond(from) || self.game.is_beyond(to) {
            return;
        }
        let mut acts = Vec::new();
        self.game.acts(from, step, to, &mut acts);
        into.extend(acts.iter().filter_map(|act| self.covered(act)));
    }

    fn name(&self, element: Element) -> String {
        match element {
            Element::State(at) => self.game.state_name(State(at)),
            Element::Act { from, output, letter } => {
                let act = self.act_name(output, Letter::from_index(letter));
                format!("{act} in {}", self.game.state_name(State(from)))
            }
            Element::Abstract(key) => {
                let examples = self.examples.lock().unwrap_or_else(PoisonError::into_inner);
                match examples.get(&key) {
                    Some(&(from, output, letter)) => {
                        let act = self.act_name(output, letter);
                        format!("{act} as in {}", self.game.state_name(from))
                    }
                    None => String::new(),
                }
            }
            Element::Label { output, at, .. } => self.act_name(output, Letter::from_index(at)),
            Element::Edge { .. } | Element::Class { .. } => String::new(),
        }
    }

    /// Actions that are enabled nowhere, and labels that nothing is said with.
    fn beyond_reach(&self, is_known: &dyn Fn(Element) -> bool) -> Vec<String> {
        if self.cover != Cover::Labels {
            return Vec::new();
        }
        let idle = self.game.idle();
        let interface = self.game.interface();
        let mut missing = Vec::new();
        for (output, alphabet) in [(false, &interface.inputs), (true, &interface.outputs)] {
            let Some(labels) = alphabet.as_labels() else { continue };
            let nothing = if output { idle.quiet } else { idle.wait };
            let known = |letter: Letter| is_known(Element::Label { output, at: letter.index(), truth: true });
            let is_family = |letter: Letter, family: usize| labels.family_of(letter) == Some(family);
            for (family, name) in labels.families().enumerate() {
                if !labels.iter().any(|(letter, _)| is_family(letter, family) && known(letter)) {
                    missing.push(name.to_owned());
                }
            }
            let single = labels.iter().filter(|(letter, _)| labels.family_of(*letter).is_none());
            let idle = |letter: Letter| letter == nothing || output && Some(letter) == idle.refusal;
            let unsaid = single.filter(|(letter, _)| !idle(*letter) && !known(*letter));
            missing.extend(unsaid.map(|(_, name)| name.to_owned()));
        }
        missing
    }
}
