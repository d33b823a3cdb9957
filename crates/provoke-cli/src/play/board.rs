//! A run that is played by hand: where it is, what is enabled there, and who broke what.

use anyhow::Result;
use provoke::game::{Gate, Next, State};
use provoke::letter::{LISTED, Letter, LetterSet};
use provoke::monitor::{Judge, Ruling, Verdict};
use provoke::rng::Rng;
use provoke::specification::{Guidance, Inside, STATE_LIMIT, Specification};
use provoke::trace::{RequirementNumber, Step, Trace};

/// So often chance looks for an answer that nothing forbids.
const TRIES: usize = 256;

/// A run and what the specification makes of it.
pub(super) struct Board<'a> {
    pub(super) specification: &'a Specification,
    guidance: Guidance,
    gate: Gate,
    judge: Judge,
    pub(super) trace: Trace,
    /// Where the run is in the game; none once it has left it.
    at: Option<State>,
    /// What each step violated for the first time, by its place.
    pub(super) violations: Vec<(usize, Vec<RequirementNumber>)>,
    /// The step at which an assumption was broken, and its id.
    unfair: Option<(usize, String)>,
}

impl<'a> Board<'a> {
    pub(super) fn new(specification: &'a Specification) -> Result<Board<'a>> {
        let guidance = specification.guidance(None, STATE_LIMIT)?;
        let mut board = Board {
            gate: guidance.gate.clone(),
            guidance,
            judge: specification.judge(),
            trace: Vec::new(),
            at: None,
            violations: Vec::new(),
            unfair: None,
            specification,
        };
        board.begin();
        Ok(board)
    }

    /// Back to the start of a run.
    pub(super) fn begin(&mut self) {
        self.judge.reset();
        self.gate.reset();
        self.trace.clear();
        self.violations.clear();
        self.unfair = None;
        self.at = Some(self.guidance.game.initial());
    }

    /// What the tester may send.
    pub(super) fn inputs(&self) -> LetterSet {
        match self.at {
            Some(at) => self.guidance.game.inputs(at).clone(),
            None => {
                let space = &self.specification.space;
                let alphabet = &space.interface().inputs;
                match alphabet.as_labels() {
                    // Of an alphabet that takes in new labels, those that are known.
                    Some(labels) => {
                        let known: Vec<Letter> = labels.iter().map(|(letter, _)| letter).collect();
                        LetterSet::of(alphabet.bits(), &known)
                    }
                    None => space.input_letters(space.valid_inputs()),
                }
            }
        }
    }

    /// Whether the game is over: what may be sent and answered is not known any more.
    pub(super) fn is_left(&self) -> bool {
        self.at.is_none()
    }

    /// Whether the tester may send this.
    pub(super) fn may_send(&self, input: Letter) -> bool {
        self.inputs().contains(input) && self.gate.allows(input)
    }

    /// An input by chance.
    pub(super) fn any_input(&self, rng: &mut Rng) -> Option<Letter> {
        let inputs = self.inputs();
        (0..TRIES).map_while(|_| inputs.sample(rng)).find(|&input| self.gate.allows(input))
    }

    /// An answer by chance that violates nothing; none where there is none, as far as was looked.
    pub(super) fn any_answer(&self, input: Letter, rng: &mut Rng) -> Option<Letter> {
        let answers = self.answers(input);
        let is_right = |output: &Letter| {
            let mut judge = self.judge.clone();
            judge.follow(&judge.complete(Step { input, output: *output })) == Ruling::Kept
        };
        let drawn = (0..TRIES).map_while(|_| answers.sample(rng)).find(is_right);
        drawn.or_else(|| answers.iter().take(1 << 12).find(is_right))
    }

    /// Answers that keep the game going, or any where it has been left.
    fn answers(&self, input: Letter) -> LetterSet {
        let space = &self.specification.space;
        match self.at {
            Some(at) => self.guidance.game.outputs(at, input),
            None => space.output_letters(space.valid_outputs()),
        }
    }

    /// What the system may answer, in words.
    pub(super) fn answers_shown(&self, input: Letter) -> String {
        self.specification.interface().outputs.show_set(&self.answers(input), "answer")
    }

    /// The inputs, in words and by number, where they are few.
    pub(super) fn inputs_listed(&self) -> Option<Vec<Letter>> {
        let inputs = self.inputs();
        let few = inputs.count().to_u64().is_some_and(|count| count <= LISTED);
        few.then(|| inputs.iter().filter(|&input| self.gate.allows(input)).collect())
    }

    /// Makes a step; gives the requirements that it violates.
    pub(super) fn make(&mut self, step: Step) -> Vec<RequirementNumber> {
        let step = self.judge.complete(step);
        let place = self.trace.len();
        self.trace.push(step);
        self.gate.follow(&step);
        let broken = match self.judge.follow(&step) {
            Ruling::Violated => self.judge.take(),
            Ruling::Kept => Vec::new(),
            Ruling::Unfair => {
                if self.unfair.is_none() {
                    let broken = self.judge.assumptions.all(Verdict::Violated).next();
                    let id = broken.map(|at| self.specification.assumptions[at.0].id.clone());
                    self.unfair = Some((place, id.unwrap_or_default()));
                }
                Vec::new()
            }
        };
        self.at = self.at.and_then(|at| match self.guidance.game.next(at, step.input, step.output) {
            Next::To(to) => Some(to),
            Next::Violates(_) | Next::Unfair => None,
        });
        if !broken.is_empty() {
            self.violations.push((place, broken.clone()));
        }
        broken
    }

    /// What stands in the way of blaming anybody, if anything does.
    pub(super) fn excuse(&self) -> Option<String> {
        let (place, id) = self.unfair.as_ref()?;
        let step = place + 1;
        Some(format!("assumption {id} was not kept at step {step}: from there on nothing is anybody's fault"))
    }

    /// Why a step was wrong: which requirements it violates, and what each would have allowed.
    pub(super) fn why(&self, place: usize, broken: &[RequirementNumber]) -> String {
        let interface = self.specification.interface();
        let Step { input, output } = self.trace[place];
        let (sent, said) = (interface.inputs.show(input), interface.outputs.show(output));
        let mut text = format!("step {}, {sent} / {said}, is wrong:\n", place + 1);
        for &number in broken {
            let requirement = self.specification.requirement(number);
            text += &format!("  it violates {}", requirement.id);
            if !requirement.text.is_empty() {
                text += &format!(": {}", requirement.text);
            }
            text.push('\n');
            let allowed = self.specification.allowed(number, &self.trace[..place], input).ok().flatten();
            let allowed = match allowed.filter(|allowed| !allowed.is_empty()) {
                Some(allowed) => interface.outputs.show_set(&allowed, "answer"),
                None => "no answer: it was lost before".to_owned(),
            };
            text += &format!("  which would have allowed {allowed}\n");
        }
        text
    }

    /// Where the run is, requirement by requirement.
    pub(super) fn state(&self) -> String {
        let mut text = format!("after {}\n", provoke::report::count(self.trace.len(), "step"));
        let numbers: Vec<RequirementNumber> = self.specification.numbers().collect();
        for number in numbers {
            let requirement = self.specification.requirement(number);
            let verdict = match self.judge.requirements.verdict(number) {
                Verdict::Satisfied => "satisfied for good",
                Verdict::SoFarGood => "so far good",
                Verdict::SoFarBad => "an obligation is open",
                Verdict::Violated => "violated",
            };
            let state = requirement
                .demand
                .automaton()
                .and_then(|automaton| automaton.after(&self.trace).map(|state| automaton.state_name(state)));
            let state = state.map(|state| format!(", in state {state}")).unwrap_or_default();
            text += &format!("  {}: {verdict}{state}\n", requirement.id);
        }
        if let (Inside::Unfolded(game), Some(at)) = (&self.guidance.inside, self.at) {
            text += &format!("  model: {}\n", game.state_name(at));
        }
        self.excuse().into_iter().for_each(|excuse| text += &format!("  {excuse}\n"));
        text
    }
}
