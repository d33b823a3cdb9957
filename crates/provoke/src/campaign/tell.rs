//! What a campaign tells while it runs: at the start and the end of a run, and now and then between them.

use std::io;

use super::{Campaign, Event, Observer, Outcome};
use crate::objective::Objective;
use crate::trace::RunEnd;

/// What has not been told yet.
#[derive(Debug, Default)]
pub(super) struct News {
    /// The places of what was covered.
    pub(super) covered: Vec<usize>,
    /// How many violations were told.
    violations: usize,
    /// How many steps of the run were told.
    steps: usize,
    /// How many lassos were told.
    pub(super) lassos: usize,
}

impl<O: Objective + ?Sized> Campaign<'_, O> {
    /// Says that a run begins and resets the system for it.
    pub(super) fn reset(&mut self, observer: &mut dyn Observer) -> io::Result<Option<RunEnd>> {
        let Outcome { runs, pursued, .. } = self.outcome;
        observer.on(&Event::RunStarted { run: runs, pursued, most: self.run.steps })?;
        self.news.steps = 0;
        if let Err(error) = self.system.reset() {
            return Ok(Some(self.broken(error, None)));
        }
        observer.on(&Event::Reset { steps: self.system.reset_steps() })?;
        Ok(None)
    }

    /// Tells of the steps since this was last called in this run, and of what they showed.
    #[cold]
    pub(super) fn tell_steps(&mut self, observer: &mut dyn Observer) -> io::Result<()> {
        self.tell_findings(observer)?;
        let Campaign { trace, outcome, news, .. } = &mut *self;
        let told = std::mem::replace(&mut news.steps, trace.len());
        observer.on(&Event::Steps { run: outcome.runs, trace, told, outcome })
    }

    /// Tells how a run ended, and what it showed.
    pub(super) fn tell_end(&mut self, end: RunEnd, observer: &mut dyn Observer) -> io::Result<()> {
        self.tell_findings(observer)?;
        let Campaign { trace, outcome, .. } = &*self;
        observer.on(&Event::RunEnded { run: outcome.runs, end, trace, outcome })
    }

    fn tell_findings(&mut self, observer: &mut dyn Observer) -> io::Result<()> {
        let Campaign { outcome, news, .. } = self;
        for place in news.covered.drain(..) {
            let trace = outcome.objectives[place].covered.as_deref().unwrap_or_default();
            observer.on(&Event::Covered { place, trace })?;
        }
        for (requirement, trace) in &outcome.violations[news.violations..] {
            observer.on(&Event::Found { requirement: *requirement, trace })?;
        }
        news.violations = outcome.violations.len();
        Ok(())
    }
}
