//! What was learnt of the system, where the strategy learns a model of it.

use std::fmt::Write as _;

use super::{Report, count};
use crate::letter::Interface;
use crate::trace::{Step, Trace};

/// What was learnt of the system. It says how much of it was seen; it is no verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelReport {
    /// So many states it showed: each was seen to behave unlike all others.
    pub states: usize,
    /// How many states it was said to have at most, and whether it showed more.
    pub declared: Option<(u32, bool)>,
    /// Transitions that were tried, and how many there are.
    pub transitions: (usize, usize),
    /// Those beside them that are never taken: their inputs are withheld.
    pub withheld: usize,
    /// How many hypotheses were refuted.
    pub rounds: u64,
    /// Steps since something was last new.
    pub since_surprise: u64,
    /// The requirements that hold on the learnt model, by id.
    pub holds: Vec<String>,
    /// A word that was answered in two ways: the exchanges with either answer, and whether both came again.
    pub two_answers: Option<(Trace, Trace, bool)>,
    /// A word that is answered otherwise than earlier campaigns remember: the exchanges then and now. The system has changed.
    pub changed: Option<(Trace, Trace)>,
}

impl Report {
    /// The requirements that the learnt model keeps, but for those that were seen to be violated.
    pub(super) fn holding(&self) -> Vec<&str> {
        let violated = |id: &&str| self.requirements.iter().any(|known| known.id == *id && known.violated);
        let holds = self.model.iter().flat_map(|model| &model.holds).map(String::as_str);
        holds.filter(|id| !violated(id)).collect()
    }
}

impl ModelReport {
    /// Of two models the one with more states stands; a requirement holds on both or not at all.
    pub(super) fn merge(self, other: ModelReport) -> ModelReport {
        let (mut more, less) = if (other.states, other.transitions) > (self.states, self.transitions) {
            (other, self)
        } else {
            (self, other)
        };
        more.holds.retain(|id| less.holds.contains(id));
        more.two_answers = more.two_answers.or(less.two_answers);
        more.changed = more.changed.or(less.changed);
        more
    }

    /// As text for a terminal, given the requirements that it keeps and that were not violated.
    pub(super) fn to_text(&self, holds: &[&str], interface: &Interface) -> String {
        let (tried, all) = self.transitions;
        let mut text = String::new();
        if let Some((then, now)) = &self.changed {
            text.push_str(
                "the system has changed since it was remembered: what was seen before is forgotten\n",
            );
            text.push_str(&differing(then, now, interface));
        }
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "the system showed {}{}: {tried} of {all} transitions tried, {} since something was new",
            count(self.states, "state"),
            self.declared.map_or(String::new(), |(most, is_wrong)| {
                match is_wrong || self.states <= most as usize {
                    true => format!(" of at most {most}"),
                    // No contradiction: see what is counted as more.
                    false => format!(
                        " (of at most {most} by itself: what may be sent, and its end, tell more apart)"
                    ),
                }
            }),
            count(self.since_surprise, "step")
        );
        if let Some((most, true)) = self.declared {
            let _ = writeln!(
                text,
                "WARNING: it was said to have at most {}, and seems to have more: so many rounds of a lasso show nothing then",
                count(most as usize, "state")
            );
        }
        text.push_str(&withheld(self.withheld));
        if !holds.is_empty() {
            let (verb, states) =
                (if holds.len() == 1 { "holds" } else { "hold" }, count(self.states, "state"));
            let _ = writeln!(
                text,
                "{} {verb} on the learnt model of {states}; untested beyond",
                holds.join(", ")
            );
        }
        if let Some((first, second, confirmed)) = &self.two_answers {
            let again = if *confirmed { "and did so again" } else { "and never again" };
            let _ = writeln!(
                text,
                "the system answered one word in two ways, {again}: nothing is learnt beyond it"
            );
            text.push_str(&differing(first, second, interface));
        }
        text
    }
}

/// What a model does not tell since inputs are withheld; nothing where none are.
pub fn withheld(transitions: usize) -> String {
    match transitions {
        0 => String::new(),
        many => format!(
            "not among them: {} whose inputs are withheld; what only they lead to is not known\n",
            count(many, "transition")
        ),
    }
}

/// The step at which two traces differ.
fn differing(first: &[Step], second: &[Step], interface: &Interface) -> String {
    let line = |step: &Step| {
        format!("{} / {}", interface.inputs.show(step.input), interface.outputs.show(step.output))
    };
    let differs = first.iter().zip(second).position(|(one, other)| one != other);
    let place = differs.unwrap_or(first.len().saturating_sub(1));
    match (first.get(place), second.get(place)) {
        (Some(one), Some(other)) => format!("  step {}: {}, or {}\n", place + 1, line(one), line(other)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Interface;

    #[test]
    fn more_states_than_were_declared_are_explained_or_warned_of() {
        let interface = Interface::signals(["a"], ["x"]).unwrap();
        let text = |states, withheld, declared| {
            ModelReport { states, withheld, declared, ..ModelReport::default() }.to_text(&[], &interface)
        };
        assert!(text(3, 0, Some((4, false))).contains("showed 3 states of at most 4:"));
        let wrong = text(5, 0, Some((4, true)));
        assert!(wrong.contains("showed 5 states of at most 4:") && wrong.contains("WARNING"));
        let explained = text(64, 2, Some((1, false)));
        assert!(explained.contains("showed 64 states (of at most 1 by itself:"), "{explained}");
    }
}
