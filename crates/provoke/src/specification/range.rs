//! The implicit requirements: that every answer is within the range that was declared for it.

use std::sync::Arc;

use super::formula::{self, Unusable};
use super::{Requirement, Specification};
use crate::bdd::Space;
use crate::letter::Field;
use crate::ltl::Formula;
use crate::report::Explanation;
use crate::trace::{RequirementNumber, Step, in_range};

/// One for each output that has a range. Their monitors see letters, and so never object: what is no letter is told by
/// the [`Judge`](crate::monitor::Judge).
pub(super) fn requirements(space: &Arc<Space>) -> Result<Vec<Requirement>, Unusable> {
    let outputs = &space.interface().outputs;
    let one = |field: &Field| {
        let text =
            format!("Every answer gives `{}` a value that was declared: {}.", field.name(), field.values());
        Ok(Requirement {
            id: field.range_id(),
            text,
            demand: formula::demand(Formula::constant(true), space)?,
        })
    };
    outputs.ranged().filter(|_| outputs.can_stray()).map(|(_, field)| one(field)).collect()
}

impl Specification {
    /// The ranges that the first answer of a run that is out of range does not keep; none where all are kept.
    pub fn out_of_range(&self, trace: &[Step]) -> Vec<RequirementNumber> {
        let outputs = &self.interface().outputs;
        let Some(step) = trace.get(in_range(outputs, trace).len()) else { return Vec::new() };
        let astray = outputs.strayed(step.output);
        let broken =
            outputs.ranged().enumerate().filter(|(_, (at, _))| astray.iter().any(|(known, _)| known == at));
        broken.map(|(at, _)| RequirementNumber(self.requirements.len() + at)).collect()
    }

    /// Why the last step of a run is out of range, where that is what it is said to be.
    pub(super) fn explain_range(&self, number: RequirementNumber, trace: &[Step]) -> Option<Explanation> {
        let (inputs, outputs) = (&self.interface().inputs, &self.interface().outputs);
        let (_, field) = outputs.ranged().nth(number.0.checked_sub(self.requirements.len())?)?;
        let last = trace.last()?;
        Some(Explanation {
            requirement: field.range_id(),
            step: trace.len(),
            input: inputs.show(last.input).to_string(),
            output: outputs.show(last.output).to_string(),
            allowed: Some(format!("{} as `{}`", field.values(), field.name())),
        })
    }
}
