//! A labelled transition system as the system under test: it chooses at random among what it may do.

use std::path::Path;

use super::{Ending, Phase, System, SystemError};
use crate::action::Steps;
use crate::diagnostic::{Source, SpecError};
use crate::format::lts::{Label, Lts, Words};
use crate::letter::{Conflict, Idle, Interface, Letter};
use crate::rng::Rng;

/// The most internal steps between two answers. A system that goes on longer is as good as silent.
const MOST_INTERNAL: usize = 10_000;

/// A transition system that answers our inputs, choosing with equal odds among the transitions that are possible.
///
/// An input races what the system does by itself: it is one more transition among the others. Where it wins, the answer is
/// silence; where an output wins, that is the answer, and the input was not taken. A conflict that is decided for the input
/// lets it win always; one in which outputs answer inputs takes the input first, and then waits for an output.
#[derive(Clone, Debug)]
pub struct Wandering {
    steps: Steps,
    initial: u32,
    at: u32,
    inputs: Vec<Letter>,
    outputs: Vec<Letter>,
    /// Whether silence is written down.
    given: bool,
    idle: Idle,
    conflict: Conflict,
    rng: Rng,
}

/// What happened.
enum Event {
    Said(Letter),
    Silent,
    Taken,
    /// It can do nothing, and does not take the input.
    Refused,
}

impl Wandering {
    /// Reads a transition system over an interface. Inputs must be possible everywhere, if only after internal steps, unless
    /// there is a letter to refuse them with.
    pub fn read(
        path: &Path,
        interface: &Interface,
        words: &Words<'_>,
        idle: Idle,
        conflict: Conflict,
        seed: u64,
    ) -> Result<Wandering, SpecError> {
        let source = Source::read(path)?;
        let lts = Lts::read(&source, words)?;
        let made = Wandering::new(&lts, interface, idle, conflict, seed);
        made.map_err(|(state, message, help)| {
            let place = lts.transitions.iter().find(|one| Some(one.from) == state || Some(one.to) == state);
            match place {
                Some(place) => source.error(place.span.clone(), message),
                None => SpecError::whole(&source, format!("{}: {message}", source.name)),
            }
            .help(help)
        })
    }

    fn new(
        lts: &Lts,
        interface: &Interface,
        idle: Idle,
        conflict: Conflict,
        seed: u64,
    ) -> Result<Wandering, (Option<u32>, String, String)> {
        let full =
            |error: crate::letter::LetterError| (None, error.to_string(), "use fewer labels".to_owned());
        let letter = |side: &crate::letter::Alphabet, name: &String| side.label(name).map_err(full);
        let inputs: Vec<Letter> =
            lts.inputs.iter().map(|name| letter(&interface.inputs, name)).collect::<Result<_, _>>()?;
        let outputs =
            lts.outputs.iter().map(|name| letter(&interface.outputs, name)).collect::<Result<_, _>>()?;
        let steps = Steps::of(lts);
        if idle.refusal.is_none()
            && let Some((state, input)) = missing(lts, &steps, &inputs, interface, idle)
        {
            let name = &lts.states[state as usize];
            let message = format!(
                "state `{name}` does not take the input `{input}`, and a system takes every input everywhere"
            );
            let help = format!(
                "add a transition `?{input}`, or name the label by which it refuses inputs: refusal = \"...\" in [system.protocol]"
            );
            return Err((Some(state), message, help));
        }
        let given = lts.transitions.iter().any(|one| one.label == Label::Quiet);
        let (initial, at, rng) = (lts.initial, lts.initial, Rng::stream(seed, STREAM));
        Ok(Wandering { steps, initial, at, inputs, outputs, given, idle, conflict, rng })
    }

    /// Goes on until something happens that can be seen; an input that is not taken is waiting to be.
    fn go_on(&mut self, input: Option<Letter>) -> Event {
        for _ in 0..MOST_INTERNAL {
            let is_wanted = |label: &Label| match label {
                Label::Input(at) => Some(self.inputs[*at as usize]) == input,
                Label::Output(_) | Label::Quiet => true,
                Label::Internal => false,
            };
            let internal = self.steps.internal(self.at);
            let visible: Vec<(Label, u32)> =
                self.steps.visible(self.at).iter().filter(|(label, _)| is_wanted(label)).copied().collect();
            let rests = !self.given && self.steps.quiescent(self.at);
            let takes = visible.iter().any(|(label, _)| matches!(label, Label::Input(_)));
            if rests && !takes && (input.is_none() || internal.is_empty()) {
                return if input.is_none() { Event::Silent } else { Event::Refused };
            }
            let eager = takes && self.conflict != Conflict::Output && self.conflict != Conflict::Fair;
            let visible: Vec<(Label, u32)> = match eager {
                true => visible.into_iter().filter(|(label, _)| matches!(label, Label::Input(_))).collect(),
                false => visible,
            };
            let internal = if eager { &[][..] } else { internal };
            match (internal.len(), visible.len()) {
                (0, 0) => return if input.is_none() { Event::Silent } else { Event::Refused },
                (hidden, seen) => {
                    let at = self.rng.index(hidden + seen);
                    if at < hidden {
                        self.at = internal[at];
                        continue;
                    }
                    let (label, to) = visible[at - hidden];
                    // With an input under way, nobody sees that it was silent before.
                    if label == Label::Quiet && input.is_some() && takes {
                        continue;
                    }
                    self.at = to;
                    return match label {
                        Label::Output(at) => Event::Said(self.outputs[at as usize]),
                        Label::Quiet if input.is_none() => Event::Silent,
                        Label::Quiet => Event::Refused,
                        Label::Input(_) | Label::Internal => Event::Taken,
                    };
                }
            }
        }
        if input.is_none() { Event::Silent } else { Event::Refused }
    }
}

/// The stream of the campaign's random numbers that is the system's own.
const STREAM: u64 = 0x5a5a;

/// A state that can be reached and an input that it does not take, not even after internal steps.
fn missing(
    lts: &Lts,
    steps: &Steps,
    own: &[Letter],
    interface: &Interface,
    idle: Idle,
) -> Option<(u32, String)> {
    let labels = interface.inputs.as_labels()?;
    let inputs: Vec<(Letter, &str)> = labels.iter().filter(|(letter, _)| *letter != idle.wait).collect();
    let mut reached = vec![false; lts.states.len()];
    reached[lts.initial as usize] = true;
    let mut open = vec![lts.initial];
    let mut seen = vec![false; lts.states.len()];
    while let Some(state) = open.pop() {
        let mut near = vec![state];
        steps.close(&mut near, &mut seen);
        let takes = |letter: Letter| {
            let is_it =
                |(label, _): &(Label, u32)| matches!(label, Label::Input(at) if own[*at as usize] == letter);
            near.iter().any(|&state| steps.visible(state).iter().any(is_it))
        };
        if let Some((_, name)) = inputs.iter().find(|(letter, _)| !takes(*letter)) {
            return Some((state, (*name).to_owned()));
        }
        let visible = steps.visible(state).iter().map(|(_, to)| *to);
        for to in visible.chain(steps.internal(state).iter().copied()) {
            if !std::mem::replace(&mut reached[to as usize], true) {
                open.push(to);
            }
        }
    }
    None
}

impl System for Wandering {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.at = self.initial;
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let sent = (input != self.idle.wait).then_some(input);
        match self.go_on(sent) {
            Event::Said(output) => Ok(output),
            Event::Silent => Ok(self.idle.quiet),
            Event::Taken if self.conflict == Conflict::Answer => match self.go_on(None) {
                Event::Said(output) => Ok(output),
                _ => Ok(self.idle.quiet),
            },
            Event::Taken => Ok(self.idle.quiet),
            Event::Refused => self.idle.refusal.ok_or_else(|| {
                let how = Ending::Failed("it does not take this input".into());
                SystemError::Gone { during: Phase::Step, how }
            }),
        }
    }
}
