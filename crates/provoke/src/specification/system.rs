//! `[system]`: how to reach the system under test. Everything in it is relative to the specification file.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;

use super::file::SystemTable;
use super::load::beside;
use super::shape::ResetTable;
use super::{SystemChoice, Target};
use crate::diagnostic::{Source, SpecError};
use crate::letter::Interface;
use crate::system::{Mode, Protocol, WordReset};

/// What the table means, checked against the interface.
pub(super) fn choice(
    path: &Path,
    source: &Source,
    table: Option<&Spanned<SystemTable>>,
    interface: &Interface,
) -> Result<SystemChoice, SpecError> {
    let Some(table) = table else { return Ok(SystemChoice { pin: true, ..Default::default() }) };
    let whole = table.span();
    let SystemTable {
        model,
        command,
        tcp,
        start,
        cwd,
        env,
        retries,
        reset,
        protocol,
        pin,
        mode,
        states,
        cycle_ms,
    } = table.get_ref().clone();
    if let Some(empty) = [&command, &start].into_iter().flatten().find(|words| words.get_ref().is_empty()) {
        return Err(source.error(empty.span(), "an empty command cannot be started"));
    }
    if let (Some(start), None) = (&start, &tcp) {
        return Err(source
            .error(start.span(), "`start` starts a server, and no `tcp` address says where to reach it")
            .help("add tcp = \"127.0.0.1:7000\", or use `command` for a program that talks over its pipes"));
    }
    let program = |words: Spanned<Vec<String>>| in_place(path, words.into_inner());
    let target = match (model, command, tcp) {
        (None, None, None) => None,
        (Some(model), None, None) => Some(Target::Model(beside(path, model.get_ref()))),
        (None, Some(command), None) => Some(Target::Command(program(command))),
        (None, None, Some(address)) => Some(Target::Tcp(address.into_inner())),
        _ => {
            return Err(source
                .error(whole, "a system is a model, a command or a tcp address, not several")
                .help("keep one of the three keys"));
        }
    };
    let is_started = matches!(target, None | Some(Target::Command(_))) || start.is_some();
    let idle = [("cwd", cwd.as_ref().map(Spanned::span)), ("env", env.as_ref().map(Spanned::span))];
    if let Some((key, Some(span))) = idle.into_iter().find(|(_, span)| span.is_some() && !is_started) {
        return Err(source
            .error(span, format!("nothing is started here that `{key}` could be about"))
            .help("it belongs to `command`, or to `tcp` with `start`"));
    }
    if let Some(states) = states.as_ref().filter(|states| *states.get_ref() == 0) {
        return Err(source.error(states.span(), "a system has at least one state"));
    }
    if let Some(cycle) = cycle_ms.as_ref().filter(|cycle| *cycle.get_ref() == 0) {
        return Err(source.error(cycle.span(), "a cycle takes at least one millisecond"));
    }
    if let (Some(cycle), Some(Mode::Asynchronous)) = (&cycle_ms, mode) {
        let error = source.error(cycle.span(), "a system that talks when it likes is not sampled");
        return Err(error.help("`cycle_ms` belongs to a system that answers each input in turn"));
    }
    if let (Some(retries), false) = (&retries, matches!(target, Some(Target::Tcp(_)))) {
        return Err(source
            .error(retries.span(), "`retries` is about connections that are lost")
            .help("it belongs to a system with a `tcp` address"));
    }
    let mut chosen = SystemChoice {
        target,
        start: start.map(program),
        directory: cwd.map(|name| beside(path, name.get_ref())),
        retries: retries.map_or(0, Spanned::into_inner),
        states: states.map(Spanned::into_inner),
        cycle_ms: cycle_ms.map(Spanned::into_inner),
        pin: pin.unwrap_or(true),
        mode: protocol.as_ref().map_or_else(|| mode.unwrap_or_default(), |table| table.get_ref().mode(mode)),
        ..SystemChoice::default()
    };
    if let Some(env) = env {
        let odd = |(name, value): &(&String, &String)| {
            name.is_empty() || name.contains(['=', '\0']) || value.contains('\0')
        };
        if let Some((name, _)) = env.get_ref().iter().find(odd) {
            let message = format!("`{}` cannot be a variable of the environment", name.escape_debug());
            return Err(source.error(env.span(), message));
        }
        chosen.environment = env.into_inner();
    }
    let place = protocol.as_ref().map(Spanned::span);
    chosen.protocol = protocol.map(Spanned::into_inner).unwrap_or_default();
    if let (Some(reset), Some(_)) = (&reset, &chosen.protocol.reset) {
        return Err(source
            .error(reset.span(), "`reset` stands in [system] and in [system.protocol]")
            .help("keep one of the two"));
    }
    match reset.map(|reset| (reset.span(), reset.into_inner())) {
        None => {}
        Some((_, ResetTable::Line(line))) => chosen.protocol.reset = Some(line),
        Some((_, ResetTable::Synchronise(machine))) => chosen.synchronise = Some(beside(path, &machine)),
        Some((span, ResetTable::Word(word))) if word.is_empty() => {
            return Err(source.error(span, "a reset word has at least one input"));
        }
        Some((_, ResetTable::Word(word))) => {
            let letter = |text: &Spanned<String>| {
                WordReset::letter(&interface.inputs, text.get_ref())
                    .map_err(|error| source.error(text.span(), error.to_string()))
            };
            chosen.reset_word = Some(word.iter().map(letter).collect::<Result<_, _>>()?);
        }
    }
    if chosen.mode == Mode::Asynchronous {
        if interface.inputs.as_labels().is_none() {
            return Err(source
                .error(whole, "a system that talks when it likes needs letters for waiting and for silence")
                .help("name its inputs and outputs in a table [labels]"));
        }
        if chosen.reset_word.is_some() || chosen.synchronise.is_some() {
            return Err(source
                .error(whole, "a word of inputs resets a system that answers in turn")
                .help("let a reset start it anew, or give it a reset line"));
        }
    } else if let (Some(place), Some(key)) = (&place, chosen.protocol.only_asynchronous()) {
        let error = source.error(place.clone(), format!("{key}: only where mode = \"asynchronous\""));
        return Err(error.help("mode stands in [system]"));
    }
    // The usual protocol suits every interface, and a model that never needs one.
    if let Some(place) = place {
        check(source, place, &chosen.protocol, interface)?;
    }
    Ok(chosen)
}

/// A program named with a slash is relative to the specification file, like every path in it, wherever it runs.
fn in_place(path: &Path, mut command: Vec<String>) -> Vec<String> {
    if let Some(program) = command.first_mut()
        && program.contains('/')
    {
        let path = beside(path, program);
        *program = std::path::absolute(&path).unwrap_or(path).display().to_string();
    }
    command
}

/// Checks the protocol; an error is shown at its key.
fn check(
    source: &Source,
    table: Range<usize>,
    protocol: &Protocol,
    interface: &Interface,
) -> Result<(), SpecError> {
    protocol.check(interface).map_err(|error| {
        let error = error.to_string();
        let key = error.split(':').next().unwrap_or_default();
        let rest = source.text.get(table.start..).unwrap_or_default();
        let is_it = |&(at, _): &(usize, &str)| {
            let before = rest[..at].chars().next_back();
            let after = rest[at + key.len()..].trim_start();
            before.is_none_or(|c| c.is_whitespace() || matches!(c, '{' | ',')) && after.starts_with('=')
        };
        let place = rest.match_indices(key).find(is_it).map(|(at, _)| at + table.start);
        source.error(place.map_or(table, |at| at..at + key.len()), error)
    })
}
