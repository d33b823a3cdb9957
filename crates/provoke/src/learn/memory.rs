//! What was seen, as a file: the next campaign starts from it.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use super::tree::{Added, Notes, Tree};
use crate::diagnostic::{Source, SpecError, checksum};
use crate::letter::{Interface, Letter};
use crate::trace::Step;

/// What campaigns have seen of a system: each starts from what is kept here, and keeps what it has seen.
#[derive(Debug)]
pub struct Memory(Mutex<Tree>);

impl Memory {
    /// A memory of what was seen before.
    pub fn new(seen: Tree) -> Memory {
        Memory(Mutex::new(seen))
    }

    /// What was seen.
    pub fn recall(&self) -> Tree {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps this instead.
    pub fn keep(&self, seen: &Tree) {
        let mut seen = seen.clone();
        // What may not be sent depends on what is pursued.
        seen.unbar();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }
}

/// How the file begins, and the version that is written and the highest that is read. The first had no sum at its end, and the
/// first two did not say what was made of it.
const TITLE: &str = "provoke memory ";
const VERSION: u64 = 3;

/// How the last line begins: the sum of everything before it.
const SUM: &str = "sum ";

/// Writes everything that was seen: the letters, then one node a line (the node before it, input, answer), then the nodes
/// after which the system has ended, what was made of it (answers that say that nothing has changed, and words that lead to states), and
/// a sum that tells whether the file is as it was written.
pub fn write_memory(tree: &Tree, interface: &Interface) -> String {
    let mut text = format!("{TITLE}{VERSION}\n");
    let letters = |text: &mut String, what: &str, shown: Vec<String>| {
        let _ = writeln!(text, "{what} {}", shown.len());
        for letter in shown {
            let _ = writeln!(text, "{}", serde_json::Value::String(letter));
        }
    };
    let shown = |count: usize, show: &dyn Fn(u32) -> String| (0..count as u32).map(show).collect::<Vec<_>>();
    let inputs = shown(tree.inputs(), &|number| interface.inputs.show(tree.input(number)).to_string());
    letters(&mut text, "inputs", inputs);
    let outputs = shown(tree.outputs(), &|number| interface.outputs.show(tree.output(number)).to_string());
    letters(&mut text, "outputs", outputs);
    let _ = writeln!(text, "nodes {}", tree.len() - 1);
    for node in 1..tree.len() as u32 {
        let before = tree.before(node).unwrap_or(0);
        let _ = writeln!(text, "{before} {} {}", tree.sent(node), tree.answer(node));
    }
    let ends: Vec<String> =
        (0..tree.len() as u32).filter(|&at| tree.has_ended(at)).map(|at| at.to_string()).collect();
    let _ = writeln!(text, "ends {}", ends.join(" "));
    let joined = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let Notes { idle, words } = &tree.notes;
    let _ = writeln!(text, "idle {}", joined(idle));
    let _ = writeln!(text, "states {}", words.len());
    for word in words {
        let _ = writeln!(text, "{}", joined(word));
    }
    let sum = checksum(text.bytes());
    let _ = writeln!(text, "{SUM}{sum:016x}");
    text
}

/// Reads what [`write_memory`] wrote, for a tree of at most so many nodes.
pub fn read_memory(source: &Source, interface: &Interface, nodes: usize) -> Result<Tree, SpecError> {
    let mut offset = 0;
    let mut lines = source.text.split_inclusive('\n').map(|line| {
        let start = offset;
        offset += line.len();
        (start..start + line.trim_end().len(), line.trim_end())
    });
    let mut next = |what: &str| {
        let line = lines.next();
        line.ok_or_else(|| SpecError::whole(source, format!("this memory ends where {what} should be")))
    };
    let wrong = |(span, _): (std::ops::Range<usize>, &str), what: &str| {
        source.error(span, format!("expected {what}"))
    };
    let title = next("its version")?;
    let version = title.1.strip_prefix(TITLE).and_then(|version| version.parse::<u64>().ok());
    match version {
        Some(1) => {}
        // What is damaged would be learnt from, and the system blamed for it.
        Some(version) if version <= VERSION => is_as_written(source)?,
        Some(version) => {
            let known = format!("and this program knows versions up to {VERSION}");
            return Err(source.error(title.0, format!("this memory has version {version}, {known}")));
        }
        None => return Err(wrong(title, &format!("`{TITLE}{VERSION}`"))),
    }
    let mut letters: [Vec<Letter>; 2] = [Vec::new(), Vec::new()];
    for (what, alphabet, into) in [("inputs", &interface.inputs, 0), ("outputs", &interface.outputs, 1)] {
        let line = next(what)?;
        let Some(count) = counted(line.1, what) else { return Err(wrong(line, &format!("`{what} N`"))) };
        for _ in 0..count {
            let line = next("a letter")?;
            let text: Result<String, _> = serde_json::from_str(line.1);
            let Ok(text) = text else { return Err(wrong(line, "a letter in quotes")) };
            let letter = match alphabet.as_labels().is_some() {
                true => alphabet.label(&text),
                false => alphabet.parse(&text),
            };
            letters[into].push(letter.map_err(|error| source.error(line.0, error.to_string()))?);
        }
    }
    let mut tree = Tree::new(nodes);
    let line = next("nodes")?;
    let Some(count) = counted(line.1, "nodes") else { return Err(wrong(line, "`nodes N`")) };
    for _ in 0..count {
        let line = next("a node")?;
        let numbers: Option<Vec<u32>> = line.1.split(' ').map(|word| word.parse().ok()).collect();
        let found = match numbers.as_deref() {
            Some(&[before, input, output]) if (before as usize) < tree.len() => {
                let input = letters[0].get(input as usize).copied();
                let output = letters[1].get(output as usize).copied();
                input.zip(output).map(|(input, output)| (before, Step { input, output }))
            }
            _ => None,
        };
        let Some((before, step)) = found else {
            return Err(wrong(line, "a node before it, an input and an answer"));
        };
        match tree.add(before, &step) {
            Added::At(_) => {}
            // There is less room than there was; what is left is a tree all the same.
            Added::Full => return Ok(tree),
            Added::Contradiction(_) => return Err(wrong(line, "one answer to one word")),
        }
    }
    let line = next("ends")?;
    let Some(ends) = line.1.strip_prefix("ends") else { return Err(wrong(line, "`ends`")) };
    for end in ends.split_whitespace() {
        match end.parse::<u32>() {
            Ok(end) if (end as usize) < tree.len() => tree.end(end),
            _ => return Err(wrong(line, "nodes")),
        }
    }
    if version.is_some_and(|version| version < 3) {
        return Ok(tree);
    }
    let numbers =
        |text: &str, letters: &[Letter], number: &mut dyn FnMut(Letter) -> u32| -> Option<Vec<u32>> {
            let places = text.split_whitespace().map(|word| word.parse::<usize>().ok());
            places.map(|place| Some(number(*letters.get(place?)?))).collect()
        };
    let line = next("idle")?;
    let idle = line.1.strip_prefix("idle");
    let Some(idle) =
        idle.and_then(|idle| numbers(idle, &letters[1], &mut |letter| tree.output_number(letter)))
    else {
        return Err(wrong(line, "`idle` and outputs"));
    };
    let line = next("states")?;
    let Some(count) = counted(line.1, "states") else { return Err(wrong(line, "`states N`")) };
    let mut words = Vec::new();
    for _ in 0..count {
        let line = next("a word")?;
        let word = numbers(line.1, &letters[0], &mut |letter| tree.input_number(letter));
        words.push(word.ok_or_else(|| wrong(line, "inputs"))?);
    }
    tree.notes = Notes { idle, words };
    Ok(tree)
}

/// Whether the sum at the end is that of everything before it.
fn is_as_written(source: &Source) -> Result<(), SpecError> {
    let text = &source.text;
    let last = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
    let said = text[last..].strip_prefix(SUM).and_then(|said| said.strip_suffix('\n'));
    let sum = format!("{:016x}", checksum(text[..last].bytes()));
    match said {
        Some(said) if said == sum => Ok(()),
        Some(_) => Err(source.error(
            last..text.trim_end().len(),
            "this memory is damaged: it is not as it was written".to_owned(),
        )),
        None => Err(SpecError::whole(
            source,
            "this memory is damaged: it ends before its sum, or goes on after it".to_owned(),
        )),
    }
}

fn counted(line: &str, what: &str) -> Option<usize> {
    line.strip_prefix(what)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let interface = Interface::labels(["a", "b"], ["x", "y"]).unwrap();
        let mut tree = Tree::new(100);
        let step =
            |input, output| Step { input: Letter::from_index(input), output: Letter::from_index(output) };
        let Added::At(first) = tree.add(0, &step(1, 0)) else { panic!() };
        let Added::At(second) = tree.add(first, &step(0, 1)) else { panic!() };
        tree.end(second);
        tree.notes = Notes { idle: vec![1], words: vec![vec![], vec![0], vec![0, 1]] };
        let text = write_memory(&tree, &interface);
        let read = read_memory(&Source::new("m", &*text), &interface, 100).unwrap();
        assert_eq!(write_memory(&read, &interface), text);
        assert_eq!(read.trace(second), tree.trace(second));
        assert!(read.is_end(second));
        assert_eq!(read.notes, tree.notes);
        let bad = text.replace("provoke memory 3", "provoke memory 4");
        assert!(read_memory(&Source::new("m", bad), &interface, 100).is_err());
        let read = |text: &str| read_memory(&Source::new("m", text), &interface, 100);
        for at in 0..text.len() {
            assert!(read(&text[..at]).is_err(), "cut at {at}");
            let mut damaged = text.clone().into_bytes();
            damaged[at] ^= 1;
            let damaged = String::from_utf8(damaged).unwrap();
            assert!(read(&damaged).is_err(), "{damaged}");
        }
        assert!(read(&format!("{text}xx")).is_err());
        // The first version had no sum, and did not say what was made of it.
        let lines: Vec<&str> = text.lines().collect();
        let first = lines[..lines.len() - 6].join("\n").replace("provoke memory 3", "provoke memory 1");
        tree.notes = Notes::default();
        assert_eq!(write_memory(&read(&first).unwrap(), &interface), write_memory(&tree, &interface));
    }
}
