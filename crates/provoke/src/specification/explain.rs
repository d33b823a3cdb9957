//! Why a run is right or wrong: what each requirement makes of it step by step, which answer was forbidden, and what
//! would have been allowed.

use super::{Requirement, Specification};
use crate::automaton::show_guard;
use crate::bdd::{Bdd, OutOfNodes};
use crate::letter::{Field, Letter, LetterSet};
use crate::monitor::{Monitor, Verdict};
use crate::report::Explanation;
use crate::trace::{RequirementNumber, Step, in_range};

/// More answers that are only listed are not written as a formula, and none that is longer.
const WRITTEN: usize = 512;
const LONGEST: usize = 120;
/// So many answers are tried where nothing but trying tells which of them are allowed.
const TRIED: u64 = 1 << 12;

impl Specification {
    /// The line at which a requirement is stated in the file, from 1.
    pub fn line_of_requirement(&self, id: &str) -> Option<usize> {
        self.lines.get(&("requirement", id.to_owned())).copied()
    }

    /// The line at which an objective is stated in the file, from 1.
    pub fn line_of_objective(&self, id: &str) -> Option<usize> {
        self.lines.get(&("objective", id.to_owned())).copied()
    }

    /// What a requirement allows in answer to an input after a run; none where that is not known.
    pub fn allowed(
        &self,
        number: RequirementNumber,
        before: &[Step],
        input: Letter,
    ) -> Result<Option<LetterSet>, OutOfNodes> {
        let known = match self.allowed_guard(number, before, input) {
            Some(answers) => Some(self.space.output_letters(&answers)),
            None => self.allowed_by_trying(&self.requirement(number).demand.monitor, before, input),
        };
        self.space.bdds().checked(Ok(known))
    }

    /// The same as a formula over outputs, where an automaton says so.
    fn allowed_guard(&self, number: RequirementNumber, before: &[Step], input: Letter) -> Option<Bdd> {
        let Requirement { demand, .. } = self.requirement(number);
        let automaton = demand.automaton().filter(|_| matches!(demand.monitor, Monitor::Automaton(_)))?;
        let answers = &automaton.allowed(automaton.after(before)?) & &self.space.input(input);
        Some(self.space.some_input(&answers))
    }

    /// The same where only the monitor knows: every answer is tried, if there are not too many.
    fn allowed_by_trying(&self, monitor: &Monitor, before: &[Step], input: Letter) -> Option<LetterSet> {
        let mut monitor = monitor.clone();
        monitor.reset();
        for step in before {
            monitor.violates(step);
        }
        let outputs = &self.interface().outputs;
        self.meet_allowed(&monitor, input);
        let all: Vec<Letter> = match outputs.as_labels() {
            Some(labels) => labels.iter().map(|(letter, _)| letter).take(TRIED as usize).collect(),
            None => {
                let all = self.space.output_letters(self.space.valid_outputs());
                all.count().to_u64().filter(|&count| count <= TRIED)?;
                all.iter().collect()
            }
        };
        let is_right = |output: &Letter| !monitor.clone().violates(&Step { input, output: *output });
        let right: Vec<Letter> = all.into_iter().filter(is_right).collect();
        Some(LetterSet::of(outputs.bits(), &right))
    }

    /// Takes in the actions that a model allows now, or once the input was taken: those that no run has shown have no
    /// letters yet.
    fn meet_allowed(&self, monitor: &Monitor, input: Letter) {
        let (Monitor::Program(now), Some(idle)) = (monitor, self.idle) else { return };
        let mut then = now.copy();
        then.violates(&Step { input, output: idle.quiet });
        let names = now.allowed().into_iter().chain(then.allowed());
        // Where there is no room for more labels, those that are known have to do.
        names.take(TRIED as usize).for_each(|name| drop(self.interface().outputs.label(&name)));
    }

    /// Why the last step of a run violates a requirement.
    pub fn explain(
        &self,
        number: RequirementNumber,
        trace: &[Step],
    ) -> Result<Option<Explanation>, OutOfNodes> {
        if self.is_range(number) {
            return Ok(self.explain_range(number, trace));
        }
        let Some((last, before)) = trace.split_last() else { return Ok(None) };
        let interface = self.interface();
        let allowed = match self.allowed(number, before, last.input)? {
            None => Some("another answer".to_owned()),
            Some(letters) if letters.is_empty() => None,
            Some(letters) => {
                let guard = self.allowed_guard(number, before, last.input);
                Some(self.answers_shown(&letters, guard, last.output))
            }
        };
        self.space.bdds().checked(Ok(Some(Explanation {
            requirement: self.requirement(number).id.clone(),
            step: trace.len(),
            input: interface.inputs.show(last.input).to_string(),
            output: interface.outputs.show(last.output).to_string(),
            allowed,
        })))
    }

    /// Answers in words: those of signals as a formula over them, with the one that is nearest to what was said.
    fn answers_shown(&self, letters: &LetterSet, guard: Option<Bdd>, said: Letter) -> String {
        let outputs = &self.interface().outputs;
        if outputs.as_labels().is_some() {
            return outputs.show_set(letters, "answer");
        }
        if !outputs.hidden().is_empty() || outputs.fields().iter().any(Field::is_real) {
            // Letters with the same values may differ in what follows from those before, and of very many numbers none is
            // a good example.
            let formula = guard.map(|guard| show_guard(&self.space, &guard));
            let formula = formula.filter(|formula| formula.chars().count() <= LONGEST);
            return formula.unwrap_or_else(|| "another answer".to_owned());
        }
        let known: Vec<Letter> = letters.iter().take(WRITTEN + 1).collect();
        let changes = |one: &&Letter| {
            outputs.fields().iter().filter(|field| field.get(**one) != field.get(said)).count()
        };
        let nearest = match &guard {
            Some(guard) if known.len() > WRITTEN => self.nearest(guard, said),
            _ => known.iter().min_by_key(changes).copied(),
        };
        let Some(nearest) = nearest else { return "no answer".to_owned() };
        let example = outputs.show(nearest);
        if known.len() == 1 {
            return example.to_string();
        }
        let listed = || {
            let none = self.space.bdds().none();
            known.iter().fold(none, |any, &one| &any | &self.space.output(one))
        };
        if let Some(guard) = guard.or_else(|| (known.len() <= WRITTEN).then(listed)) {
            let formula = show_guard(&self.space, &guard);
            if formula.chars().count() <= LONGEST {
                return format!("{formula}, such as {example}");
            }
        }
        format!("{} answers, such as {example}", letters.count())
    }

    /// An answer of these that keeps as many values of what was said as it can, the first signals first.
    fn nearest(&self, guard: &Bdd, said: Letter) -> Option<Letter> {
        let mut near = guard.clone();
        for field in self.interface().outputs.fields() {
            let same = &near & &self.space.codes(true, &field.codes_of(field.get(said)));
            if !same.is_none() {
                near = same;
            }
        }
        self.space.output_letters(&near).iter().next()
    }

    /// What every requirement says after each step of a run, one letter a step: `s` satisfied for good, `g` so far good,
    /// `b` so far bad, `v` violated.
    pub fn lanes(&self, trace: &[Step]) -> Vec<(String, String)> {
        let judged = in_range(&self.interface().outputs, trace);
        let lane = |requirement: &Requirement| {
            let mut monitor = requirement.demand.monitor.clone();
            monitor.reset();
            let letter = |step: &Step| match monitor.step(step.input, step.output) {
                Verdict::Satisfied => 's',
                Verdict::SoFarGood => 'g',
                Verdict::SoFarBad => 'b',
                Verdict::Violated => 'v',
            };
            let mut verdicts: String = judged.iter().map(letter).collect();
            // What is out of range is judged by ranges alone.
            let last = verdicts.chars().last().unwrap_or('g');
            verdicts.extend(trace[judged.len()..].iter().map(|_| last));
            (requirement.id.clone(), verdicts)
        };
        let mut lanes: Vec<(String, String)> = self.requirements.iter().map(lane).collect();
        lanes.extend(self.out_of_range(trace).into_iter().map(|number| {
            let verdict = |at: usize| if at < judged.len() { 'g' } else { 'v' };
            (self.requirement(number).id.clone(), (0..trace.len()).map(verdict).collect())
        }));
        lanes
    }
}
