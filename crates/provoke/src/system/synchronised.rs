//! A reset for systems that have none: drive a word that leads to one known state, and watch the answers.

use rustc_hash::FxHashMap;

use super::{SetupError, Simulated, System, SystemError};
use crate::letter::{Interface, Letter};
use crate::machine::{Builder, Machine, UNDEFINED};
use crate::synchronise::homing::{Homing, Node, Tracker, homing};
use crate::synchronise::{Answer, Method, Query, path, synchronise};

/// The most input letters that a model is written out for.
const MOST_INPUTS: u64 = 4096;

/// A system that is started once and from then on reset by its inputs alone, along a model of it.
///
/// Each reset drives a synchronising word of the model into its initial state, or a homing sequence where there is
/// none and then a shortest path. Every answer on the way is compared with the model: a system
/// that does not follow it is [`SystemError::Astray`], not a silent wrong start.
pub struct Synchronised {
    inner: Box<dyn System>,
    model: Model,
    plan: Plan,
    started: bool,
    resets: u64,
    reset_steps: u64,
}

/// The model written out, one column an input letter.
struct Model {
    machine: Machine,
    inputs: Vec<Letter>,
    outputs: Vec<Letter>,
    interface: Interface,
}

enum Plan {
    Word(Vec<u32>),
    Homing(Homing),
}

impl Synchronised {
    /// Wraps a system whose model is known. The error says why no reset can be made of the model.
    pub fn new(
        inner: Box<dyn System>,
        model: &Simulated,
        interface: &Interface,
    ) -> Result<Synchronised, SetupError> {
        let model = Model::new(model, interface)?;
        let query = Query {
            method: Method::Fast,
            into: model.machine.initial().into_iter().collect(),
            budget: Some(std::time::Duration::from_secs(10)),
            ..Query::default()
        };
        let plan = match synchronise(&model.machine, &query, None) {
            Answer::Found(found) => Plan::Word(found.word),
            Answer::None(reason) => {
                let reason = reason.describe(&model.machine);
                if let Some(lost) = model.no_way_back() {
                    let lost = model.machine.states().name(lost);
                    return Err(format!(
                        "no word resets the machine ({reason}), and state {lost} never leads back to the initial one"
                    )
                    .into());
                }
                let home = homing(&model.machine, query.budget);
                Plan::Homing(home.map_err(|why| {
                    format!("no word resets the machine ({reason}), and {}", why.describe(&model.machine))
                })?)
            }
            Answer::Unknown(what) => return Err(format!("no reset word was found: {what}").into()),
        };
        Ok(Synchronised { inner, model, plan, started: false, resets: 0, reset_steps: 0 })
    }

    /// Sends one input of the model and keeps the states that would have answered like this.
    fn drive(
        inner: &mut dyn System,
        model: &Model,
        tracker: &mut Tracker<'_>,
        input: u32,
    ) -> Result<Option<u32>, SystemError> {
        let letter = model.inputs[input as usize];
        let before = tracker.states().to_vec();
        let output = inner.step(letter)?;
        let answer = model.outputs.iter().position(|&known| known == output).map(|at| at as u32);
        if answer.is_some() && tracker.observe(input, answer) {
            return Ok(answer);
        }
        let mut expected: Vec<String> = before
            .iter()
            .filter_map(|&state| model.machine.output(state, input))
            .map(|at| model.interface.outputs.show(model.outputs[at as usize]).to_string())
            .collect();
        expected.sort();
        expected.dedup();
        Err(SystemError::Astray {
            input: model.interface.inputs.show(letter).to_string(),
            output: model.interface.outputs.show(output).to_string(),
            expected: expected.join(" or "),
        })
    }
}

impl System for Synchronised {
    fn inner(&self) -> Option<&dyn System> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        Some(&mut *self.inner)
    }

    fn reset(&mut self) -> Result<(), SystemError> {
        if !self.started {
            self.inner.reset()?;
            self.started = true;
        }
        self.resets += 1;
        // Unless all goes well, the next reset starts it again.
        self.started = false;
        let Synchronised { inner, model, plan, reset_steps, started, .. } = self;
        let mut tracker = Tracker::new(&model.machine);
        let mut send = |tracker: &mut Tracker<'_>, input| {
            *reset_steps += 1;
            Synchronised::drive(&mut **inner, model, tracker, input)
        };
        match plan {
            Plan::Word(word) | Plan::Homing(Homing::Preset(word)) => {
                for &input in &*word {
                    send(&mut tracker, input)?;
                }
            }
            Plan::Homing(Homing::Adaptive(tree)) => {
                let mut at = tree.root();
                while let Node::Ask { input, answers } = tree.node(at) {
                    let answer = send(&mut tracker, *input)?;
                    let next = answers.iter().find(|(output, _)| Some(*output) == answer);
                    let Some(&(_, next)) = next else { break };
                    at = next;
                }
            }
        }
        let (Some(&at), Some(initial)) = (tracker.states().first(), model.machine.initial()) else {
            *started = true;
            return Ok(());
        };
        let (home, _) =
            path(&model.machine, at, |state| state == initial).ok_or_else(|| SystemError::Astray {
                input: "the reset".into(),
                output: format!("state {}", model.machine.states().name(at)),
                expected: "a state from which the initial one can be reached".into(),
            })?;
        for input in home {
            send(&mut tracker, input)?;
        }
        *started = true;
        Ok(())
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        self.inner.step(input).inspect_err(|_| self.started = false)
    }

    fn settle(&mut self) -> Result<(), SystemError> {
        self.inner.settle().inspect_err(|_| self.started = false)
    }

    fn reset_steps(&self) -> u64 {
        self.reset_steps
    }
}

impl Model {
    /// A state from which the initial one cannot be reached again, if there is one.
    fn no_way_back(&self) -> Option<u32> {
        let states = self.machine.states().len() as u32;
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); states as usize];
        for state in 0..states {
            for &to in self.machine.row(state).iter().filter(|&&to| to != UNDEFINED) {
                before[to as usize].push(state);
            }
        }
        let mut leads_back = vec![false; states as usize];
        let mut open: Vec<u32> = self.machine.initial().into_iter().collect();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut leads_back[state as usize], true) {
                open.append(&mut before[state as usize]);
            }
        }
        (0..states).find(|&state| !leads_back[state as usize])
    }

    /// Writes out the part of a model that its initial state reaches.
    fn new(simulated: &Simulated, interface: &Interface) -> Result<Model, String> {
        // Labels stand in the model one by one.
        let most = if interface.inputs.as_labels().is_some() { u64::MAX } else { MOST_INPUTS };
        let inputs: Vec<Letter> = interface.inputs.letters(most).ok_or_else(|| {
            format!(
                "a reset word is searched among at most {MOST_INPUTS} input letters; this interface has 2^{}",
                interface.inputs.bits()
            )
        })?;
        let mut builder = Builder::new();
        for &letter in &inputs {
            builder.input(&interface.inputs.show(letter).to_string());
        }
        let mut outputs: Vec<Letter> = Vec::new();
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order = vec![simulated.initial_state()];
        numbers.insert(order[0], builder.state(&simulated.state_name(order[0])));
        builder.initial(0);
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            for (column, &letter) in inputs.iter().enumerate() {
                let Some((to, output)) = simulated.move_from(state, letter) else { continue };
                let output = outputs.iter().position(|&known| known == output).unwrap_or_else(|| {
                    outputs.push(output);
                    builder.output(&interface.outputs.show(output).to_string());
                    outputs.len() - 1
                });
                let to = *numbers.entry(to).or_insert_with(|| {
                    order.push(to);
                    builder.state(&simulated.state_name(to))
                });
                builder.add(next as u32, column as u32, Some(output as u32), to);
            }
            next += 1;
        }
        let machine = builder.build().map_err(|error| error.to_string())?;
        Ok(Model { machine, inputs, outputs, interface: interface.clone() })
    }
}
