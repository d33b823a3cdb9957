//! What a session does with a finding: tries it again, tells its shortest story, explains and saves it.

use std::time::Duration;

use super::archive::{Finding, Kind};
use super::{Session, SessionError};
use crate::bdd::OutOfNodes;
use crate::campaign::{
    Bench, Breakdown, Event, Lasso, Lassos, Observer, ROUNDS, ShrinkLimits, confirm_and_shrink,
    confirm_breakdown, confirm_lasso,
};
use crate::letter::Outline;
use crate::monitor::Keepable;
use crate::report::{Evidence, SilenceReport, SystemReport, UnconfirmedReport, ViolationReport};
use crate::system::{Silence, System, SystemError};
use crate::trace::{Loop, Recording, RequirementNumber, Step, Trace};

/// A safety game of more states is not played to say whether any system could have passed; of many requirements each state takes as
/// many times as long.
const GAME_STATES: usize = 20_000;
const FEW: usize = 4;

/// However little of its time a session has searched, a finding gets one part of it in so many; and all of them together.
const TELLING: [u32; 2] = [200, 10];

/// The file name of a breakdown; a requirement of this id does not lose its own.
const BROKEN: &str = "broken";

impl Session<'_> {
    /// Confirms, shrinks, explains and saves a violation. One that cannot be believed is not booked, and the answer is no.
    pub(super) fn book_violation(
        &mut self,
        requirement: RequirementNumber,
        trace: &[Step],
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<bool, SessionError> {
        let measured = self.specification.measured(requirement).cloned();
        let mut bench = Bench { measured, ..self.bench(system, observer) };
        let (inputs, limits) = (&self.specification.interface().inputs, self.shrink_limits());
        let begun = self.clock.elapsed();
        let confirmed = confirm_and_shrink(&mut bench, inputs, requirement, trace, limits);
        self.give_back(&mut bench, begun);
        let about = self.specification.requirement(requirement);
        let mut violation = ViolationReport {
            requirement: about.id.clone(),
            text: about.text.clone(),
            trace: trace.to_vec(),
            original_len: trace.len(),
            reproduced: (0, 0),
            runs: 1,
            no_answer: Vec::new(),
            no_system: false,
            silence: None,
            elapsed: None,
            saved: None,
            evidence: match self.judge.requirements.blame_the_end() {
                true => Evidence::Published,
                false => Evidence::Prefix,
            },
            place: self.place_of(&about.id),
            explanation: None,
        };
        self.count_tries(confirmed.extra);
        let silence = bench.system.silence();
        if confirmed.is_doubtful() {
            bench.failed.map_or(Ok(()), Err)?;
            if let Some(breakdown) = confirmed.broken {
                self.book_breakdown(breakdown, "", system, observer)?;
            }
            return Ok(false);
        }
        // Whatever becomes of the observer, what was found is saved.
        let mut told = Ok(());
        violation.trace = confirmed.trace;
        violation.reproduced = confirmed.reproduced;
        violation.elapsed = confirmed.elapsed;
        violation.silence = SilenceReport::of(silence, &violation.trace);
        if let Some(breakdown) = confirmed.broken {
            // The violation was seen; that the system broke while it was tried again does not undo it, unless
            // it turns out that its answers may have been shifted against our inputs.
            let out_of_turn = breakdown.error.is_out_of_turn();
            let during = "while confirming a violation: ";
            told = self.book_breakdown(breakdown, during, &mut *bench.system, &mut *bench.observer);
            if out_of_turn {
                return told.map(|()| true);
            }
        }
        if violation.evidence == Evidence::Prefix {
            // Without room for decision diagrams it is told without.
            violation.explanation = self.specification.explain(requirement, &violation.trace).ok().flatten();
        }
        if !self.specification.is_range(requirement)
            && let Err(full) = self.tell_of_clash(&mut violation)
        {
            let id = &violation.requirement;
            let warning = format!("failed to tell whether some answer could have kept `{id}`: {full}");
            bench.observer.on(&Event::Warning(&warning))?;
        }
        let mut notes = vec![Kind::violation_note(&violation.requirement, violation.reproduced)];
        notes.extend((!violation.text.is_empty()).then(|| violation.text.clone()));
        let finding = Finding {
            name: &violation.requirement,
            steps: &violation.trace,
            unanswered: None,
            lasso: None,
            notes,
        };
        violation.saved = self.save(&finding, &mut *bench.observer)?;
        told?;
        bench.failed.map_or(Ok(()), Err)?;
        self.entry(requirement).violated = true;
        // What was suspected is known.
        self.report.suspected.retain(|known| known.requirement != violation.requirement);
        bench.observer.on(&Event::Violation(&violation))?;
        self.report.violations.push(violation);
        Ok(true)
    }

    /// Confirms, shortens and saves a lasso: a violation where the system is known to have no more states than rounds were
    /// made, and a suspicion elsewhere; whether it is a violation.
    pub(super) fn book_lasso(
        &mut self,
        lasso: &Lasso,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<bool, SessionError> {
        let Some(long_run) = self.long_run.clone() else { return Ok(false) };
        let requirement = lasso.requirement;
        let about = self.specification.requirement(requirement);
        let is_suspected = self.report.suspected.iter().any(|known| known.requirement == about.id);
        if is_suspected && !lasso.is_sure {
            return Ok(false);
        }
        let mut bench = self.bench(system, observer);
        let original_len = lasso.stem.len() + lasso.round.len();
        let limits = self.shrink_limits();
        let begun = self.clock.elapsed();
        let confirmed = confirm_lasso(&mut bench, &long_run, lasso.clone(), limits);
        self.give_back(&mut bench, begun);
        self.count_tries(confirmed.extra);
        let Lasso { stem, round, rounds, is_sure, .. } = confirmed.lasso;
        let is_sure = is_sure && confirmed.reproduced.0 == confirmed.reproduced.1;
        let trace: Trace = stem.iter().chain(&round).copied().collect();
        let mut notes = vec![Kind::violation_note(&about.id, confirmed.reproduced)];
        notes.extend((!about.text.is_empty()).then(|| about.text.clone()));
        let lasso = Some(Loop { stem: stem.len(), rounds });
        let finding = Finding { name: &about.id, steps: &trace, unanswered: None, lasso, notes };
        let saved = self.save(&finding, &mut *bench.observer)?;
        bench.failed.map_or(Ok(()), Err)?;
        let violation = ViolationReport {
            requirement: about.id.clone(),
            text: about.text.clone(),
            original_len,
            reproduced: confirmed.reproduced,
            runs: 1,
            no_answer: Vec::new(),
            no_system: false,
            silence: None,
            elapsed: None,
            saved,
            evidence: Evidence::Lasso { stem: stem.len(), rounds },
            place: self.place_of(&about.id),
            explanation: None,
            trace,
        };
        if is_sure {
            self.report.suspected.retain(|known| known.requirement != violation.requirement);
            self.entry(requirement).violated = true;
            bench.observer.on(&Event::Violation(&violation))?;
            self.report.violations.push(violation);
        } else if !is_suspected {
            bench.observer.on(&Event::Suspected(&violation))?;
            self.report.suspected.push(violation);
        }
        Ok(is_sure)
    }

    /// Says where no run can have as many rounds as the system is said to have states.
    pub(super) fn warn_of_too_many_states(&self, observer: &mut dyn Observer) -> std::io::Result<()> {
        let states = self.settings.states.or(self.specification.system.states);
        let Some(states) = states.filter(|&states| Lassos::is_too_many(states)) else { return Ok(()) };
        let message = format!(
            "no run is as long as {states} rounds: what only a loop shows is suspected after {ROUNDS} rounds, and no violation"
        );
        observer.on(&Event::Warning(&message))
    }

    /// What a saved lasso shows when it is run again: nothing that a tester could have brought about with every system.
    pub(super) fn lassos_in(&self, recording: &Recording, trace: &[Step]) -> Vec<Lasso> {
        let (Some(long_run), Some(Loop { stem, rounds })) = (&self.long_run, recording.lasso) else {
            return Vec::new();
        };
        let round = recording.steps.len() - stem;
        // A run that was cut short between two rounds shows fewer.
        if trace.len() != stem + round * rounds as usize {
            return Vec::new();
        }
        let states = self.settings.states.or(self.specification.system.states);
        let lasso = |requirement| {
            let keepable = self.specification.keepable(requirement);
            let lasso = Lasso {
                requirement,
                stem: trace[..stem].to_vec(),
                round: trace[stem..stem + round].to_vec(),
                rounds,
                is_sure: states.is_some_and(|states| states <= rounds) && keepable == Keepable::Yes,
            };
            (keepable != Keepable::No).then_some(lasso)
        };
        long_run.shown(&mut self.judge.clone(), trace, stem, round).into_iter().filter_map(lasso).collect()
    }

    /// Notes which requirements left no answer together, and whether that could have been avoided.
    fn tell_of_clash(&self, violation: &mut ViolationReport) -> Result<(), OutOfNodes> {
        let Some(together) = self.specification.no_answer_at(&violation.trace)? else { return Ok(()) };
        let no_system = together.len() > 1 && self.has_no_system()?;
        (violation.no_system, violation.no_answer) = (no_system, self.specification.ids(&together));
        Ok(())
    }

    /// Whether no system could keep all requirements, as far as that is found out soon; it is asked once.
    fn has_no_system(&self) -> Result<bool, OutOfNodes> {
        if let Some(known) = self.no_system.get() {
            return Ok(*known);
        }
        let most = GAME_STATES * FEW / self.specification.requirements.len().max(FEW);
        let game = self.specification.realisability(most)?;
        Ok(*self.no_system.get_or_init(|| game.clash.is_some_and(|clash| !clash.avoidable)))
    }

    /// Tries a breakdown again (its error is told after what was done `during` it), finds the fewest inputs that still
    /// break the system in the same way, and saves them.
    pub(super) fn book_breakdown(
        &mut self,
        breakdown: Breakdown,
        during: &str,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<(), SessionError> {
        // A fault of the file, not a finding; but nothing that was found is lost for it.
        if let SystemError::Unmodelled { .. } = &breakdown.error
            && during.is_empty()
            && self.report.violations.is_empty()
        {
            return Err(SessionError::Unmodelled(breakdown.error.to_string()));
        }
        let mut bench = self.bench(system, observer);
        let inputs = &self.specification.interface().inputs;
        let original_len = breakdown.trace.len() + usize::from(breakdown.unanswered.is_some());
        let begun = self.clock.elapsed();
        let confirmed = confirm_breakdown(&mut bench, inputs, breakdown, self.settings.shrink);
        self.give_back(&mut bench, begun);
        self.count_tries(confirmed.extra);
        let Breakdown { error, trace, unanswered, last_words } = confirmed.breakdown;
        let notes = vec![Kind::breakdown_note(&error.to_string())];
        let taken = self.specification.requirements.iter().any(|known| known.id == BROKEN);
        let name = if taken { "broken system" } else { BROKEN };
        let finding = Finding { name, steps: &trace, unanswered, lasso: None, notes };
        // A system that does not even start has no story.
        let has_story = !trace.is_empty() || unanswered.is_some();
        let saved = if has_story { self.save(&finding, &mut *bench.observer)? } else { None };
        bench.failed.map_or(Ok(()), Err)?;
        let report = self.report.system.insert(SystemReport {
            error: format!("{during}{error}"),
            trace,
            unanswered,
            original_len,
            reproduced: confirmed.reproduced,
            stderr: last_words,
            saved,
        });
        bench.observer.on(&Event::Broken(report))?;
        Ok(())
    }

    /// Notes what looked like a violation so many times, and was none with more patience.
    pub(super) fn note_unconfirmed(
        &mut self,
        requirement: RequirementNumber,
        trace: &[Step],
        times: u64,
        silence: Option<Silence>,
    ) {
        let id = &self.specification.requirement(requirement).id;
        match self.report.unconfirmed.iter_mut().find(|known| known.requirement == *id) {
            Some(known) => known.times += times,
            None => self.report.unconfirmed.push(UnconfirmedReport {
                requirement: id.clone(),
                trace: trace.to_vec(),
                times,
                silence: SilenceReport::of(silence, trace),
            }),
        }
    }

    /// Where findings are tried again, with all that was seen there before, which is to be given back.
    fn bench<'b>(&mut self, system: &'b mut dyn System, observer: &'b mut dyn Observer) -> Bench<'b> {
        Bench {
            system,
            judge: self.judge.clone(),
            gate: self.gate.clone(),
            loans: self.loans.clone(),
            observer,
            outline: self.outline(),
            measured: None,
            past: std::mem::take(&mut self.past),
            failed: None,
        }
    }

    /// A finding was told, beginning after so much of the session.
    fn give_back(&mut self, bench: &mut Bench<'_>, begun: Duration) {
        self.past = std::mem::take(&mut bench.past);
        self.telling += self.clock.elapsed() - begun;
    }

    /// What telling the next finding may cost. Where the search goes on until its time is over, telling what was found takes
    /// no more of it than searching did: a story that could be shorter is better than one that was never found.
    fn shrink_limits(&self) -> ShrinkLimits {
        let limits = self.settings.shrink;
        let Some(whole) = self.settings.limits.time.filter(|_| self.settings.keep_going) else {
            return limits;
        };
        let searching = self.clock.elapsed().saturating_sub(self.telling);
        let [one, all] = TELLING.map(|parts| whole / parts);
        let left = (searching + all).saturating_sub(self.telling).max(one);
        ShrinkLimits { time: limits.time.min(left), ..limits }
    }

    pub(super) fn outline(&self) -> Outline {
        Outline::new(&self.specification.interface().outputs)
    }

    /// Where a requirement stands.
    fn place_of(&self, id: &str) -> Option<(String, usize)> {
        let line = self.specification.line_of_requirement(id)?;
        Some((self.specification.path.display().to_string(), line))
    }

    fn count_tries(&mut self, (runs, steps): (u64, u64)) {
        self.report.resets += runs;
        self.report.shrink_resets += runs;
        self.report.shrink_steps += steps;
    }

    /// Saves a finding; what cannot be saved is said and not lost: the report has it too.
    fn save(
        &mut self,
        finding: &Finding<'_>,
        observer: &mut dyn Observer,
    ) -> std::io::Result<Option<String>> {
        let Some(archive) = self.store.archive else { return Ok(None) };
        match archive.save(self.specification.interface(), finding, &self.store.kept) {
            Ok(path) => Ok(Some(path.display().to_string())),
            Err(error) => observer.on(&Event::Warning(&error.to_string())).map(|()| None),
        }
    }
}
