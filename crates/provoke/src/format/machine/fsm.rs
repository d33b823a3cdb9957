//! `.fsm` tables: one transition a line, `state input output next`.

use super::lines::lines;
use crate::diagnostic::{Source, SpecError};
use crate::machine::{Builder, Machine};

/// Reads a table of transitions.
///
/// Words are separated by blanks; `#` starts a comment. An output `-` means none. The machine starts in
/// the first line's state.
pub fn parse(source: &Source) -> Result<Machine, SpecError> {
    let mut builder = Builder::new();
    let mut spans = Vec::new();
    for line in lines(source, "#") {
        let [from, input, output, next] = &line.words[..] else {
            let message = format!("expected `state input output next`, but found {} words", line.words.len());
            return Err(source.error(line.span(), message));
        };
        let state = builder.state(from.text);
        if spans.is_empty() {
            builder.initial(state);
        }
        let input = builder.input(input.text);
        let output = (output.text != "-").then(|| builder.output(output.text));
        let next = builder.state(next.text);
        builder.add(state, input, output, next);
        spans.push(line.span());
    }
    super::build(source, builder, |transition| spans[transition].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_columns_make_a_machine() {
        let machine =
            parse(&Source::new("m.fsm", "# two states\n0 a x 1\n1 a y 0 # back\n\n1 b - 1\n")).unwrap();
        assert_eq!(machine.table(), [1, u32::MAX, 0, 1]);
        assert_eq!((machine.output(0, 0), machine.output(1, 1), machine.initial()), (Some(0), None, Some(0)));
    }

    #[test]
    fn a_missing_target_and_a_conflict_show_their_line() {
        let error = parse(&Source::new("m.fsm", "0 a x 1\n1 a y\n")).unwrap_err();
        assert_eq!(error.line_column(), Some((2, 1)));
        let error = parse(&Source::new("m.fsm", "0 a x 1\n0 a x 0\n")).unwrap_err();
        assert_eq!(error.line_column(), Some((2, 1)));
    }
}
