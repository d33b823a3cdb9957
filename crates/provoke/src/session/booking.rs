//! What a session writes into its report.

use super::{Session, Settings};
use crate::bdd::OutOfNodes;
use crate::campaign::{Outcome, Tally};
use crate::learn::Learnt;
use crate::report::{
    CoverageReport, Judgement, ModelReport, ObjectiveReport, Overall, Report, RequirementReport,
};
use crate::specification::{Objective, Specification};
use crate::strategy::Needs;
use crate::trace::RequirementNumber;

impl Session<'_> {
    /// What was learnt, for the report.
    pub(super) fn model(&self, learnt: &Learnt) -> ModelReport {
        let holds = self.specification.requirements.iter().zip(&learnt.holds);
        if let Some(memory) = &self.specification.memory {
            memory.keep(&learnt.learner.remembered());
        }
        let mut model = ModelReport::default();
        (model.states, model.transitions) = (learnt.states, learnt.transitions);
        model.withheld = learnt.withheld;
        // What may not be sent makes states of its own, and where the system has ended is none of it.
        let declared = self.settings.states.or(self.specification.system.states);
        let shown = if learnt.withheld == 0 { learnt.states - learnt.ends } else { 0 };
        model.declared = declared.map(|most| (most, shown > most as usize));
        (model.rounds, model.since_surprise) = (learnt.rounds, learnt.since_surprise);
        model.holds =
            holds.filter(|(_, holds)| **holds == Some(true)).map(|(known, _)| known.id.clone()).collect();
        let contradiction = learnt.contradiction.clone();
        model.two_answers = contradiction.map(|found| (found.first, found.second, found.confirmed));
        model.changed = learnt.changed.clone().map(|found| (found.first, found.second));
        model
    }

    /// What was sent of the inputs that requirements tell apart, where a strategy was after that: it only steered.
    pub(super) fn book_classes(&mut self) {
        let automata =
            self.specification.requirements.iter().filter(|known| known.demand.distinguishes().is_some());
        // A portfolio steers by them only where there is no objective.
        let steers = self.settings.strategy.needs != Needs::Portfolio || self.report.objectives.is_empty();
        let classes = self.classes.iter().filter(|_| steers);
        let known = automata.zip(classes).map(|(requirement, classes)| (&*requirement.id, &**classes));
        self.report.coverage.extend(CoverageReport::of_classes(known));
    }

    pub(super) fn objective_report(&self, objective: &Objective, tally: Tally) -> ObjectiveReport {
        let known = self.known(objective).map(|found| found.trace.clone());
        let is_whole = objective.covers().is_some();
        let covered = known.is_some() || tally.covered.is_some();
        // What took several runs has no trace that shows it, and distances to the nearest of many elements say little.
        let trace = known.or(tally.covered).filter(|_| !is_whole || tally.runs == 1);
        let nearest = tally.best_distance.filter(|_| !is_whole);
        ObjectiveReport {
            id: objective.id.clone(),
            covered,
            best_distance: if covered { Some(0) } else { nearest },
            trace,
            runs: tally.runs,
            steps: tally.steps,
            silence: None,
        }
    }

    /// What is reported of a requirement. One of a range has an entry from when it is first asked for.
    pub(super) fn entry(&mut self, number: RequirementNumber) -> &mut RequirementReport {
        let id = &self.specification.requirement(number).id;
        let entries = &mut self.report.requirements;
        let of_ranges = self.specification.requirements.len();
        let known = entries.iter().skip(of_ranges).position(|entry| entry.id == *id);
        let place = match known {
            _ if !self.specification.is_range(number) => number.0,
            Some(place) => of_ranges + place,
            None => {
                entries.push(RequirementReport { tested: true, ..blank_entry(id.clone()) });
                entries.len() - 1
            }
        };
        &mut entries[place]
    }

    pub(super) fn is_violated(&self, number: RequirementNumber) -> bool {
        let is_range = self.specification.is_range(number);
        let id = &self.specification.requirement(number).id;
        match is_range {
            false => self.report.requirements[number.0].violated,
            true => {
                let of_ranges = self.report.requirements.iter().skip(self.specification.requirements.len());
                of_ranges.into_iter().any(|entry| entry.id == *id && entry.violated)
            }
        }
    }

    /// The report, with what to make of each requirement.
    pub(super) fn judged(&self) -> Report {
        let mut report = self.report.clone();
        let Report { requirements, pending, not_guiding, .. } = &mut report;
        for entry in requirements.iter_mut().skip(self.unsettled.len()) {
            entry.triggered = entry.violating_runs;
            entry.judgement = if entry.violated { Judgement::Violated } else { Judgement::SoFarGood };
        }
        for (entry, &unsettled) in requirements.iter_mut().zip(&self.unsettled) {
            let age = pending.iter().find(|(id, _)| *id == entry.id).map(|&(_, age)| age);
            entry.tested = entry.triggered > 0;
            entry.left_out = not_guiding.contains(&entry.id);
            entry.judgement = match age {
                _ if entry.violated => Judgement::Violated,
                Some(age) => Judgement::Pending(age),
                None if !entry.tested => Judgement::NeverTriggered,
                None if unsettled => Judgement::SoFarGood,
                None => Judgement::Satisfied,
            };
        }
        report
    }

    pub(super) fn book_tally(&mut self, outcome: &Outcome) {
        let report = &mut self.report;
        report.runs += outcome.runs;
        report.resets += outcome.runs;
        report.steps += outcome.steps;
        for (at, unsettled) in self.unsettled.iter_mut().enumerate() {
            let entry = &mut report.requirements[at];
            entry.violating_runs += outcome.violating_runs[at];
            entry.excused += outcome.excused[at];
            entry.triggered += outcome.triggered[at];
            *unsettled |= outcome.unsettled[at];
        }
        for (range, runs) in
            self.specification.ranges.iter().zip(&outcome.violating_runs[self.unsettled.len()..])
        {
            let mut of_ranges = report.requirements.iter_mut().skip(self.unsettled.len());
            of_ranges
                .find(|entry| entry.id == range.id)
                .into_iter()
                .for_each(|entry| entry.violating_runs += runs);
        }
        for violation in &mut report.violations {
            let entry = report.requirements.iter().find(|entry| entry.id == violation.requirement);
            violation.runs = entry.map_or(0, |entry| entry.violating_runs);
        }
        for &(requirement, age) in &outcome.pending {
            let id = &self.specification.requirement(requirement).id;
            match report.pending.iter_mut().find(|(known, _)| known == id) {
                Some((_, oldest)) => *oldest = age.max(*oldest),
                None => report.pending.push((id.clone(), age)),
            }
        }
    }
}

/// Nothing is known of a requirement.
fn blank_entry(id: String) -> RequirementReport {
    RequirementReport {
        id,
        violated: false,
        violating_runs: 0,
        excused: 0,
        tested: false,
        triggered: 0,
        judgement: Judgement::NeverTriggered,
        left_out: false,
        withholds: Vec::new(),
    }
}

/// Nothing has happened yet.
pub(super) fn blank_report(specification: &Specification, settings: &Settings) -> Result<Report, OutOfNodes> {
    let requirement = |number| {
        let entry = blank_entry(specification.requirement(number).id.clone());
        Ok(RequirementReport { withholds: specification.withheld_by(number)?, ..entry })
    };
    let takes_reset_cost = settings.strategy.options.contains(&"reset-cost");
    Ok(Report {
        verdict: Overall::Exhausted,
        strategy: settings.strategy.name.to_owned(),
        seed: settings.seed,
        runs: 0,
        resets: 0,
        steps: 0,
        reset_steps: 0,
        shrink_resets: 0,
        shrink_steps: 0,
        seconds: 0.0,
        strategy_bytes: 0,
        objectives: Vec::new(),
        coverage: Vec::new(),
        suite: None,
        note: None,
        violations: Vec::new(),
        suspected: Vec::new(),
        requirements: specification.numbers().map(requirement).collect::<Result<_, OutOfNodes>>()?,
        no_longer: Vec::new(),
        no_longer_breaks: Vec::new(),
        not_this_time: Vec::new(),
        interrupted: None,
        stranded: false,
        reset_cost: takes_reset_cost.then_some(settings.options.reset_cost),
        calibration: (0, 0),
        system: None,
        pending: Vec::new(),
        unconfirmed: Vec::new(),
        not_guiding: Vec::new(),
        unkept: Vec::new(),
        retries: Vec::new(),
        pace: None,
        model: None,
    })
}
