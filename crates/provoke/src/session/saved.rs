//! What was saved by earlier sessions is run again first.

use super::archive::{Kind, Saved};
use super::{Session, SessionError};
use crate::campaign::{Breakdown, Event, Observer, Phase, ROUNDS, Rerun, rerun_patiently};
use crate::letter::Letter;
use crate::monitor::Verdict;
use crate::system::{System, SystemError, interrupt};
use crate::trace::{Loop, Recording, RequirementNumber};

/// How often a saved violation that does not recur every time is tried.
const FLAKY_TRIES: u32 = 3;

impl Session<'_> {
    pub(super) fn replay_saved(
        &mut self,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<(), SessionError> {
        let Some(archive) = self.store.archive.filter(|_| self.store.replay) else { return Ok(()) };
        let (saved, warning) = archive.load(self.specification);
        observer.on(&Event::Phase(Phase::Saved))?;
        warning.iter().try_for_each(|warning| observer.on(&Event::Warning(warning)))?;
        for saved in saved {
            let Saved { path, kind, .. } = &saved;
            let flaky = matches!(kind, Kind::Violation { flaky: true, .. });
            let mut recurred = false;
            for _ in 0..if flaky { FLAKY_TRIES } else { 1 } {
                if self.is_over() {
                    return Ok(());
                }
                recurred = recurred || self.replay_one(&saved, system, observer)?;
            }
            let unknown = self.report.system.is_some() || interrupt::requested().is_some();
            if !recurred && !unknown && !self.clock.has_time() {
                let message = format!("there was no time to try {} to its end", path.display());
                observer.on(&Event::Warning(&message))?;
                return Ok(());
            }
            if !recurred && !unknown && flaky {
                self.report.not_this_time.push(path.display().to_string());
                self.store.kept.push(path.clone());
            } else if !recurred && !unknown && *kind == Kind::Breakdown {
                self.report.no_longer_breaks.push(path.display().to_string());
            } else if !recurred && !unknown {
                self.report.no_longer.push(path.display().to_string());
            }
        }
        Ok(())
    }

    /// The same, with as many rounds of a lasso as are asked for by now: how many states the system is said to have may be something
    /// else since it was saved.
    fn with_enough_rounds(&self, recording: &Recording) -> Recording {
        let states = self.settings.states.or(self.specification.system.states);
        let enough = |lasso: Loop| {
            let round = recording.steps.len() - lasso.stem;
            lasso.with_rounds(round, states.unwrap_or(lasso.rounds.max(ROUNDS)), ROUNDS)
        };
        Recording { lasso: recording.lasso.map(enough), ..recording.clone() }
    }

    /// Runs a saved trace once, books what it shows, and says whether that is what it was saved for.
    fn replay_one(
        &mut self,
        saved: &Saved,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<bool, SessionError> {
        let Saved { path, kind, .. } = saved;
        let recording = &self.with_enough_rounds(&saved.recording);
        let inputs: Vec<Letter> = recording.inputs().collect();
        let loans = &mut self.loans.clone().until(self.clock.end());
        let clock = &mut self.clock;
        let is_over = |made: &Rerun| made.unfair.is_some() || clock.tick() && !clock.has_time();
        let mut made = rerun_patiently(system, &mut self.judge, &mut self.gate, loans, &inputs, is_over);
        self.report.runs += 1;
        self.report.resets += 1;
        self.report.steps += (made.trace.len() + made.waited) as u64;
        if made.broken.is_none()
            && let Err(error) = system.settle()
        {
            made.broken = Some((error, None));
            made.violated.clear();
        }
        self.sound_models()?;
        let judged = self.judge.in_range(&made.trace);
        for (number, entry) in self.specification.numbers().zip(&mut self.report.requirements) {
            if self.judge.requirements.first_test(number, judged).is_some() {
                entry.triggered += 1;
                self.unsettled[number.0] |= self.judge.requirements.verdict(number) != Verdict::Satisfied;
            }
        }
        let is_wanted = |&(found, _): &(RequirementNumber, usize)| match kind {
            Kind::Violation { requirement: Some(id), .. } => self.specification.requirement(found).id == *id,
            Kind::Violation { requirement: None, .. } => true,
            Kind::Breakdown => false,
        };
        let mut recurred = made.violated.iter().any(is_wanted);
        let lassos = self.lassos_in(recording, &made.trace).into_iter().filter(|_| made.unfair.is_none());
        for lasso in lassos.collect::<Vec<_>>() {
            // What a finite run shows is told as such, and no run that shows it goes round for ever.
            if made.violated.iter().any(|&(violated, _)| violated == lasso.requirement) {
                continue;
            }
            recurred |= is_wanted(&(lasso.requirement, 0));
            let entry = self.entry(lasso.requirement);
            if !entry.violated && made.broken.is_none() {
                self.book_lasso(&lasso, system, observer)?;
            }
        }
        let broken = made.broken.filter(|(error, _)| *error != SystemError::Interrupted);
        recurred |= broken.is_some() && *kind == Kind::Breakdown;
        observer.on(&Event::Replayed { path: &path.display().to_string(), trace: &made.trace, recurred })?;
        for (requirement, _) in made.excused {
            self.entry(requirement).excused += 1;
        }
        for (requirement, place) in made.violated {
            let entry = self.entry(requirement);
            entry.violating_runs += 1;
            let story = &made.trace[..=place];
            if !entry.violated && !self.book_violation(requirement, story, system, observer)? {
                self.note_unconfirmed(requirement, story, 1, system.silence());
            }
        }
        if let Some((error, unanswered)) = broken {
            let last_words = system.last_words();
            let breakdown = Breakdown { error, trace: made.trace, unanswered, last_words };
            self.book_breakdown(breakdown, "", system, observer)?;
        }
        Ok(recurred)
    }
}
