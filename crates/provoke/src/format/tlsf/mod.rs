//! TLSF, the temporal logic synthesis format: basic and full, read down to plain formulas.
//!
//! S. Jacobs, F. Klein, S. Schirmer: *A High-Level LTL Synthesis Format: TLSF v1.1* (2016), and version 1.2
//! of 2023 with finite semantics. What is read, and where we depart from the paper, is in
//! `docs/guide/tlsf.md`.

mod bus;
mod expand;
mod expression;
mod file;
mod names;
mod operate;
mod parse;
mod pattern;
#[cfg(test)]
mod tests;
mod token;
mod value;
mod write;

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};
use crate::letter::Interface;
use crate::ltl::{Formula, Op};

pub use write::write;

/// How deep expressions may nest and functions may call each other.
pub const MAX_DEPTH: usize = 10_000;

/// How many steps the expansion of a file may take, and how many operators its formulas may have.
pub const MAX_WORK: usize = 2_000_000;

/// What [`MAX_DEPTH`] levels need, several times over: 12 KiB a level.
const STACK: usize = MAX_DEPTH * 12 * 1024;

/// A specification with everything expanded: signals and formulas.
#[derive(Clone, Debug)]
pub struct Tlsf {
    /// TITLE
    pub title: String,
    /// DESCRIPTION
    pub description: String,
    /// TAGS
    pub tags: Vec<String>,
    /// SEMANTICS
    pub semantics: Semantics,
    /// TARGET
    pub target: MachineKind,
    /// PARAMETERS, with the values used.
    pub parameters: Vec<(String, i64)>,
    /// INPUTS and OUTPUTS; element `i` of bus `b` is signal `b_i`.
    pub interface: Interface,
    /// The formulas of all sections, in the order of the file.
    pub clauses: Vec<Clause>,
}

/// How the sections are joined, and for which kind of system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// Whether an output may depend on the input of the same step.
    pub machine: MachineKind,
    /// Whether the system must keep its invariants until the environment breaks its own.
    pub strict: bool,
    /// Whether formulas speak of finite traces.
    pub finite: bool,
}

/// A kind of reactive system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    /// The output of a step may depend on the input of that step.
    Mealy,
    /// The output of a step is given before its input is seen.
    Moore,
}

/// What a formula is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What the environment does in the first step.
    Initially,
    /// What the system does in the first step.
    Preset,
    /// What the environment does in every step.
    Require,
    /// What the system does in every step.
    Assert,
    /// What the environment does over time.
    Assume,
    /// What the system does over time.
    Guarantee,
}

/// One formula of a section.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Where it stands.
    pub section: Section,
    /// The formula as it is written there: an invariant is without its `G`.
    pub formula: Formula,
    /// Its place in the file, in bytes.
    pub place: Range<usize>,
}

/// Reads a TLSF file; `parameters` replace the values of parameters that the file declares.
///
/// Files that nest deeper than [`MAX_DEPTH`] or grow beyond [`MAX_WORK`] are errors, never a crash.
pub fn read(source: &Source, parameters: &[(&str, i64)]) -> Result<Tlsf, SpecError> {
    // Nesting is followed by recursion, so it gets a stack that fits the limit, whatever thread calls.
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
            let file = file::read_file(source)?;
            expand::expand(source, &file, parameters)
        });
        match reader.map(|reader| reader.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Err(SpecError::whole(source, format!("cannot start a thread to read it: {error}"))),
        }
    })
}

impl Tlsf {
    /// The formulas of a section, each conjunct on its own.
    pub fn section(&self, section: Section) -> Vec<Formula> {
        let mut formulas = Vec::new();
        for clause in self.clauses.iter().filter(|clause| clause.section == section) {
            match clause.formula.op() {
                Op::And => formulas.extend_from_slice(clause.formula.args()),
                _ => formulas.push(clause.formula.clone()),
            }
        }
        formulas
    }

    /// What may be taken for granted of the environment: INITIALLY, REQUIRE in every step, ASSUME.
    pub fn assumptions(&self) -> Vec<Formula> {
        self.joined(Section::Initially, Section::Require, Section::Assume)
    }

    /// What the system must do: PRESET, ASSERT in every step, GUARANTEE.
    pub fn guarantees(&self) -> Vec<Formula> {
        self.joined(Section::Preset, Section::Assert, Section::Guarantee)
    }

    fn joined(&self, first: Section, always: Section, over_time: Section) -> Vec<Formula> {
        let mut formulas = self.section(first);
        formulas.extend(self.section(always).into_iter().map(Formula::globally));
        formulas.extend(self.section(over_time));
        formulas
    }

    /// The whole specification as one formula, as the paper's semantics join the sections.
    ///
    /// Standard: `INITIALLY -> PRESET & (G REQUIRE & ASSUME -> G ASSERT & GUARANTEE)`. Strict:
    /// `INITIALLY -> PRESET & (ASSERT W !REQUIRE) & (G REQUIRE & ASSUME -> GUARANTEE)`. Empty sections are
    /// left out.
    pub fn formula(&self) -> Formula {
        let environment = with_invariants(self.section(Section::Require), self.section(Section::Assume));
        let guarantees = self.section(Section::Guarantee);
        let invariants = self.section(Section::Assert);
        let mut system = self.section(Section::Preset);
        if self.semantics.strict {
            system.extend(until_broken(invariants, self.section(Section::Require)));
            system.extend(provided(environment, guarantees));
        } else {
            system.extend(provided(environment, with_invariants(invariants, guarantees)));
        }
        Formula::all_of(provided(self.section(Section::Initially), system))
    }

    /// A formula over exchanges from one of a Moore system, whose output comes first in each step.
    ///
    /// In an exchange the input comes first. So step `t` of a Moore system, its output and then its input,
    /// is spread over two exchanges: the output belongs to the exchange before the one with its input. The
    /// first exchange carries the first output, and its input is not looked at. Formulas of Mealy systems
    /// are left as they are.
    #[must_use]
    pub fn over_exchanges(&self, formula: &Formula) -> Formula {
        if self.semantics.machine == MachineKind::Mealy {
            return formula.clone();
        }
        formula.replace(|name| {
            let proposition = Formula::proposition(name.clone());
            match self.interface.inputs.proposition(name) {
                Some(_) => proposition.next(),
                None => proposition,
            }
        })
    }
}

fn with_invariants(invariants: Vec<Formula>, others: Vec<Formula>) -> Vec<Formula> {
    let invariant = (!invariants.is_empty()).then(|| Formula::all_of(invariants).globally());
    invariant.into_iter().chain(others).collect()
}

fn until_broken(invariants: Vec<Formula>, broken: Vec<Formula>) -> Option<Formula> {
    if invariants.is_empty() {
        return None;
    }
    let invariant = Formula::all_of(invariants);
    match broken.is_empty() {
        true => Some(invariant.globally()),
        false => Some(invariant.weak_until(Formula::all_of(broken).not())),
    }
}

/// `premises -> conclusions`; the conclusions alone where nothing is presumed.
fn provided(premises: Vec<Formula>, conclusions: Vec<Formula>) -> Vec<Formula> {
    if premises.is_empty() || conclusions.is_empty() {
        return conclusions;
    }
    vec![Formula::all_of(premises).implies(Formula::all_of(conclusions))]
}
