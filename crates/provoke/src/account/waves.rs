//! Traces of an account as recordings: VCD, CSV and our text form.

use std::collections::BTreeMap;

use super::{Account, Finding};
use crate::format::recording::{Format, Lane, write};
use crate::letter::{Alphabet, AlphabetError, Interface, Kind};
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
        let (interface, trace) = self.letters(finding)?;
        let lanes: Vec<Lane<'_>> =
            finding.story.verdicts.iter().map(|(id, verdicts)| Lane { name: id, verdicts }).collect();
        Ok(write(&interface, &trace, format, &lanes))
    }

    /// The steps of a finding, and what their letters mean.
    pub(super) fn letters(&self, finding: &Finding) -> Result<(Interface, Trace), WaveError> {
        let interface = self.interface(finding)?;
        let mut trace = Trace::new();
        for (at, Exchange { input, output }) in finding.trace.iter().enumerate() {
            let error = |why: String| WaveError::Step { step: at + 1, why };
            let letter = |side: &Alphabet, text: &str| match side.as_labels() {
                Some(_) => side.label(text),
                None => side.parse_said(text),
            };
            trace.push(Step {
                input: letter(&interface.inputs, input).map_err(|why| error(why.to_string()))?,
                output: letter(&interface.outputs, output).map_err(|why| error(why.to_string()))?,
            });
        }
        Ok((interface, trace))
    }

    /// The names of the letters; of labels also those that only this trace has.
    fn interface(&self, finding: &Finding) -> Result<Interface, AlphabetError> {
        let trace = &finding.trace;
        Interface::new(
            side(
                self.labels,
                &self.inputs,
                &self.about.input_types,
                &mut trace.iter().map(|step| &step.input),
            )?,
            side(
                self.about.output_labels,
                &self.outputs,
                &self.about.output_types,
                &mut trace.iter().map(|step| &step.output),
            )?,
        )
    }
}

/// An alphabet of these names; of labels also those that were said.
fn side<'a>(
    is_labels: bool,
    names: &'a [String],
    types: &BTreeMap<String, String>,
    said: &mut dyn Iterator<Item = &'a String>,
) -> Result<Alphabet, AlphabetError> {
    if !is_labels {
        let kind = |name: &String| types.get(name).and_then(|of| Kind::declared(of)).unwrap_or(Kind::Boolean);
        return Alphabet::of_fields(names.iter().map(|name| (name.clone(), kind(name))));
    }
    let all: indexmap::IndexSet<&String> = names.iter().chain(said).collect();
    Alphabet::labels(all.into_iter().cloned())
}
