//! Why a step is wrong.

/// What one requirement made of the step that violates it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The requirement's id.
    pub requirement: String,
    /// The step, from 1.
    pub step: usize,
    /// What was sent.
    pub input: String,
    /// What was answered.
    pub output: String,
    /// What would have been allowed in answer, in words; none where nothing was any more.
    pub allowed: Option<String>,
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Explanation { requirement, step, input, output, allowed } = self;
        write!(f, "{requirement} forbids {output} in answer to {input} at step {step}; ")?;
        match allowed {
            Some(allowed) => write!(f, "it would have allowed {allowed}"),
            None => write!(f, "no answer would have been right: it was lost before"),
        }
    }
}
