//! Manual pages, made of the same catalogue of commands and options as `--help` and the completions.

use std::path::Path;

use anyhow::{Context, Result};
use clap::Command;

use crate::output::{mention, write_whole};

/// Writes one page a command.
pub(crate) fn write(mut command: Command, folder: &Path) -> Result<()> {
    command.build();
    std::fs::create_dir_all(folder)
        .with_context(|| format!("failed to make the folder {}", folder.display()))?;
    let mut pages = vec![("provoke".to_owned(), command.clone())];
    for one in command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help") {
        pages.push((format!("provoke-{}", one.get_name()), one.clone()));
    }
    for (name, command) in &pages {
        write_whole(&folder.join(format!("{name}.1")), page(name, command))?;
    }
    mention(format_args!("{} manual pages in {}", pages.len(), folder.display()));
    Ok(())
}

/// One page in the language of manual pages.
fn page(name: &str, command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(".TH \"{}\" 1 \"\" \"provoke {version}\"\n", escaped(&name.to_uppercase()));
    text += &format!(".SH NAME\n{} \\- {}\n", escaped(name), escaped(&about));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    text += &format!(".SH SYNOPSIS\n{}\n", escaped(usage));
    let mut positionals = command.get_positionals().filter(|arg| !arg.is_hide_set()).peekable();
    if positionals.peek().is_some() {
        text += ".SH ARGUMENTS\n";
        positionals.for_each(|arg| text += &entry(&arg.to_string(), arg));
    }
    text += ".SH OPTIONS\n";
    for arg in command.get_opts().chain(command.get_arguments().filter(|arg| is_flag(arg))) {
        if !arg.is_hide_set() {
            text += &entry(&arg.to_string(), arg);
        }
    }
    let mut commands = command.get_subcommands().filter(|one| !one.is_hide_set()).peekable();
    if commands.peek().is_some() {
        text += ".SH COMMANDS\n";
        for one in commands {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            text += &format!(".TP\n.B {}\n{}\n", escaped(one.get_name()), escaped(&about));
        }
    }
    if let Some(after) = command.get_after_help() {
        text += &format!(".SH EXIT STATUS\n.nf\n{}\n.fi\n", escaped(&after.to_string()));
    }
    text
}

fn is_flag(arg: &clap::Arg) -> bool {
    !arg.is_positional() && !arg.get_action().takes_values()
}

fn entry(name: &str, arg: &clap::Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    format!(".TP\n.B {}\n{}\n", escaped(name), escaped(&help))
}

/// Text in which nothing is a request.
fn escaped(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
