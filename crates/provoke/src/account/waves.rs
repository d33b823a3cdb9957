//! Traces of an account as recordings: VCD, CSV and our text form.

use super::{Account, Finding};
use crate::format::recording::{Format, Lane, write};
use crate::letter::{Alphabet, AlphabetError, Interface};
use crate::session::Exchange;
use crate::trace::{Step, Trace};

/// Why a trace of a log cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaveError {
    /// There is none.
    #[error("there is no trace: nothing was found")]
    Nothing,
    /// The names in it cannot be used.
    #[error("failed to read the names of the log: {0}")]
    Names(#[from] AlphabetError),
    /// A step does not fit the names.
    #[error("failed to read step {step} of the log: {why}")]
    Step {
        /// The step, from 1.
        step: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl Account {
    /// A finding as a recording, with a lane for each requirement's verdict where the form has room for it.
    pub fn recording(&self, finding: &Finding, format: Format) -> Result<String, WaveError> {
        let interface = self.interface(finding)?;
        let mut trace = Trace::new();
        for (at, Exchange { input, output }) in finding.trace.iter().enumerate() {
            let error = |why: String| WaveError::Step { step: at + 1, why };
            let letter = |side: &Alphabet, text: &str| match side.as_labels() {
                Some(_) => side.label(text),
                None => side.parse(text),
            };
            trace.push(Step {
                input: letter(&interface.inputs, input).map_err(|why| error(why.to_string()))?,
                output: letter(&interface.outputs, output).map_err(|why| error(why.to_string()))?,
            });
        }
        let lanes: Vec<Lane<'_>> =
            finding.story.verdicts.iter().map(|(id, verdicts)| Lane { name: id, verdicts }).collect();
        Ok(write(&interface, &trace, format, &lanes))
    }

    /// The names of the letters; of labels also those that only this trace has.
    fn interface(&self, finding: &Finding) -> Result<Interface, AlphabetError> {
        let trace = &finding.trace;
        Interface::new(
            side(self.labels, &self.inputs, &mut trace.iter().map(|step| &step.input))?,
            side(self.about.output_labels, &self.outputs, &mut trace.iter().map(|step| &step.output))?,
        )
    }
}

/// An alphabet of these names; of labels also those that were said.
fn side<'a>(
    is_labels: bool,
    names: &'a [String],
    said: &mut dyn Iterator<Item = &'a String>,
) -> Result<Alphabet, AlphabetError> {
    if !is_labels {
        return Alphabet::signals(names.to_vec());
    }
    let all: indexmap::IndexSet<&String> = names.iter().chain(said).collect();
    Alphabet::labels(all.into_iter().cloned())
}
