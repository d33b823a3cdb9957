//! What became of one requirement.

/// What became of one requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequirementReport {
    /// Its id.
    pub id: String,
    /// Whether it was violated.
    pub violated: bool,
    /// Runs of the campaigns that violated it.
    pub violating_runs: u64,
    /// Runs that would have violated it, but for a promise that was in the hands of the system by then and that it did not keep.
    pub excused: u64,
    /// Whether some step put it to the test: an answer could have violated it, or left an obligation open.
    pub tested: bool,
    /// Runs in which some step put it to the test.
    pub triggered: u64,
    /// What to make of all runs.
    pub judgement: Judgement,
    /// Whether it was monitored only, because the guiding game would have become too large.
    pub left_out: bool,
    /// Inputs that were never sent because of it, and when.
    pub withholds: Vec<String>,
}

/// What all runs together say of one requirement. Of two sessions, the greater stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// No run put it to the test.
    NeverTriggered,
    /// Every run that put it to the test satisfied it for good.
    Satisfied,
    /// Nothing was wrong, but a longer run could still have violated it.
    SoFarGood,
    /// It was not violated; an obligation was still open when a run ended, for at most so many steps.
    Pending(u32),
    /// It was violated.
    Violated,
}

impl Judgement {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::NeverTriggered => "never_triggered",
            Judgement::Satisfied => "satisfied",
            Judgement::SoFarGood => "so_far_good",
            Judgement::Pending(_) => "pending",
            Judgement::Violated => "violated",
        }
    }

    /// For how many steps an obligation had been open.
    pub fn age(self) -> Option<u32> {
        match self {
            Judgement::Pending(age) => Some(age),
            _ => None,
        }
    }
}
