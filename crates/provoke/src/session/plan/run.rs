//! Runs a plan here, one attempt after another.

use std::path::PathBuf;

use super::{Attempt, Plan, PlanError};
use crate::campaign::Observer;
use crate::report::Report;
use crate::session::{Archive, Settings, Store, test_with};
use crate::specification::{Fingerprint, Objective, Specification};
use crate::system::{System, interrupt};

/// Where a plan is run.
pub struct Here<'a> {
    /// What must hold.
    pub specification: &'a Specification,
    /// What is tested.
    pub system: &'a mut dyn System,
    /// Where findings are kept; none for keeping none.
    pub archive: Option<&'a Archive>,
    /// Is told what happens.
    pub observer: &'a mut dyn Observer,
}

/// What came of one attempt.
#[derive(Clone, Debug)]
pub struct AttemptReport {
    /// The specification it is about.
    pub specification: Fingerprint,
    /// What was found.
    pub report: Report,
}

impl Plan {
    /// Whether every attempt can be run with this specification; what is wrong with the first that cannot.
    pub fn check(&self, specification: &Specification) -> Result<(), PlanError> {
        self.ready(specification).map(drop)
    }

    fn ready<'a>(
        &self,
        specification: &'a Specification,
    ) -> Result<Vec<(Settings, Vec<&'a Objective>)>, PlanError> {
        let ready = |(at, attempt): (usize, &Attempt)| attempt.ready(at + 1, specification);
        self.attempts.iter().enumerate().map(ready).collect()
    }

    /// Runs all attempts here, one after another, and merges their reports; see [`Report::merge`]. What is wrong with any
    /// of them is said before the first begins.
    ///
    /// Traces saved by earlier sessions are run again once, by the first attempt. A finding of one attempt does not
    /// replace what another one saved. Only an interrupt keeps later attempts from being run.
    pub fn run(&self, here: &mut Here<'_>) -> Result<Report, PlanError> {
        let ready = self.ready(here.specification)?;
        let mut kept: Vec<PathBuf> = Vec::new();
        let mut whole: Option<Report> = None;
        for (settings, objectives) in &ready {
            if whole.is_some() && interrupt::requested().is_some() {
                break;
            }
            let store = Store { archive: here.archive, replay: whole.is_none(), kept: kept.clone() };
            let Here { specification, system, observer, .. } = &mut *here;
            let report =
                test_with(specification, objectives, store, &mut **system, settings, &mut **observer)?;
            let violations = report.violations.iter().flat_map(|violation| &violation.saved);
            let broken = report.system.iter().flat_map(|system| &system.saved);
            kept.extend(violations.chain(broken).map(PathBuf::from));
            whole = Some(match whole {
                Some(before) => before.merge(report),
                None => report,
            });
        }
        whole.ok_or(PlanError::Empty)
    }
}

impl Attempt {
    /// Runs this attempt alone. Traces saved by earlier sessions are run again first.
    pub fn run(&self, here: &mut Here<'_>) -> Result<AttemptReport, PlanError> {
        let (settings, objectives) = self.ready(1, here.specification)?;
        let Here { specification, system, archive, observer } = here;
        let store = Store { archive: *archive, replay: true, kept: Vec::new() };
        let report = test_with(specification, &objectives, store, &mut **system, &settings, &mut **observer)?;
        Ok(AttemptReport { specification: self.specification, report })
    }

    /// What it means for this specification.
    fn ready<'a>(
        &self,
        place: usize,
        specification: &'a Specification,
    ) -> Result<(Settings, Vec<&'a Objective>), PlanError> {
        if self.specification != specification.fingerprint {
            return Err(PlanError::OtherSpecification {
                attempt: place,
                path: specification.path.display().to_string(),
                found: specification.fingerprint,
                wanted: self.specification,
            });
        }
        Ok((self.settings(specification)?, self.objectives(specification)?))
    }
}

impl AttemptReport {
    /// The reports of all attempts as one; none where there is none, or where they are about different specifications.
    pub fn merge(reports: impl IntoIterator<Item = AttemptReport>) -> Option<AttemptReport> {
        let mut reports = reports.into_iter();
        let first = reports.next()?;
        reports.try_fold(first, |AttemptReport { specification, report }, other| {
            let same = specification == other.specification;
            same.then(|| AttemptReport { specification, report: report.merge(other.report) })
        })
    }
}
