//! Words that are operators or constants, and names that could be taken for them.

use super::Op;
use super::token::{in_word, starts_word};

/// The operator that a word stands for where a formula begins.
pub(super) fn prefix_word(word: &str) -> Option<Op> {
    match &*plain(word)? {
        "not" => Some(Op::Not),
        "next" => Some(Op::Next),
        "eventually" => Some(Op::Finally),
        "always" => Some(Op::Globally),
        _ => None,
    }
}

/// The operator that a letter stands for where a formula begins.
pub(super) fn prefix_letter(letter: char) -> Option<Op> {
    match letter {
        'X' => Some(Op::Next),
        'N' => Some(Op::WeakNext),
        'F' => Some(Op::Finally),
        'G' => Some(Op::Globally),
        'Y' => Some(Op::Yesterday),
        'Z' => Some(Op::WeakYesterday),
        'O' => Some(Op::Once),
        'H' => Some(Op::Historically),
        _ => None,
    }
}

/// The operator that looks back which a word stands for where a formula begins and another one follows. Anywhere else
/// it is a name.
pub(super) fn past_word(word: &str) -> Option<Op> {
    match &*plain(word)? {
        "yesterday" => Some(Op::Yesterday),
        "once" => Some(Op::Once),
        "historically" => Some(Op::Historically),
        _ => None,
    }
}

/// The operator that looks back which a word stands for between two formulas. Anywhere else it is a name.
pub(super) fn past_binary(word: &str) -> Option<Op> {
    match word {
        "S" => return Some(Op::Since),
        "T" => return Some(Op::Triggered),
        _ => {}
    }
    match &*plain(word)? {
        "since" => Some(Op::Since),
        "triggered" => Some(Op::Triggered),
        _ => None,
    }
}

/// The operator that a word stands for between two formulas.
pub(super) fn binary_word(word: &str) -> Option<Op> {
    match word {
        "U" => return Some(Op::Until),
        "W" => return Some(Op::WeakUntil),
        "R" | "V" => return Some(Op::Release),
        "M" => return Some(Op::StrongRelease),
        _ => {}
    }
    match &*plain(word)? {
        "and" => Some(Op::And),
        "or" => Some(Op::Or),
        "xor" => Some(Op::Xor),
        "implies" => Some(Op::Implies),
        "iff" => Some(Op::Iff),
        "until" => Some(Op::Until),
        "release" | "releases" => Some(Op::Release),
        _ => None,
    }
}

/// The value of a constant's name.
pub(super) fn constant(word: &str) -> Option<bool> {
    match word {
        "tt" => Some(true),
        "ff" => Some(false),
        _ if word.eq_ignore_ascii_case("true") => Some(true),
        _ if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// Whether a word looks like `tt` or `ff` and is neither.
pub(super) fn almost_constant(word: &str) -> bool {
    constant(word).is_none() && ["tt", "ff"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// A word in small letters where it is written `always`, `Always` or `ALWAYS`; `aLways` is a name.
fn plain(word: &str) -> Option<String> {
    let small = |text: &str| text.chars().all(|letter| letter.is_ascii_lowercase());
    let large = word.chars().all(|letter| letter.is_ascii_uppercase());
    let as_written = word.get(1..).is_some_and(small) || large;
    as_written.then(|| word.to_ascii_lowercase())
}

/// Whether the name can stand in a formula without quotes, for us and for Spot.
///
/// Spot's names are made of letters, digits, `_` and `.`; leading `X`, `F` and `G` are operators there unless a
/// digit follows, and `S` and `first_match` are operators of its own.
pub(super) fn is_plain_name(name: &str) -> bool {
    let digit = |rest: &str| rest.starts_with(|next: char| next.is_ascii_digit());
    let operator_first = name.strip_prefix(['X', 'F', 'G']).is_some_and(|rest| !digit(rest));
    name.starts_with(starts_word)
        && name.chars().all(|letter| in_word(letter) && letter.is_ascii() && letter != '$')
        && !is_keyword(name)
        && !almost_constant(name)
        && !matches!(name, "S" | "first_match")
        && !operator_first
}

/// Whether a word is an operator or a constant for itself.
pub(crate) fn is_keyword(word: &str) -> bool {
    constant(word).is_some()
        || prefix_word(word).is_some()
        || binary_word(word).is_some()
        || word.chars().all(is_prefix)
}

pub(super) fn is_prefix(letter: char) -> bool {
    matches!(letter, 'X' | 'F' | 'G' | 'N')
}

/// How many letters at the start of a word are operators where no interface says which names there are: as
/// in Spot, `GFp0` is `G F p0`, but a letter before a digit belongs to the name. So does one before `_`, `.` or
/// `$`, where Spot sees an operator.
pub(super) fn glued(word: &str) -> usize {
    let mut letters = 0;
    while let Some(rest) = word[letters..].strip_prefix(['X', 'F', 'G']) {
        if rest.starts_with(|next: char| next.is_numeric() || matches!(next, '_' | '.' | '$')) {
            break;
        }
        letters += 1;
    }
    letters
}
