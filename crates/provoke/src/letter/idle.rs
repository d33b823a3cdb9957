//! Actions that need not alternate: the letters for doing nothing, and what it means when both sides do something.

use serde::Deserialize;

use super::{Interface, Letter};

/// The letters that stand for doing nothing, where inputs and outputs are actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    /// The input of a tester that waits (mu in paper 4).
    pub wait: Letter,
    /// The output of a system that is silent (delta).
    pub quiet: Letter,
    /// The output by which a system rejects an input, where it can.
    pub refusal: Option<Letter>,
}

impl Idle {
    /// What [`Idle::wait`] is called unless told otherwise.
    pub const WAIT: &str = "mu";
    /// What [`Idle::quiet`] is called unless told otherwise.
    pub const QUIET: &str = "delta";

    /// The letters of these names; nothing where the interface does not know both.
    pub fn find(interface: &Interface, wait: &str, quiet: &str, refusal: Option<&str>) -> Option<Idle> {
        let Interface { inputs, outputs } = interface;
        let outputs = outputs.as_labels()?;
        Some(Idle {
            wait: inputs.as_labels()?.find(wait)?,
            quiet: outputs.find(quiet)?,
            refusal: refusal.and_then(|name| outputs.find(name)),
        })
    }
}

/// Which actions an exchange stands for in which the tester sends something and the system says something. Where one of
/// them does nothing there is no question: it stands for what the other one does, and a wait with silence for silence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conflict {
    /// The output alone: the input was not taken (output-eager: paper 4, section 3.2).
    #[default]
    Output,
    /// The input alone: the output was taken back (input-eager).
    Input,
    /// One of the two, and nobody knows which.
    Fair,
    /// Both: the output answers the input. Silence after an input is then seen, and is an action as well.
    Answer,
}
