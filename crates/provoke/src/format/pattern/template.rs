//! Templates of sentences: words, choices, and places for expressions and numbers.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Word(&'static str),
    /// `{p}`: an expression, and the slot it fills.
    Expression(char),
    /// `#`: a number.
    Number,
    /// `~`: a time, as in `300 ms`.
    Time,
    /// `(a b|c)`
    Choice(Vec<Vec<Item>>),
    /// `[a b]`
    Optional(Vec<Item>),
    /// `<a b>`: once or more.
    Repeat(Vec<Item>),
}

/// Reads a template; ours are constants, so it does not expect faults.
pub(super) fn template(text: &'static str) -> Vec<Item> {
    let mut alternatives = Reader { text, at: 0 }.alternatives();
    alternatives.swap_remove(0)
}

struct Reader {
    text: &'static str,
    at: usize,
}

impl Reader {
    /// Sequences separated by `|`, up to a closing bracket or the end.
    fn alternatives(&mut self) -> Vec<Vec<Item>> {
        let mut found = vec![Vec::new()];
        while let Some(next) = self.text[self.at..].chars().next() {
            self.at += 1;
            let item = match next {
                ' ' => continue,
                '|' => {
                    found.push(Vec::new());
                    continue;
                }
                ')' | ']' | '>' => break,
                '(' => Item::Choice(self.alternatives()),
                '[' => Item::Optional(self.alternatives().swap_remove(0)),
                '<' => Item::Repeat(self.alternatives().swap_remove(0)),
                '#' => Item::Number,
                '~' => Item::Time,
                '{' => {
                    let slot = self.text[self.at..].chars().next().unwrap_or('p');
                    self.at += 2;
                    Item::Expression(slot)
                }
                _ => {
                    let rest = &self.text[self.at - 1..];
                    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()).max(1);
                    self.at += length - 1;
                    Item::Word(&rest[..length])
                }
            };
            if let Some(sequence) = found.last_mut() {
                sequence.push(item);
            }
        }
        found
    }
}

/// Whether a word belongs to the language of sentences. `and` and `true` also belong to expressions.
pub(super) fn is_reserved(word: &str) -> bool {
    static WORDS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
        let mut words = FxHashSet::default();
        super::catalogue::templates().for_each(|template| collect(template, &mut words));
        words.remove("and");
        words.remove("true");
        words
    });
    WORDS.contains(word)
}

fn collect(items: &[Item], words: &mut FxHashSet<&'static str>) {
    for item in items {
        match item {
            Item::Word(word) => drop(words.insert(word)),
            Item::Choice(choices) => choices.iter().for_each(|items| collect(items, words)),
            Item::Optional(items) | Item::Repeat(items) => collect(items, words),
            Item::Expression(_) | Item::Number | Item::Time => {}
        }
    }
}
