//! Machines whose inputs are formulas over Boolean signals, written out: one input a valuation.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{BuildError, Builder, Machine, ModelError, Names};
use crate::ltl::{self, Formula, Op};

/// The most signals: 2^16 inputs.
const MOST_SIGNALS: usize = 16;

/// The most formulas that are evaluated, one for each valuation.
const MOST_EVALUATIONS: usize = 1 << 26;

impl Machine {
    /// The same machine over valuations of the signals that its inputs speak of, where these are formulas such as `a & !b`: one input of it
    /// may stand for many inputs of the system, and two of them for the same one. None where they are just names.
    ///
    /// Inputs are written as bits, the first signal that is mentioned first.
    pub fn over_valuations(&self) -> Result<Option<Machine>, ModelError> {
        let Some(formulas) = formulas(&self.inputs).filter(|_| self.input_signals.is_empty()) else {
            return Ok(None);
        };
        let mut signals: Vec<Arc<str>> = formulas.iter().flat_map(Formula::propositions).collect();
        let mut met = FxHashSet::default();
        signals.retain(|name| met.insert(name.clone()));
        let count = signals.len();
        if count > MOST_SIGNALS {
            let message =
                format!("its inputs speak of {count} signals; at most {MOST_SIGNALS} can be written out");
            return Err(ModelError::new(message));
        }
        if formulas.len() << count > MOST_EVALUATIONS {
            return Err(ModelError::new("the formulas of its inputs are too many to be written out"));
        }
        let mut builder = Builder::new();
        for state in self.states.iter() {
            builder.state(&state);
        }
        for output in self.outputs.iter() {
            builder.output(&output);
        }
        if let Some(initial) = self.initial {
            builder.initial(initial);
        }
        let mut added = Vec::new();
        for valuation in 0..1u32 << count {
            let bit = |place: usize| if valuation >> place & 1 == 1 { '1' } else { '0' };
            let input = builder.input(&(0..count).map(bit).collect::<String>());
            let is_true = |name: &Arc<str>| {
                signals
                    .iter()
                    .position(|signal| signal == name)
                    .is_some_and(|place| valuation >> place & 1 == 1)
            };
            let taken = (0u32..).zip(&formulas).filter(|(_, formula)| holds(formula, &is_true));
            for (column, _) in taken {
                for state in 0..self.states.len() as u32 {
                    if let Some(to) = self.next(state, column) {
                        builder.add(state, input, self.output(state, column), to);
                        added.push((state, column));
                    }
                }
            }
        }
        let machine = builder.build().map_err(|error| match error {
            BuildError::Conflict { first, second } => {
                let (state, one) = added[first];
                let [one, other] = [one, added[second].1].map(|input| self.inputs.name(input));
                ModelError::new(format!("`{one}` and `{other}` overlap and lead elsewhere"))
                    .at(&self.states.name(state))
            }
            other => ModelError::new(other.to_string()),
        })?;
        Ok(Some(machine.with_signals(signals.iter().map(ToString::to_string).collect(), Vec::new())))
    }
}

/// Names as formulas; none where one of them is no formula about one moment, or all are names of something.
fn formulas(names: &Names) -> Option<Vec<Formula>> {
    let formulas: Option<Vec<Formula>> =
        names.iter().map(|name| ltl::parse(&name).ok().map(|parsed| parsed.formula)).collect();
    let formulas = formulas.filter(|formulas| formulas.iter().all(is_of_one_moment))?;
    let is_name = |formula: &Formula| matches!(formula.op(), Op::Proposition(_) | Op::True | Op::False);
    (!formulas.iter().all(is_name)).then_some(formulas)
}

fn is_of_one_moment(formula: &Formula) -> bool {
    let visit = |part: &Formula, sides: &[bool]| {
        use Op::{And, False, Iff, Implies, Not, Or, Proposition, True, Xor};
        let op = part.op();
        let is_here = matches!(op, True | False | Proposition(_) | Not | And | Or | Implies | Iff | Xor);
        is_here && sides.iter().all(|&side| side)
    };
    formula.fold(visit)
}

fn holds(formula: &Formula, is_true: &dyn Fn(&Arc<str>) -> bool) -> bool {
    formula.fold(|part: &Formula, sides: &[bool]| match (part.op(), sides) {
        (Op::True, _) => true,
        (Op::Proposition(name), _) => is_true(name),
        (Op::Not, [side]) => !side,
        (Op::And, sides) => sides.iter().all(|&side| side),
        (Op::Or, sides) => sides.iter().any(|&side| side),
        (Op::Implies, [left, right]) => !left || *right,
        (Op::Iff, [left, right]) => left == right,
        (Op::Xor, [left, right]) => left != right,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Source;
    use crate::format::machine::parse_dot;
    use crate::machine::{Machine, ModelError};

    fn written_out(labels: &[(&str, &str, &str)]) -> Result<Option<Machine>, ModelError> {
        let edge = |(from, to, label): &(&str, &str, &str)| format!("{from} -> {to} [label=\"{label}\"];");
        let text = format!("digraph {{ {} }}", labels.iter().map(edge).collect::<String>());
        parse_dot(&Source::new("m.dot", text)).unwrap().over_valuations()
    }

    #[test]
    fn formulas_stand_for_every_valuation_that_they_hold_on() {
        let machine = written_out(&[
            ("s", "s", "!a / 0"),
            ("s", "t", "a & !b / 1"),
            ("s", "s", "a & b / 0"),
            ("t", "t", "!b / 1"),
            ("t", "s", "b / 0"),
        ]);
        let machine = machine.unwrap().unwrap();
        assert_eq!(machine.input_signals(), ["a", "b"]);
        assert_eq!(machine.inputs().iter().collect::<Vec<_>>(), ["00", "10", "01", "11"]);
        assert_eq!(machine.table(), [0, 1, 0, 0, 1, 1, 0, 0]);
        assert!(machine.is_complete());
        assert_eq!(
            machine.output(0, 1).map(|output| machine.outputs().name(output).into_owned()).unwrap(),
            "1"
        );
    }

    #[test]
    fn names_are_left_alone() {
        assert_eq!(written_out(&[("s", "t", "coin / beep"), ("t", "s", "true / ok")]), Ok(None));
        assert_eq!(written_out(&[("s", "t", "!a / x"), ("t", "s", "a=1 b=0 / y")]), Ok(None));
        assert_eq!(written_out(&[("s", "t", "F a / x"), ("t", "s", "!a / y")]), Ok(None));
    }

    #[test]
    fn formulas_that_overlap_and_lead_elsewhere_are_an_error() {
        let error =
            written_out(&[("s", "s", "!a / x"), ("s", "t", "!b / x"), ("t", "t", "a / x")]).unwrap_err();
        assert_eq!(error.message, "`!a` and `!b` overlap and lead elsewhere");
        assert_eq!(error.state.as_deref(), Some("s"));
        let many: Vec<String> = (0..17).map(|at| format!("!a{at} / x")).collect();
        let many: Vec<(&str, &str, &str)> = many.iter().map(|label| ("s", "s", label.as_str())).collect();
        assert!(written_out(&many).unwrap_err().message.contains("17 signals"));
    }
}
