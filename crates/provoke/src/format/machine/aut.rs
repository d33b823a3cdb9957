//! `.aut` transition systems (Aldebaran): `des (first, transitions, states)`, then `(from, label, to)`.

use super::label;
use crate::diagnostic::{Source, SpecError};
use crate::format::aut;
use crate::machine::{Builder, Machine};

/// Reads an Aldebaran file as a machine; labels are split into input and output as in DOT.
///
/// The numbers of transitions and states in the first line must be those of the file, so that a file that
/// was cut off is noticed.
pub fn parse(source: &Source) -> Result<Machine, SpecError> {
    let aut::Aut { initial, states, transitions } = aut::parse(source)?;
    let mut builder = Builder::new();
    let mut spans = Vec::new();
    builder.numbered_states(states);
    if states > 0 {
        builder.initial(initial);
    }
    for transition in transitions {
        let (inputs, output) = label::split(&transition.label, false);
        if inputs.iter().any(String::is_empty) {
            return Err(source.error(transition.span, "this transition has no input"));
        }
        let output = output.map(|output| builder.output(&output));
        for input in inputs {
            let input = builder.input(&input);
            builder.add(transition.from, input, output, transition.to);
            spans.push(transition.span.clone());
        }
    }
    super::build(source, builder, |transition| spans[transition].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aldebaran_file() {
        let text = "des (0, 3, 2)\n(0, \"a,b\", 1)\n(1,a/x,0)\n(1, c, 1)\n";
        let machine = parse(&Source::new("m.aut", text)).unwrap();
        assert_eq!(machine.inputs().iter().collect::<Vec<_>>(), ["a,b", "a", "c"]);
        assert_eq!((machine.next(1, 1), machine.initial()), (Some(0), Some(0)));
    }

    #[test]
    fn errors_point_at_the_word() {
        for (text, place) in [
            ("", (1, 1)),
            ("des (0, 1)", (1, 1)),
            ("des (2, 0, 2)", (1, 1)),
            ("des (0, 1, 2)\n(0, a, 2)", (2, 8)),
            ("des (0, 1, 2)\n(0, a, b)", (2, 8)),
            ("des (0, 1, 2)\n(0, a,)", (2, 7)),
            ("des (0, 1, 2)\n(0, a)", (2, 1)),
            ("des (0, 3, 2)\n(0, a, 1)", (1, 1)),
            ("des (0, 2, 2)\n(0, a, 1)\n(0, a, 0)", (3, 1)),
        ] {
            let error = parse(&Source::new("m.aut", text)).unwrap_err();
            assert_eq!(error.line_column(), Some(place), "{text}\n{error}");
        }
    }
}
