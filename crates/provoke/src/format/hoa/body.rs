//! The part of a HOA file between `--BODY--` and `--END--`.

use rustc_hash::FxHashMap;

use super::acceptance::no_such_set;
use super::header::{Limits, alias_position, alternation, check_propositions};
use super::label::{Label, read_label};
use super::token::{Token, Word, Words};
use super::{Hoa, HoaEdge, HoaState, aborted};
use crate::diagnostic::SpecError;

/// Reads the states and `--END--`.
pub(super) fn read_body(words: &mut Words<'_>, hoa: &mut Hoa, limits: &Limits) -> Result<(), SpecError> {
    let mut lines: FxHashMap<u32, usize> = FxHashMap::default();
    let mut count = hoa.starts.iter().map(|(state, _)| state + 1).max().unwrap_or(0);
    loop {
        let Word { token, span } = words.peek().clone();
        match token {
            Token::Header(name) if name == "State" => {
                let state = read_state(words, hoa, limits)?;
                if let Some(first) = lines.insert(state.number, state.span.start) {
                    let (line, _) = words.source.line_column(first);
                    let message = format!("state {} is defined twice", state.number);
                    let error = words.source.error(state.span, message);
                    return Err(error.help(format!("the first definition is in line {line}")));
                }
                check_labels(words, hoa, &state)?;
                let targets = state.edges.iter().map(|edge| edge.to);
                count = targets.chain([state.number]).fold(count, |count, state| count.max(state + 1));
                hoa.states.push(state);
            }
            Token::End => {
                check_targets(words, hoa, &lines)?;
                words.take()?;
                hoa.state_count = count;
                return Ok(());
            }
            Token::Abort => return Err(aborted(words)),
            Token::Header(_) => {
                let error = words.source.error(span, "a header in the body");
                return Err(error.help("headers stand before `--BODY--`; a state is written `State: 0`"));
            }
            Token::Over => {
                return Err(words
                    .expected("a state or `--END--`")
                    .help("finish the automaton with `--END--`"));
            }
            _ => return Err(words.expected("`State:` or `--END--`").help("a state is written `State: 0`")),
        }
    }
}

/// A state that is never defined is a slip: nothing could be done in it.
fn check_targets(words: &Words<'_>, hoa: &Hoa, lines: &FxHashMap<u32, usize>) -> Result<(), SpecError> {
    let edges = hoa.states.iter().flat_map(|state| &state.edges).map(|edge| (edge.to, &edge.span));
    let mut mentions = hoa.starts.iter().map(|(state, span)| (*state, span)).chain(edges);
    match mentions.find(|(state, _)| !lines.contains_key(state)) {
        None => Ok(()),
        Some((state, span)) => {
            let error = words.source.error(span.clone(), format!("state {state} is never defined"));
            Err(error
                .help(format!("add `State: {state}`; without edges, every step from there is a violation")))
        }
    }
}

fn read_state(words: &mut Words<'_>, hoa: &Hoa, limits: &Limits) -> Result<HoaState, SpecError> {
    let start = words.take()?.span.start;
    let label = read_bracketed(words, hoa)?;
    let (number, span) = words.number("the state's number")?;
    limits.check_state(words, number, span)?;
    let name = match &words.peek().token {
        Token::Text(name) => {
            let name = name.clone();
            words.take()?;
            Some(name)
        }
        _ => None,
    };
    let sets = read_sets(words, limits)?;
    let span = start..words.end;
    let mut edges = Vec::new();
    while let Token::Symbol('[') | Token::Number(_) = words.peek().token {
        edges.push(read_edge(words, hoa, limits)?);
    }
    Ok(HoaState { number, name, label, sets, edges, span })
}

fn read_edge(words: &mut Words<'_>, hoa: &Hoa, limits: &Limits) -> Result<HoaEdge, SpecError> {
    let start = words.peek().span.start;
    let label = read_bracketed(words, hoa)?;
    let (to, span) = words.number("the state the edge leads to")?;
    limits.check_state(words, to, span)?;
    if matches!(words.peek().token, Token::Symbol('&')) {
        return Err(alternation(words));
    }
    let sets = read_sets(words, limits)?;
    Ok(HoaEdge { label, to, sets, span: start..words.end })
}

/// A label in brackets, if one stands here.
fn read_bracketed(words: &mut Words<'_>, hoa: &Hoa) -> Result<Option<Label>, SpecError> {
    if words.take_if(&Token::Symbol('['))?.is_none() {
        return Ok(None);
    }
    let label = read_label(words, |name| alias_position(hoa, name))?;
    if words.take_if(&Token::Symbol(']'))?.is_none() {
        return Err(words.expected("`&`, `|` or `]`").help("a label ends with `]`"));
    }
    check_propositions(words, hoa, &label)?;
    Ok(Some(label))
}

/// The acceptance sets in braces, if any stand here.
fn read_sets(words: &mut Words<'_>, limits: &Limits) -> Result<Vec<u32>, SpecError> {
    let mut sets = Vec::new();
    if words.take_if(&Token::Symbol('{'))?.is_none() {
        return Ok(sets);
    }
    loop {
        if words.take_if(&Token::Symbol('}'))?.is_some() {
            return Ok(sets);
        }
        let (set, span) = words.number("an acceptance set or `}`")?;
        if set >= limits.sets {
            return Err(no_such_set(words, set, limits.sets, span));
        }
        sets.push(set);
    }
}

/// Labels stand at the state, or at every edge, or nowhere; then there must be an edge for each valuation.
fn check_labels(words: &Words<'_>, hoa: &Hoa, state: &HoaState) -> Result<(), SpecError> {
    let labelled = state.edges.iter().find(|edge| edge.label.is_some());
    let bare = state.edges.iter().find(|edge| edge.label.is_none());
    match (&state.label, labelled, bare) {
        (Some(_), Some(edge), _) => {
            let error =
                words.source.error(edge.span.clone(), "this edge has a label, but its state has one too");
            Err(error.help("a label at the state is the label of all its edges; keep one of them"))
        }
        (None, Some(_), Some(edge)) => {
            let error =
                words.source.error(edge.span.clone(), "this edge has no label, but others of its state have");
            Err(error.help("write `[t]` before it if every exchange may take it"))
        }
        (None, None, Some(_)) => {
            let propositions = hoa.propositions.len();
            let edges = state.edges.len();
            if u32::try_from(propositions).ok().and_then(|bits| 1usize.checked_shl(bits)) == Some(edges) {
                return Ok(());
            }
            let message = format!("{edges} edges without labels where 2^{propositions} are needed");
            let error = words.source.error(state.span.clone(), message);
            Err(error.help("without labels there must be one edge for each valuation of the propositions, in binary order; or write labels in brackets"))
        }
        _ => Ok(()),
    }
}
