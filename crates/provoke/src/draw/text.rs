//! Text in pictures: how wide it is, where it breaks, and what XML must not see.

/// The longest line of an edge label, in characters.
const LINE: usize = 32;
/// The most lines of an edge label; the rest is in its tooltip.
const LINES: usize = 8;

/// The lines of an edge label: its own, and long ones broken after an operator.
pub(super) fn wrap(label: &str) -> Vec<String> {
    let mut lines: Vec<String> = label.lines().flat_map(wrap_line).collect();
    if lines.len() > LINES {
        lines.truncate(LINES - 1);
        lines.push("...".to_owned());
    }
    lines
}

fn wrap_line(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    // Break before ` |` where there is one, else before any word.
    let separator = if line.contains(" | ") { " | " } else { " " };
    let joint = separator.trim_end();
    for (at, part) in line.split(separator).enumerate() {
        let last = lines.last_mut().expect("there is always a line");
        let length = last.chars().count() + separator.len() + part.chars().count();
        if at > 0 && length > LINE {
            lines.push(format!("{}{part}", if joint.is_empty() { "" } else { "| " }));
        } else {
            last.push_str(if at == 0 { "" } else { separator });
            last.push_str(part);
        }
    }
    lines.into_iter().map(|line| clip(&line, 2 * LINE)).collect()
}

/// The text, cut to a length.
pub(super) fn clip(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// How wide a text is in a font of this size, about. Wide scripts count double.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let wide = |c: char| matches!(c as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0x1f300..=0x1faff | 0x20000..=0x3fffd);
    text.chars().map(|c| if wide(c) { 1.1 } else { 0.62 }).sum::<f64>() * size
}

/// The text as XML character data or attribute value. Characters that XML forbids are replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_break_before_an_or() {
        let label = "request & !grant | cancel & idle | reset & done & last";
        assert_eq!(wrap(label), ["request & !grant | cancel & idle", "| reset & done & last"]);
        assert_eq!(wrap("short"), ["short"]);
        assert_eq!(wrap("").len(), 0);
        assert_eq!(wrap(&"x\n".repeat(50)).len(), 8);
        assert!(wrap(&"x".repeat(5000))[0].len() < 70);
    }

    #[test]
    fn hostile_text_is_harmless() {
        assert_eq!(escape("<script>&\"'\u{0}\u{1b}"), "&lt;script&gt;&amp;&quot;&#39;\u{fffd}\u{fffd}");
    }
}
