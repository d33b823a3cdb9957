//! Specifications with a machine that keeps them: public pairs, and our own with machines that are synthesised.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use provoke::format::machine;
use provoke::machine::Machine;
use provoke::specification::{Specification, Synthesis};
use provoke::verify::synthesis::Bounds;

/// A specification and a machine that keeps it.
pub struct Subject {
    /// What it is called in tables.
    pub name: String,
    /// What must hold.
    pub specification: Specification,
    /// A machine that was model checked against it.
    pub machine: Machine,
}

impl Subject {
    /// The specification once more, judged by the oracle of paper 3.
    pub fn as_published(&self) -> Result<Specification> {
        let mut again = match OWN.iter().find(|own| own.0 == self.name) {
            Some(own) => specified(own)?,
            None => Specification::load(&self.specification.path)?,
        };
        again.judge_as_published()?;
        Ok(again)
    }
}

/// Our own specifications: name, inputs, outputs, assumptions and requirements.
type Own = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

const OWN: &[Own] = &[
    ("own_arbiter", &["r1", "r2"], &["g1", "g2"], &[], &["G(r1 -> F g1)", "G(r2 -> F g2)", "G !(g1 & g2)"]),
    (
        "own_latch",
        &["set", "reset"],
        &["on"],
        &["G !(set & reset)"],
        &["G(set -> on)", "G(reset -> !on)", "G(on & N(!set & !reset) -> N on)"],
    ),
    (
        "own_lift",
        &["call", "arrived"],
        &["move", "door"],
        &["G(F arrived)"],
        &["G !(move & door)", "G(call -> F door)", "G(move -> N(move | arrived))"],
    ),
    (
        "own_buffer",
        &["push", "pop"],
        &["full", "valid"],
        &[],
        &["G(push & !pop -> N valid)", "G(full -> valid)", "G F(pop -> !full)"],
    ),
];

/// The public files: TLSF specifications, in the order of their names.
pub fn tlsf_files() -> Result<Vec<PathBuf>> {
    let folder = crate::data::path("tlsf")?;
    let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "tlsf"));
    files.sort();
    Ok(files)
}

/// The name of a file without its ending.
pub fn stem(path: &std::path::Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// At most so many subjects: ours first, then the public pairs where there are any, spread over all of them.
pub fn subjects(most: usize) -> Result<Vec<Subject>> {
    let mut found = Vec::new();
    for own in OWN.iter().take(most) {
        found.push(synthesised(own)?);
    }
    let files = tlsf_files().unwrap_or_else(|error| {
        eprintln!("without the public pairs: {error}");
        Vec::new()
    });
    let wanted = most.saturating_sub(found.len()).min(files.len());
    for at in 0..wanted {
        let path = &files[at * files.len() / wanted];
        let name = stem(path);
        let specification = Specification::load(path)?;
        let file = crate::data::path(&format!("machines/{name}.kiss2"))?;
        let machine = machine::read(&file)?;
        found.push(Subject { name, specification, machine });
    }
    Ok(found)
}

fn specified((name, inputs, outputs, assumptions, requirements): &Own) -> Result<Specification> {
    let mut text = format!("[signals]\ninputs = {inputs:?}\noutputs = {outputs:?}\n");
    for (what, formulas) in [("assumption", assumptions), ("requirement", requirements)] {
        for (at, formula) in formulas.iter().enumerate() {
            text.push_str(&format!("[[{what}]]\nid = \"{}{}\"\nltl = \"{formula}\"\n", &what[..1], at + 1));
        }
    }
    Ok(Specification::from_text(format!("{name}.toml").as_ref(), &text)?)
}

fn synthesised(own: &Own) -> Result<Subject> {
    let (name, specification) = (own.0, specified(own)?);
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    match specification.synthesise(Bounds { bound: 8, deadline, ..Bounds::default() })? {
        Synthesis::Machine { machine, .. } => {
            Ok(Subject { name: name.to_owned(), specification, machine: *machine })
        }
        _ => bail!("no machine was found for {name}"),
    }
}
