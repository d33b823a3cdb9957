//! Formulas as a TLSF file of the basic format.

use std::fmt::Write as _;

use super::{MAX_WORK, parse::is_reserved, token};
use crate::diagnostic::brief;
use crate::letter::Interface;
use crate::ltl::{Formula, Op};

/// Why something cannot be written as TLSF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unwritable(String);

impl From<String> for Unwritable {
    fn from(message: String) -> Unwritable {
        Unwritable(message)
    }
}

/// Writes a specification: what is assumed of the environment, and what the system guarantees.
///
/// Every operator stands in parentheses. What TLSF lacks is written out: `a xor b` as `!(a <-> b)`, `a M b` as
/// `!(!a W !b)`, and `N`, which means the same on infinite traces, as `X`. Signals that TLSF cannot name, and
/// formulas of more than [`MAX_WORK`] operators, and formulas that look back, are errors.
pub fn write(
    title: &str,
    interface: &Interface,
    assumptions: &[Formula],
    guarantees: &[Formula],
) -> Result<String, Unwritable> {
    if interface.has_labels() {
        return Err(Unwritable("TLSF has signals, and the specification has labels".to_owned()));
    }
    if !interface.is_boolean() {
        return Err(Unwritable("TLSF has Boolean signals, and the specification has others".to_owned()));
    }
    let mut names = interface.inputs.names().chain(interface.outputs.names());
    if let Some(name) = names.find(|name| !token::is_name(name) || is_reserved(name)) {
        return Err(Unwritable(format!("TLSF cannot name the signal `{name}`")));
    }
    let title: String = title.chars().map(|c| if matches!(c, '"' | '\\') { '\'' } else { c }).collect();
    let mut text = format!(
        "INFO {{\n  TITLE:       \"{title}\"\n  DESCRIPTION: \"\"\n  SEMANTICS:   Mealy\n  TARGET:      Mealy\n}}\n\nMAIN {{\n"
    );
    let mut section = |name: &str, entries: &mut dyn Iterator<Item = String>| {
        let _ = writeln!(text, "  {name} {{");
        entries.for_each(|entry| {
            let _ = writeln!(text, "    {entry};");
        });
        text.push_str("  }\n");
    };
    section("INPUTS", &mut interface.inputs.names().map(str::to_owned));
    section("OUTPUTS", &mut interface.outputs.names().map(str::to_owned));
    for (name, formulas) in [("ASSUMPTIONS", assumptions), ("GUARANTEES", guarantees)] {
        if !formulas.is_empty() {
            let shown = formulas.iter().map(show).collect::<Result<Vec<String>, String>>()?;
            section(name, &mut shown.into_iter());
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// A formula in the syntax of TLSF.
fn show(formula: &Formula) -> Result<String, String> {
    if formula.size() > MAX_WORK {
        return Err(format!("a formula has more than {MAX_WORK} operators"));
    }
    let mut text = String::new();
    let mut open = vec![Part::Formula(formula)];
    while let Some(part) = open.pop() {
        let formula = match part {
            Part::Text(sign) => {
                text.push_str(sign);
                continue;
            }
            Part::Formula(formula) => formula,
        };
        let between = match formula.op() {
            Op::And => " && ",
            Op::Or => " || ",
            Op::Implies => " -> ",
            Op::Iff | Op::Xor => " <-> ",
            Op::Until => " U ",
            Op::WeakUntil => " W ",
            Op::Release => " R ",
            Op::StrongRelease => " W !",
            _ => "",
        };
        text += &match formula.op() {
            Op::True => "true".to_owned(),
            Op::False => "false".to_owned(),
            Op::Proposition(name) => name.to_string(),
            Op::Not => "!".to_owned(),
            Op::And | Op::Or | Op::Implies | Op::Iff | Op::Until | Op::WeakUntil | Op::Release => {
                "(".to_owned()
            }
            Op::Xor => "!(".to_owned(),
            Op::StrongRelease => "!(!".to_owned(),
            Op::Next | Op::WeakNext => "X ".to_owned(),
            Op::Finally => "F ".to_owned(),
            Op::Globally => "G ".to_owned(),
            Op::FinallyIn(first, last) => steps("F", *first, *last),
            Op::GloballyIn(first, last) => steps("G", *first, *last),
            Op::Yesterday | Op::WeakYesterday | Op::Once | Op::Historically => {
                return Err(looks_back(formula));
            }
            Op::OnceIn(..) | Op::HistoricallyIn(..) => return Err(looks_back(formula)),
            Op::Since | Op::Triggered => return Err(looks_back(formula)),
        };
        if !between.is_empty() {
            open.push(Part::Text(")"));
        }
        for (at, arg) in formula.args().iter().enumerate().rev() {
            open.push(Part::Formula(arg));
            if at > 0 {
                open.push(Part::Text(between));
            }
        }
    }
    Ok(text)
}

fn looks_back(formula: &Formula) -> String {
    format!("TLSF has no operators that look back, as in `{}`", brief(&formula.to_string()))
}

/// What is still to be written.
enum Part<'a> {
    Formula(&'a Formula),
    Text(&'static str),
}

fn steps(sign: &str, first: u32, last: Option<u32>) -> String {
    match last {
        Some(last) => format!("{sign}[{first}:{last}] "),
        None => format!("X[{first}] {sign} "),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Section, read};
    use super::*;
    use crate::diagnostic::Source;
    use crate::ltl;

    fn formula(text: &str) -> Formula {
        ltl::parse(text).unwrap().formula
    }

    #[test]
    fn what_is_written_is_read() {
        let interface = Interface::signals(["a", "b"], ["x"]).unwrap();
        let guarantees = [
            "G(a -> F x)",
            "a U (b W (x R a)) & (a | !b)",
            "XX[2] a & F[1:3] b & G[0:2] x",
            "(a <-> b) -> G F x",
        ]
        .map(formula);
        let text = write("A \"title\"", &interface, &[formula("G F a")], &guarantees).unwrap();
        let again = read(&Source::new("t", text), &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.title, "A 'title'");
        assert_eq!(again.clauses.len(), 5);
        assert!(again.section(Section::Assume)[0] == formula("G F a"));
        for (clause, written) in again.clauses[1..].iter().zip(&guarantees) {
            assert!(clause.formula == *written, "{} / {written}", clause.formula);
        }
    }

    #[test]
    fn what_tlsf_lacks_is_written_out() {
        for (text, shown) in [
            ("a xor b", "!(a <-> b)"),
            ("a M b", "!(!a W !b)"),
            ("(a M b) M (a & b | b)", "!(!!(!a W !b) W !((a && b) || b))"),
            ("N a", "X a"),
            ("F[2:] a", "X[2] F a"),
            ("G !(a & 1)", "G !(a && true)"),
        ] {
            assert_eq!(show(&formula(text)).unwrap(), shown);
        }
        let odd = Interface::signals(["a.b"], ["x"]).unwrap();
        assert_eq!(write("t", &odd, &[], &[]).unwrap_err().to_string(), "TLSF cannot name the signal `a.b`");
        let reserved = Interface::signals(["X"], ["x"]).unwrap();
        assert!(write("t", &reserved, &[], &[]).is_err());
        let wide = (0..64).fold(Formula::proposition("a"), |f, _| f.clone().until(f));
        assert!(show(&wide).is_err());
    }
}
