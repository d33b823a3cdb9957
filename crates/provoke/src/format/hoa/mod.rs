//! Automata as text: the Hanoi omega-automata format, HOA v1.
//!
//! [`parse_hoa`] reads the text and resolves every reference inside it (propositions, aliases, states,
//! acceptance sets); [`crate::automaton::read_hoa`] turns the result into an automaton.
//!
//! The format is that of <http://adl.github.io/hoaf/>. Departures: one automaton a file; no alternation (a
//! `&` between states is an error); acceptance is `t`, a conjunction of `Inf` or one of `Fin`, that is
//! a monitor, a Büchi, a generalised Büchi or a co-Büchi automaton; a header that starts with a small letter and is unknown is skipped, as
//! the format demands, unless it looks like a misspelt known one. Files that call themselves `v1.1`, a draft
//! that some tools write, are read too: it adds dots in names and negated properties.

mod acceptance;
mod body;
mod header;
mod label;
mod token;

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::diagnostic::{Source, SpecError};
use token::{Token, Words};

pub use label::{Label, LabelOp};

/// A HOA file, its references resolved but its propositions not yet given a meaning.
#[derive(Clone, Debug, Default)]
pub struct Hoa {
    /// What `name:` says.
    pub name: Option<String>,
    /// The initial states; more than one means that the automaton guesses.
    pub starts: Vec<(u32, Range<usize>)>,
    /// The propositions of `AP:`, in order.
    pub propositions: Vec<(String, Range<usize>)>,
    /// The propositions of `controllable-AP:` (the system's outputs), if the file has this header.
    pub controllable: Option<Vec<(u32, Range<usize>)>>,
    /// The expressions of the aliases, in order; each refers only to earlier ones.
    pub aliases: Vec<(String, Label)>,
    by_alias: FxHashMap<String, u32>,
    /// The acceptance sets that must all be visited infinitely often.
    pub recurring: Vec<u32>,
    /// The acceptance sets that must not be visited infinitely often: a co-Büchi automaton. Then none must recur.
    pub ceasing: Vec<u32>,
    /// The states, in the order of the file. No number occurs twice.
    pub states: Vec<HoaState>,
    /// One more than the largest number of a state.
    pub state_count: u32,
}

/// One state of a [`Hoa`].
#[derive(Clone, Debug)]
pub struct HoaState {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: Option<String>,
    /// The label of all its edges, where it stands at the state.
    pub label: Option<Label>,
    /// The acceptance sets it is in.
    pub sets: Vec<u32>,
    /// Its edges: all labelled, or none because the state is, or none because the labels are implicit; then
    /// there are none at all or one for each valuation of the propositions.
    pub edges: Vec<HoaEdge>,
    /// Where its `State:` line stands.
    pub span: Range<usize>,
}

/// One edge of a [`Hoa`].
#[derive(Clone, Debug)]
pub struct HoaEdge {
    /// Its own label.
    pub label: Option<Label>,
    /// The state it leads to.
    pub to: u32,
    /// The acceptance sets it is in.
    pub sets: Vec<u32>,
    /// Where it stands.
    pub span: Range<usize>,
}

/// Reads the text of a HOA file.
pub fn parse_hoa(source: &Source) -> Result<Hoa, SpecError> {
    let mut words = Words::new(source)?;
    let (mut hoa, limits) = header::read_header(&mut words)?;
    body::read_body(&mut words, &mut hoa, &limits)?;
    match words.peek().token {
        Token::Over => Ok(hoa),
        Token::Header(_) => Err(source
            .error(words.peek().span.clone(), "a second automaton begins here")
            .help("put each automaton into a file of its own")),
        _ => {
            let error = words.expected("nothing more after `--END--`");
            Err(error.help("take out what follows"))
        }
    }
}

/// The error for `--ABORT--`, which may stand anywhere.
fn aborted(words: &Words<'_>) -> SpecError {
    let error = words.source.error(words.peek().span.clone(), "the automaton is broken off here");
    error.help("the tool that wrote this file gave up; run it again")
}
