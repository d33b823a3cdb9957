//! What stands on an edge: an input, or an input and an output.

use crate::format::html::plain;

/// Attributes that say in a JSON string what the input and the output of an edge are, where its label would be read otherwise.
pub(super) const INPUT: &str = "provoke_input";
pub(super) const OUTPUT: &str = "provoke_output";

/// Splits an edge's label into its inputs and its output.
///
/// `i/o` and `i / o` are an input and an output; where a spaced slash occurs it is the one that separates,
/// otherwise the first slash. Several inputs of one edge are separated by ` | ` outside parentheses. In an HTML label, tags are
/// dropped and the first line break separates input and output.
pub(super) fn split(label: &str, html: bool) -> (Vec<String>, Option<String>) {
    let (input, output) = if html { split_html(label) } else { split_text(label) };
    let inputs = alternatives(&input).into_iter().map(|input| input.trim().to_owned()).collect();
    (inputs, output.map(|output| output.trim().to_owned()))
}

/// The parts between ` | `, except within parentheses: there it belongs to a guard.
fn alternatives(input: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    for (at, character) in input.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 && input[start..at].ends_with(' ') && input[at + 1..].starts_with(' ') => {
                parts.push(&input[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&input[start..]);
    parts
}

fn split_text(label: &str) -> (String, Option<String>) {
    match label.split_once(" / ").or_else(|| label.split_once('/')) {
        Some((input, output)) => (input.to_owned(), Some(output.to_owned())),
        None => (label.to_owned(), None),
    }
}

fn split_html(label: &str) -> (String, Option<String>) {
    match label.split_once("<br") {
        Some((input, rest)) => {
            let output = rest.split_once('>').map_or("", |(_, output)| output);
            (plain(input), Some(plain(output)))
        }
        None => split_text(&plain(label)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(label: &str, html: bool, inputs: &[&str], output: Option<&str>) {
        let (found, answer) = split(label, html);
        assert_eq!((found.as_slice(), answer.as_deref()), (inputs.map_owned().as_slice(), output), "{label}");
    }

    trait MapOwned {
        fn map_owned(&self) -> Vec<String>;
    }
    impl MapOwned for [&str] {
        fn map_owned(&self) -> Vec<String> {
            self.iter().map(|&text| text.to_owned()).collect()
        }
    }

    #[test]
    fn labels_of_the_usual_tools() {
        check("a/0", false, &["a"], Some("0"));
        check("coin/ beep", false, &["coin"], Some("beep"));
        check("ABORT / OK", false, &["ABORT"], Some("OK"));
        check("a/b / c", false, &["a/b"], Some("c"));
        check("a/", false, &["a"], Some(""));
        check("d", false, &["d"], None);
        check("Finished<br />Alert / Closed", true, &["Finished"], Some("Alert / Closed"));
        check("(a | b) & c | d / x", false, &["(a | b) & c", "d"], Some("x"));
        check("A | B<br/>C", true, &["A", "B"], Some("C"));
        check("<table><tr><td>i</td><td>/</td><td>o &lt; 3</td></tr></table>", true, &["i"], Some("o < 3"));
    }
}
