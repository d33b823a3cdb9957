//! `provoke init`: a commented specification and a program to begin with.

mod probe;
mod signals;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::exit::Exit;
use crate::output::say;

/// The arguments of `provoke init`.
#[derive(Args)]
pub(crate) struct InitArgs {
    /// What it is called: a folder of this name is made
    name: String,
    /// The language of the example program
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "python")]
    language: Language,
    /// Begin with a program that exists: it is run, a few inputs are tried, and its protocol is proposed
    #[arg(long, value_name = "COMMAND", conflicts_with = "language")]
    command: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    Python,
    C,
    Rust,
    Shell,
}

/// A file to be written: its name and its text.
type File = (String, String);

impl Language {
    /// The program, how it is built where it must be, and how it is started.
    fn program(self, name: &str) -> (File, Option<String>, Vec<String>) {
        let built = vec![format!("./{name}")];
        let (ending, text, build, command) = match self {
            Language::Python => {
                let command = vec!["python3".to_owned(), format!("{name}.py")];
                ("py", include_str!("init/program.py"), None, command)
            }
            Language::C => {
                ("c", include_str!("init/program.c"), Some(format!("cc -o {name} {name}.c")), built)
            }
            Language::Rust => {
                let build = format!("rustc -O -o {name} {name}.rs");
                ("rs", include_str!("init/program.rs.txt"), Some(build), built)
            }
            Language::Shell => {
                let command = vec!["sh".to_owned(), format!("{name}.sh")];
                ("sh", include_str!("init/program.sh"), None, command)
            }
        };
        ((format!("{name}.{ending}"), text.to_owned()), build, command)
    }
}

/// Writes the files and says what to type next.
pub(crate) fn run(args: &InitArgs) -> Result<Exit> {
    let name = &args.name;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_plain) {
        bail!("cannot use the name `{name}`: letters, digits, - and _ are allowed");
    }
    let folder = PathBuf::from(name);
    let (files, next) = match &args.command {
        Some(command) => {
            let proposal = probe::propose(command, name)?;
            (
                vec![(format!("{name}.toml"), proposal)],
                format!("cd {name} && provoke test {name}.toml --hunt"),
            )
        }
        None => example(name, args.language),
    };
    write_all(&folder, &files)?;
    let mut text: String = files
        .iter()
        .map(|(file, text)| format!("{}/{file}: {}\n", folder.display(), said(file, text)))
        .collect();
    text += &format!("next: {next}\n");
    say(text)?;
    Ok(Exit::Covered)
}

fn example(name: &str, language: Language) -> (Vec<File>, String) {
    let ((program, source), build, command) = language.program(name);
    let red = format!("{} faulty", command.join(" "));
    let listed = serde_json::Value::from(command).to_string().replace("\",\"", "\", \"");
    let filled = |text: &str, build: String| {
        let text = text.replace("{name}", name).replace("{command}", &listed).replace("{red}", &red);
        text.replace("{program}", &program).replace("{build}", &build)
    };
    let to_build = build.clone().unwrap_or_default();
    let shell = if build.is_some() { format!("$ {to_build}\n") } else { String::new() };
    let workflow = if build.is_some() { format!("- run: {to_build}\n      ") } else { String::new() };
    let files = vec![
        (format!("{name}.toml"), filled(include_str!("init/spec.toml"), String::new())),
        (program.clone(), source),
        ("example.trace".to_owned(), include_str!("init/example.trace").to_owned()),
        ("README.md".to_owned(), filled(include_str!("init/readme.md"), shell)),
        ("ci.yml".to_owned(), filled(include_str!("init/ci.yml"), workflow)),
    ];
    let build = build.map(|build| format!("{build} && ")).unwrap_or_default();
    (files, format!("cd {name} && {build}provoke test {name}.toml; provoke test {name}.toml -- {red}"))
}

/// What a file is, in a few words.
fn said(file: &str, text: &str) -> &'static str {
    match file {
        "README.md" => "what to type",
        "ci.yml" => "the same in continuous integration",
        "example.trace" => "a recorded run",
        _ if text.contains("[system]") => "what must hold",
        _ => "the program, and a fault in it",
    }
}

/// Writes files into a new or empty place; nothing that is there is touched.
fn write_all(folder: &Path, files: &[File]) -> Result<()> {
    for (file, _) in files {
        let path = folder.join(file);
        if path.symlink_metadata().is_ok() {
            bail!("{} is there already, and nothing was written", path.display());
        }
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("failed to make the folder {}", folder.display()))?;
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
    }
    Ok(())
}
