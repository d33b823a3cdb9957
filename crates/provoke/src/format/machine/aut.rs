//! `.aut` transition systems (Aldebaran): `des (first, transitions, states)`, then `(from, label, to)`.

use super::label;
use crate::diagnostic::{Source, SpecError};
use crate::machine::{Builder, Machine};

/// Reads an Aldebaran file as a machine; labels are split into input and output as in DOT.
///
/// The numbers of transitions and states in the first line must be those of the file, so that a file that
/// was cut off is noticed.
pub fn parse(source: &Source) -> Result<Machine, SpecError> {
    let mut builder = Builder::new();
    let mut spans = Vec::new();
    let mut header = None;
    let mut lines = 0;
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let text = line.trim();
        let at = start + (line.len() - line.trim_start().len());
        start += line.len();
        if text.is_empty() {
            continue;
        }
        let whole = at..at + text.len();
        let Some((_, _, states)) = header else {
            let read = read_header(source, text, at)?;
            builder.numbered_states(read.2);
            if read.2 > 0 {
                builder.initial(read.0 as u32);
            }
            header = Some(read);
            continue;
        };
        let (from, edge, to) = triple(source, text, at)?;
        let from = state(source, from, states)?;
        let to = state(source, to, states)?;
        let (inputs, output) = label::split(edge.0.trim_matches('"'), false);
        if inputs.iter().any(String::is_empty) {
            return Err(source.error(whole, "this transition has no input"));
        }
        lines += 1;
        let output = output.map(|output| builder.output(&output));
        for input in inputs {
            let input = builder.input(&input);
            builder.add(from, input, output, to);
            spans.push(whole.clone());
        }
    }
    let Some((_, transitions, _)) = header else {
        return Err(source.error(0..1, "expected `des (first, transitions, states)`"));
    };
    if lines != transitions {
        let message = format!("the first line announces {transitions} transitions, but {lines} follow");
        return Err(source.error(0..source.text.find('\n').unwrap_or(source.text.len()), message));
    }
    super::build(source, builder, |transition| spans[transition].clone())
}

/// A text and its byte offset.
type At<'a> = (&'a str, usize);

fn read_header(source: &Source, text: &str, at: usize) -> Result<(usize, usize, usize), SpecError> {
    let wrong = || {
        source
            .error(at..at + text.len(), "expected `des (first, transitions, states)`")
            .help("the numbers of the initial state, of transitions and of states")
    };
    let inner = text.strip_prefix("des").map(str::trim_start);
    let inner = inner.and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')')).ok_or_else(wrong)?;
    let numbers: Vec<usize> = inner.split(',').map_while(|word| word.trim().parse().ok()).collect();
    match numbers[..] {
        // A hostile count must not allocate more than the file can fill.
        [_, _, states] if states > (1 << 20) + 2 * source.text.len() => {
            Err(source
                .error(at..at + text.len(), format!("{states} states are more than this file can connect")))
        }
        [first, transitions, states] if first < states || states == 0 => Ok((first, transitions, states)),
        [first, _, states] => Err(source
            .error(at..at + text.len(), format!("the initial state {first} is not below {states}"))
            .help("states are numbered from 0")),
        _ => Err(wrong()),
    }
}

/// The three parts of `(from, label, to)`; a label may hold commas and parentheses.
fn triple<'a>(source: &Source, text: &'a str, at: usize) -> Result<(At<'a>, At<'a>, At<'a>), SpecError> {
    let wrong = || source.error(at..at + text.len(), "expected `(from, label, to)`");
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(wrong)?;
    let (from, rest) = inner.split_once(',').ok_or_else(wrong)?;
    let (edge, to) = rest.rsplit_once(',').ok_or_else(wrong)?;
    let place = |part: &'a str| {
        let trimmed = part.trim();
        (trimmed, at + (trimmed.as_ptr() as usize - text.as_ptr() as usize))
    };
    Ok((place(from), place(edge), place(to)))
}

fn state(source: &Source, (text, at): At<'_>, states: usize) -> Result<u32, SpecError> {
    let span = at..at + text.len().max(1);
    match text.parse::<u32>() {
        Ok(state) if (state as usize) < states => Ok(state),
        Ok(state) => Err(source
            .error(span, format!("state {state} does not exist"))
            .help(format!("the first line announces {states} states, numbered from 0"))),
        Err(_) => Err(source.error(span, "expected the number of a state")),
    }
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
