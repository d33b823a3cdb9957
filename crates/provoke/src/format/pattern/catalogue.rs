//! The sentences we know. This table is the grammar.

use std::sync::LazyLock;

use super::template::{Item, template};

/// Which stretches of the trace a sentence speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    Globally,
    Before,
    After,
    Between,
    AfterUntil,
}

/// What it says about each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Absence,
    Universality,
    Existence,
    BoundedExistence,
    Precedence,
    /// One cause before a chain of effects.
    CauseOfChain,
    /// A chain of causes before one effect.
    ChainOfCauses,
    Response,
    /// A chain of responses to one stimulus.
    ChainOfResponses,
    /// A response to a chain of stimuli.
    ResponseToChain,
    Invariant,
}

const SCOPE_TEMPLATES: &[(Scope, &str)] = &[
    (Scope::Globally, "[globally]"),
    (Scope::Before, "before {r}"),
    (Scope::After, "after {q}"),
    (Scope::Between, "between {q} and {r}"),
    (Scope::AfterUntil, "after {q} until {r}"),
];

/// `{p}` and `{s}` as in the literature; `{s}` may be filled more than once, in the order of the sentence.
const BODY_TEMPLATES: &[(Kind, &str)] = &[
    (Kind::Absence, "(it is never (the case|true) that|never) {p} [(holds|hold|is true)]"),
    (Kind::Absence, "{p} never (holds|occurs)"),
    (Kind::Universality, "(it is always (the case|true) that|always) {p} [(holds|hold|is true)]"),
    (Kind::Universality, "{p} always holds"),
    (Kind::Existence, "{p} eventually (holds|occurs) [within (# (steps|step)|~)]"),
    (Kind::Existence, "{p} (holds|occurs) eventually"),
    (Kind::Existence, "eventually {p} (holds|occurs) [within (# (steps|step)|~)]"),
    (Kind::BoundedExistence, "transitions to states in which {p} holds occur at most # [(times|time)]"),
    (
        Kind::Precedence,
        "[it is always (the case|true) that] if {p} (holds|occurs|has occurred) [then] {s} previously held",
    ),
    (
        Kind::Precedence,
        "[it is always (the case|true) that] if {p} (holds|occurs|has occurred) [then] it must have been the case \
         that {s} has occurred [before it]",
    ),
    (
        Kind::CauseOfChain,
        "[it is always (the case|true) that] if {s} holds <and is succeeded by {s}> [then] {p} previously held",
    ),
    (
        Kind::CauseOfChain,
        "[it is always (the case|true) that] if {s} <and afterwards {s}> (holds|hold|have occurred) [then] it must \
         have been the case that {p} has occurred [before it]",
    ),
    (
        Kind::ChainOfCauses,
        // `t` is `s` in reverse: the sentence names the later cause first.
        "[it is always (the case|true) that] if {p} (holds|occurs|has occurred) [then] {t} previously held \
         <and was preceded by {t}>",
    ),
    (
        Kind::ChainOfCauses,
        "[it is always (the case|true) that] if {p} (holds|occurs|has occurred) [then] it must have been the case \
         that {s} <and afterwards {s}> have occurred [before it]",
    ),
    (
        Kind::Response,
        "[it is always (the case|true) that] if {p} (holds|occurs|has occurred) [then] [in response] {s} eventually \
         (holds|occurs) [within (# (steps|step)|~)]",
    ),
    (
        Kind::ChainOfResponses,
        "[it is always (the case|true) that] if {p} (holds|occurs|has occurred) [then] [in response] {s} eventually \
         holds <and is succeeded by {s}>",
    ),
    (
        Kind::ChainOfResponses,
        "[it is always (the case|true) that] if {p} (holds|occurs|has occurred) [then] in response {s} \
         <followed by {s}> eventually (holds|hold)",
    ),
    (
        Kind::ResponseToChain,
        // `e` echoes the last stimulus.
        "[it is always (the case|true) that] if {s} holds <and is succeeded by {s}> [then] [in response] {p} \
         eventually holds [after {e}]",
    ),
    (
        Kind::ResponseToChain,
        "[it is always (the case|true) that] if {s} <followed by {s}> (have|has) occurred [then] [in response] {p} \
         eventually holds",
    ),
    (
        Kind::Invariant,
        "[it is always (the case|true) that] if {p} (holds|occurs|has occurred) [then] {s} (holds|is true) \
         [(as well|(within|after at most) (# (steps|step)|~))]",
    ),
];

type Templates<T> = LazyLock<Vec<(T, Vec<Item>)>>;

/// The openings of sentences.
pub(super) static SCOPES: Templates<Scope> =
    LazyLock::new(|| SCOPE_TEMPLATES.iter().map(|(scope, text)| (*scope, template(text))).collect());

/// What may follow an opening.
pub(super) static BODIES: Templates<Kind> =
    LazyLock::new(|| BODY_TEMPLATES.iter().map(|(kind, text)| (*kind, template(text))).collect());

/// All templates, for the words they use.
pub(super) fn templates() -> impl Iterator<Item = &'static [Item]> {
    let scopes = SCOPES.iter().map(|(_, items)| &**items);
    scopes.chain(BODIES.iter().map(|(_, items)| &**items))
}

/// The scopes and patterns, each pattern in its shortest form: the help under an error.
pub fn forms() -> String {
    [
        "a sentence is `scope, pattern`, with expressions in braces where they are not plain names",
        "scopes:",
        "  Globally | Before r | After q | Between q and r | After q until r",
        "patterns:",
        "  it is never the case that p holds",
        "  it is always the case that p holds",
        "  p eventually holds [within 3 steps]",
        "  transitions to states in which p holds occur at most 2 times",
        "  it is always the case that if p holds then s holds [within 3 steps]",
        "  if p holds then s previously held [and was preceded by t]",
        "  if s holds and is succeeded by t then p previously held",
        "  if p has occurred then in response s eventually holds [and is succeeded by t]",
        "  if s holds and is succeeded by t then p eventually holds",
    ]
    .join("\n")
}
