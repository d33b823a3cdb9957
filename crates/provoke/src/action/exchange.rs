//! What exchanges mean to a model program: which actions they stand for, and where these lead.

use std::sync::Arc;

use super::{Direction, Lexicon, Meaning, ModelProgram};
use crate::letter::{Conflict, Idle, Interface, Letter};
use crate::trace::Step;

/// Follows exchanges through a model program, from any of several states to any of several.
pub struct Exchanges<M: ModelProgram> {
    /// The model.
    pub model: Arc<M>,
    /// Which letters are its actions.
    pub lexicon: Lexicon<M>,
    conflict: Conflict,
}

/// What one side did in an exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed<A> {
    /// This.
    Act(A),
    /// Nothing.
    Nothing,
    /// Something that is not about this model.
    Elsewhere,
    /// What no model knows.
    Unknown,
    /// The system rejected the input.
    Refused,
}

/// Whether anything can be said of a run any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Track {
    /// The run may be in these states; where there are none, the model rejects it.
    Kept,
    /// The tester did something that some state does not enable: the system may do anything from now on.
    Lost,
}

impl<M: ModelProgram> Clone for Exchanges<M> {
    fn clone(&self) -> Exchanges<M> {
        Exchanges { model: self.model.clone(), lexicon: self.lexicon.clone(), conflict: self.conflict }
    }
}

impl<M: ModelProgram> Exchanges<M> {
    /// The exchanges of an interface as a model sees them.
    pub fn new(model: Arc<M>, interface: &Interface, idle: Idle, conflict: Conflict) -> Exchanges<M> {
        Exchanges { lexicon: Lexicon::new(&*model, interface, idle), model, conflict }
    }

    /// What both sides did.
    pub fn deeds(&mut self, step: &Step) -> (Deed<M::Action>, Deed<M::Action>) {
        let sent = self.deed(Direction::Controllable, step.input);
        (sent, self.deed(Direction::Observable, step.output))
    }

    /// What a letter of one side stands for.
    pub fn deed(&mut self, direction: Direction, letter: Letter) -> Deed<M::Action> {
        let Idle { wait, quiet, refusal } = self.lexicon.idle;
        match direction {
            Direction::Controllable if letter == wait => return Deed::Nothing,
            Direction::Observable if letter == quiet => return Deed::Nothing,
            Direction::Observable if Some(letter) == refusal => return Deed::Refused,
            _ => {}
        }
        match self.lexicon.meaning(&self.model, direction, letter) {
            Meaning::Action(action) => Deed::Act(action.clone()),
            Meaning::Foreign => Deed::Elsewhere,
            Meaning::Unknown => Deed::Unknown,
        }
    }

    /// Which action of this model an exchange stands for, if it is one for sure.
    pub fn action(&mut self, step: &Step) -> Option<M::Action> {
        if step.input == self.lexicon.idle.wait {
            if let Some(said) = self.lexicon.known(Direction::Observable, step.output) {
                return Some(said.clone());
            }
            let said = self.deed(Direction::Observable, step.output);
            return if let Deed::Act(said) = said { Some(said) } else { None };
        }
        match (self.deeds(step), self.conflict) {
            ((Deed::Act(sent), Deed::Nothing), _) => Some(sent),
            ((Deed::Act(sent), Deed::Act(_) | Deed::Elsewhere), Conflict::Input | Conflict::Answer) => {
                Some(sent)
            }
            ((_, Deed::Act(said)), _) => Some(said),
            _ => None,
        }
    }

    /// Where an exchange leads from any of these states, one after another in `to`, perhaps more than once. Nothing there
    /// means that no state allows it.
    #[inline]
    pub fn follow(&mut self, from: &[M::State], step: &Step, to: &mut Vec<M::State>) -> Track {
        to.clear();
        if let Some(track) = self.follow_one(from, step, to) {
            return track;
        }
        let (sent, said) = self.deeds(step);
        self.follow_deeds(from, &sent, &said, to)
    }

    /// The same where it is known what both sides did.
    pub fn follow_deeds(
        &self,
        from: &[M::State],
        sent: &Deed<M::Action>,
        said: &Deed<M::Action>,
        to: &mut Vec<M::State>,
    ) -> Track {
        to.clear();
        if *sent == Deed::Unknown {
            return Track::Lost;
        }
        if *said == Deed::Refused {
            self.refused(from, sent, to);
            return Track::Kept;
        }
        let is_conflict = *sent != Deed::Nothing && *said != Deed::Nothing;
        let silence = *said == Deed::Nothing && (*sent == Deed::Nothing || self.conflict == Conflict::Answer);
        match self.conflict {
            Conflict::Output if is_conflict => self.give(from, said, to),
            Conflict::Input if is_conflict => return self.take(from, sent, to),
            Conflict::Fair if is_conflict => {
                if self.take(from, sent, to) == Track::Lost {
                    return Track::Lost;
                }
                self.give(from, said, to);
            }
            _ if *said == Deed::Nothing && !silence => return self.take(from, sent, to),
            _ if *sent == Deed::Nothing => self.give(from, said, to),
            _ => {
                let mut between = Vec::new();
                if self.take(from, sent, &mut between) == Track::Lost {
                    return Track::Lost;
                }
                self.give(&between, said, to);
            }
        }
        Track::Kept
    }

    /// The same where one side does an action of this model that was met before and the other nothing, which is nearly
    /// always.
    #[inline]
    fn follow_one(&self, from: &[M::State], step: &Step, to: &mut Vec<M::State>) -> Option<Track> {
        let Exchanges { model, lexicon, conflict } = self;
        let Idle { wait, quiet, .. } = lexicon.idle;
        match (step.input == wait, step.output == quiet) {
            (false, true) if *conflict != Conflict::Answer => {
                let action = lexicon.known(Direction::Controllable, step.input)?;
                let all = from.iter().all(|state| model.steps(state, action, to));
                Some(if all { Track::Kept } else { Track::Lost })
            }
            (true, false) if Some(step.output) != lexicon.idle.refusal => {
                let action = lexicon.known(Direction::Observable, step.output)?;
                for state in from {
                    model.steps(state, action, to);
                }
                Some(Track::Kept)
            }
            _ => None,
        }
    }

    /// Where the tester's action leads.
    pub fn take(&self, from: &[M::State], deed: &Deed<M::Action>, to: &mut Vec<M::State>) -> Track {
        match deed {
            Deed::Act(action) => {
                let all = from.iter().all(|state| self.model.steps(state, action, to));
                if all { Track::Kept } else { Track::Lost }
            }
            _ => {
                to.extend_from_slice(from);
                Track::Kept
            }
        }
    }

    /// Where what the system did leads from those states that allow it.
    pub fn give(&self, from: &[M::State], deed: &Deed<M::Action>, to: &mut Vec<M::State>) {
        match deed {
            Deed::Act(action) => {
                for state in from {
                    self.model.steps(state, action, to);
                }
            }
            Deed::Nothing => to.extend(from.iter().filter_map(|state| self.model.silence(state))),
            Deed::Elsewhere => to.extend_from_slice(from),
            Deed::Unknown | Deed::Refused => {}
        }
    }

    /// The system rejected the input: it is in a state that does not enable it, if there is one.
    pub fn refused(&self, from: &[M::State], sent: &Deed<M::Action>, to: &mut Vec<M::State>) {
        let mut led = Vec::new();
        let refuses = |state: &&M::State| match sent {
            Deed::Act(action) => !self.model.steps(state, action, &mut led),
            // It rejected what was for another model; but what was not sent cannot be rejected.
            sent => *sent == Deed::Elsewhere,
        };
        to.extend(from.iter().filter(refuses).cloned());
    }
}
