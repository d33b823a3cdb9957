//! What was seen while earlier findings were told, for the next one.

use super::story::Told;
use crate::campaign::Loans;
use crate::campaign::rerun::judged;
use crate::monitor::Judge;
use crate::trace::{RequirementNumber, Trace};

/// No more exchanges are kept.
const MOST_STEPS: usize = 1 << 17;

/// The runs that were made on a system to confirm and shorten what was found. Findings of one session are about one system:
/// what it answered when the last of them was told need not be asked again for the next.
#[derive(Clone, Debug, Default)]
pub struct Past {
    runs: Vec<Trace>,
    steps: usize,
}

impl Past {
    /// Keeps a run, as long as there is room.
    pub(super) fn keep(&mut self, run: &Trace) {
        if self.steps + run.len() <= MOST_STEPS {
            self.steps += run.len();
            self.runs.push(run.clone());
        }
    }

    /// The first so many steps of each run, as far as they count for a requirement.
    pub(super) fn told(
        &self,
        judge: &Judge,
        loans: &mut Loans,
        requirement: RequirementNumber,
        length: usize,
    ) -> Vec<Told> {
        let mut wanted = judge.clone();
        (0..judge.len()).map(RequirementNumber).filter(|other| *other != requirement).for_each(|other| {
            wanted.retire(other);
        });
        let mut tell = |run: &Trace| {
            let made = judged(&mut wanted, &run[..run.len().min(length)]);
            match (made.violation_of(requirement), made.unfair) {
                // Whether this one counts is not known without waiting for what comes after it.
                (Some(story), _) if loans.are_open_after(judge, story) => {
                    Told { trace: story[..story.len() - 1].to_vec(), violated: false }
                }
                (Some(story), unfair) if unfair.is_none_or(|unfair| story.len() <= unfair) => {
                    Told { trace: story.to_vec(), violated: true }
                }
                (_, unfair) => {
                    let counts = unfair.unwrap_or(made.trace.len());
                    Told { trace: made.trace[..counts].to_vec(), violated: false }
                }
            }
        };
        self.runs.iter().map(&mut tell).collect()
    }
}
