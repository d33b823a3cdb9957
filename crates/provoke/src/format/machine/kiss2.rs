//! KISS2, the state tables of logic synthesis: inputs and outputs are valuations of Boolean signals.

use std::ops::Range;

use super::lines::{Line, Word, lines, number};
use crate::diagnostic::{Source, SpecError};
use crate::machine::{Builder, Machine};

/// The most input signals: 2^16 letters.
const MOST_SIGNALS: usize = 16;

/// The most transitions after the cubes are written out.
const MOST_TRANSITIONS: usize = 1 << 26;

/// Reads a KISS2 table.
///
/// Each input letter is one valuation of the `.i` input signals, so a cube with `-` stands for several
/// transitions. `.ilb` and `.ob` name the signals, also where they stand in comments. A next state `*` or
/// `-` leaves the transition undefined; `*` as present state means every state of the table. An output `-` is read
/// as 0: the machine is one that does what the table asks. `.s` and `.p` must say what is in the file.
pub fn parse(source: &Source) -> Result<Machine, SpecError> {
    let mut table = Table::default();
    for line in lines(source, "\u{0}") {
        table.line(source, line)?;
    }
    table.machine(source)
}

struct Row<'a> {
    words: [Word<'a>; 4],
    span: Range<usize>,
}

/// A declared number and where it stands.
type Declared = Option<(usize, Range<usize>)>;

#[derive(Default)]
struct Table<'a> {
    inputs: Declared,
    outputs: Declared,
    states: Declared,
    terms: Declared,
    initial: Option<Word<'a>>,
    input_names: Option<(Vec<String>, Range<usize>)>,
    output_names: Option<(Vec<String>, Range<usize>)>,
    rows: Vec<Row<'a>>,
    ended: bool,
}

impl<'a> Table<'a> {
    fn line(&mut self, source: &Source, mut line: Line<'a>) -> Result<(), SpecError> {
        let comment = line.words.iter().position(|word| word.text.starts_with('#'));
        if comment == Some(0) {
            let named = line.words.get(1).is_some_and(|word| [".ilb", ".ob"].contains(&word.text));
            if !named || line.words[0].text != "#" {
                return Ok(());
            }
            line.words.remove(0);
        } else if let Some(comment) = comment {
            line.words.truncate(comment);
        }
        let span = line.span();
        let mut words = line.words.into_iter();
        let Some(first) = words.next() else { return Ok(()) };
        let rest: Vec<Word<'a>> = words.collect();
        if self.ended {
            return Err(source.error(span, "expected nothing after `.e`"));
        }
        let names = || (rest.iter().map(|word| word.text.to_owned()).collect(), span.clone());
        match first.text {
            ".i" => {
                let (inputs, span) = declared(source, &rest, &span)?;
                if inputs > MOST_SIGNALS {
                    let message = format!(
                        "{inputs} input signals are 2^{inputs} letters; at most 2^{MOST_SIGNALS} fit"
                    );
                    return Err(source.error(span, message));
                }
                self.inputs = Some((inputs, span));
            }
            ".o" => self.outputs = Some(declared(source, &rest, &span)?),
            ".s" => self.states = Some(declared(source, &rest, &span)?),
            ".p" => self.terms = Some(declared(source, &rest, &span)?),
            ".r" => match &rest[..] {
                [state] => self.initial = Some(state.clone()),
                _ => return Err(source.error(span, "expected one state after `.r`")),
            },
            ".ilb" => self.input_names = Some(names()),
            ".ob" => self.output_names = Some(names()),
            ".e" | ".end" => self.ended = true,
            word if word.starts_with('.') && word.len() > 1 && word.as_bytes()[1].is_ascii_alphabetic() => {
                return Err(source
                    .error(first.span, format!("unknown directive `{word}`"))
                    .help("known are .i .o .p .s .r .ilb .ob .e"));
            }
            _ => self.row(source, first, rest, span)?,
        }
        Ok(())
    }

    fn row(
        &mut self,
        source: &Source,
        first: Word<'a>,
        rest: Vec<Word<'a>>,
        span: Range<usize>,
    ) -> Result<(), SpecError> {
        let count = rest.len() + 1;
        let Ok([from, to, output]) = <[Word<'a>; 3]>::try_from(rest) else {
            let message = format!("expected `inputs state next outputs`, but found {count} words");
            return Err(source.error(span, message));
        };
        let (Some((inputs, _)), Some((outputs, _))) = (&self.inputs, &self.outputs) else {
            return Err(source.error(span, "expected `.i` and `.o` before the first transition"));
        };
        for (word, width, what) in [(&first, *inputs, "inputs"), (&output, *outputs, "outputs")] {
            // A table without outputs shows `-` or nothing for them.
            if let Some(wrong) = word.text.find(|bit| !['0', '1', '-'].contains(&bit)) {
                let at = word.span.start + wrong;
                return Err(source.error(at..at + 1, "expected 0, 1 or -"));
            }
            if word.text.len() != width && width > 0 {
                let message = format!("expected {width} {what}, but found {}", word.text.len());
                return Err(source.error(word.span.clone(), message));
            }
        }
        self.rows.push(Row { words: [first, from, to, output], span });
        Ok(())
    }

    fn machine(self, source: &Source) -> Result<Machine, SpecError> {
        let Some((inputs, _)) = self.inputs.clone() else {
            return Err(SpecError::whole(source, format!("{} has no `.i` line", source.name)));
        };
        let Some((outputs, _)) = self.outputs.clone() else {
            return Err(SpecError::whole(source, format!("{} has no `.o` line", source.name)));
        };
        count_matches(source, &self.terms, self.rows.len(), "transitions")?;
        let mut builder = Builder::new();
        for letter in 0..1u32 << inputs {
            builder.input(&bits(letter, inputs));
        }
        // The initial state is the one `.r` names, or the first row's; it gets number 0 either way.
        if let Some(initial) = &self.initial {
            builder.state(initial.text);
        }
        for row in &self.rows {
            for word in &row.words[1..3] {
                if !["*", "-"].contains(&word.text) {
                    builder.state(word.text);
                }
            }
        }
        count_matches(source, &self.states, builder.state_count(), "states")?;
        let named: Vec<String> = (0..inputs).map(|signal| format!("i{signal}")).collect();
        let input_signals = signals(source, self.input_names.clone(), inputs, named, ".ilb")?;
        let named: Vec<String> = (0..outputs).map(|signal| format!("o{signal}")).collect();
        let output_signals = signals(source, self.output_names.clone(), outputs, named, ".ob")?;
        let mut spans = Vec::new();
        for row in &self.rows {
            self.expand(source, row, &mut builder, &mut spans)?;
        }
        if builder.state_count() > 0 {
            builder.initial(0);
        }
        let machine = super::build(source, builder, |transition| spans[transition].clone())?;
        Ok(machine.with_signals(input_signals, output_signals))
    }

    /// One transition for each letter of the row's cube, from each state it speaks of.
    fn expand(
        &self,
        source: &Source,
        row: &Row<'_>,
        builder: &mut Builder,
        spans: &mut Vec<Range<usize>>,
    ) -> Result<(), SpecError> {
        let [cube, from, to, output] = &row.words;
        if ["*", "-"].contains(&to.text) {
            return Ok(());
        }
        let next = builder.state(to.text);
        let answer: String = output.text.replace('-', "0");
        let width = self.outputs.as_ref().map_or(0, |(width, _)| *width);
        let output = (width > 0).then(|| builder.output(&answer));
        let from = match from.text {
            "*" | "-" => 0..builder.state_count() as u32,
            name => {
                let state = builder.state(name);
                state..state + 1
            }
        };
        let (mut fixed, mut free) = (0u32, Vec::new());
        for (signal, bit) in cube.text.bytes().enumerate() {
            match bit {
                b'1' => fixed |= 1 << signal,
                b'-' => free.push(signal),
                _ => {}
            }
        }
        if spans.len() + (from.len() << free.len()) > MOST_TRANSITIONS {
            let message = format!("the cubes stand for more than {MOST_TRANSITIONS} transitions");
            return Err(source.error(row.span.clone(), message));
        }
        for state in from {
            for choice in 0..1u32 << free.len() {
                let chosen = free.iter().enumerate().filter(|&(k, _)| choice >> k & 1 == 1);
                let letter = chosen.fold(fixed, |letter, (_, signal)| letter | 1 << signal);
                builder.add(state, letter, output, next);
                spans.push(row.span.clone());
            }
        }
        Ok(())
    }
}

/// A valuation as the file writes it: the first signal first.
fn bits(letter: u32, width: usize) -> String {
    (0..width).map(|signal| if letter >> signal & 1 == 1 { '1' } else { '0' }).collect()
}

fn declared(
    source: &Source,
    rest: &[Word<'_>],
    span: &Range<usize>,
) -> Result<(usize, Range<usize>), SpecError> {
    match rest {
        [word] => Ok((number(source, word, "a count")?, span.clone())),
        _ => Err(source.error(span.clone(), "expected one number")),
    }
}

fn count_matches(source: &Source, declared: &Declared, found: usize, what: &str) -> Result<(), SpecError> {
    match declared {
        Some((count, span)) if *count != found => Err(source
            .error(span.clone(), format!("{count} {what} are announced, but the table has {found}"))
            .help("correct the number, or restore the rows that are missing")),
        _ => Ok(()),
    }
}

fn signals(
    source: &Source,
    names: Option<(Vec<String>, Range<usize>)>,
    width: usize,
    otherwise: Vec<String>,
    directive: &str,
) -> Result<Vec<String>, SpecError> {
    match names {
        Some((names, span)) if names.len() != width => {
            Err(source.error(span, format!("`{directive}` names {} signals instead of {width}", names.len())))
        }
        Some((names, _)) => Ok(names),
        None => Ok(otherwise),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARBITER: &str = "# .ilb r_0 r_1\n# .ob g_0 g_1\n.i 2\n.o 2\n.p 5\n.s 2\n.r s0\n\
        00 s0 s0 00\n1- s0 s1 10\n01 s0 s0 01\n-0 s1 s0 00\n-1 s1 s1 0-\n.e\n";

    fn error(text: &str) -> SpecError {
        parse(&Source::new("m.kiss2", text)).unwrap_err()
    }

    #[test]
    fn cubes_become_valuations() {
        let machine = parse(&Source::new("m.kiss2", ARBITER)).unwrap();
        assert_eq!(machine.input_signals(), ["r_0", "r_1"]);
        assert_eq!(machine.inputs().iter().collect::<Vec<_>>(), ["00", "10", "01", "11"]);
        assert_eq!(machine.table(), [0, 1, 0, 1, 0, 0, 1, 1]);
        assert_eq!(machine.output(1, 3).map(|out| machine.outputs().name(out).into_owned()).unwrap(), "00");
        assert_eq!(machine.initial(), Some(0));
        assert!(machine.is_complete());
    }

    #[test]
    fn unspecified_next_states_stay_undefined_and_a_star_is_every_state() {
        let text = ".i 1\n.o 0\n0 a b -\n1 a * -\n1 b b -\n0 * b -\n";
        let machine = parse(&Source::new("m.kiss2", text)).unwrap();
        assert_eq!(machine.table(), [1, u32::MAX, 1, 1]);
        assert!(machine.outputs().is_empty());
    }

    #[test]
    fn errors_point_at_the_line() {
        for (text, line) in [
            (ARBITER.replace(".p 5", ".p 6"), 5),
            (ARBITER.replace(".s 2", ".s 3"), 6),
            (ARBITER.replace("# .ilb r_0 r_1", "# .ilb r_0"), 1),
            (ARBITER.replace("1- s0 s1 10", "1x s0 s1 10"), 9),
            (ARBITER.replace("1- s0 s1 10", "1- s0 s1"), 9),
            (ARBITER.replace("1- s0 s1 10", "1-- s0 s1 10"), 9),
            (ARBITER.replace("1- s0 s1 10", "-- s0 s1 10"), 9),
            (ARBITER.replace(".r s0", ".q s0"), 7),
            (ARBITER.replace(".i 2", ".i two"), 3),
            (ARBITER.replace(".i 2", ".i 40"), 3),
            (format!("{ARBITER}00 s0 s0 00\n"), 14),
        ] {
            let found = error(&text);
            assert_eq!(found.line_column().map(|place| place.0), Some(line), "{text}\n{found}");
        }
    }
}
