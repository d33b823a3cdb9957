//! Formulas as a TLSF file of the basic format.

use std::fmt::Write as _;
use std::rc::Rc;

use super::{MAX_WORK, parse::is_reserved, token};
use crate::letter::Interface;
use crate::spec::ltl::{Formula, Op};

/// Writes a specification: what is assumed of the environment, and what the system guarantees.
///
/// Every operator stands in parentheses. What TLSF lacks is written out: `a xor b` as `!(a <-> b)`, `a M b` as
/// `b U (a && b)`, and `N`, which means the same on infinite traces, as `X`. Signals that TLSF cannot name, and
/// formulas of more than [`MAX_WORK`] operators, are errors.
pub fn write(
    title: &str,
    interface: &Interface,
    assumptions: &[Formula],
    guarantees: &[Formula],
) -> Result<String, String> {
    if interface.inputs.is_labelled() || interface.outputs.is_labelled() {
        return Err("TLSF has signals, and the specification has labels".to_owned());
    }
    let names = interface.inputs.names().iter().chain(interface.outputs.names());
    if let Some(name) = names.into_iter().find(|name| !token::is_name(name) || is_reserved(name)) {
        return Err(format!("TLSF cannot name the signal `{name}`"));
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
    section("INPUTS", &mut interface.inputs.names().iter().cloned());
    section("OUTPUTS", &mut interface.outputs.names().iter().cloned());
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
    let shown = formula.fold(|formula, args: &[Rc<str>]| -> Rc<str> {
        let join = |sign: &str| format!("({})", args.join(sign));
        let binary = |sign: &str| format!("({} {sign} {})", args[0], args[1]);
        let steps = |sign: &str, first: u32, last: Option<u32>| match last {
            Some(last) => format!("{sign}[{first}:{last}] {}", args[0]),
            None => format!("X[{first}] {sign} {}", args[0]),
        };
        match formula.op() {
            Op::True => "true".to_owned(),
            Op::False => "false".to_owned(),
            Op::Proposition(name) => name.to_string(),
            Op::Not => format!("!{}", args[0]),
            Op::And => join(" && "),
            Op::Or => join(" || "),
            Op::Implies => binary("->"),
            Op::Iff => binary("<->"),
            Op::Xor => format!("!{}", binary("<->")),
            Op::Next | Op::WeakNext => format!("X {}", args[0]),
            Op::Finally => format!("F {}", args[0]),
            Op::Globally => format!("G {}", args[0]),
            Op::FinallyIn(first, last) => steps("F", *first, *last),
            Op::GloballyIn(first, last) => steps("G", *first, *last),
            Op::Until => binary("U"),
            Op::WeakUntil => binary("W"),
            Op::Release => binary("R"),
            Op::StrongRelease => format!("({} U ({} && {}))", args[1], args[0], args[1]),
        }
        .into()
    });
    Ok(shown.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::{Section, read};
    use super::*;
    use crate::spec::{Source, ltl};

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
            ("a M b", "(b U (a && b))"),
            ("N a", "X a"),
            ("F[2:] a", "X[2] F a"),
            ("G !(a & 1)", "G !(a && true)"),
        ] {
            assert_eq!(show(&formula(text)).unwrap(), shown);
        }
        let odd = Interface::signals(["a.b"], ["x"]).unwrap();
        assert_eq!(write("t", &odd, &[], &[]).unwrap_err(), "TLSF cannot name the signal `a.b`");
        let reserved = Interface::signals(["X"], ["x"]).unwrap();
        assert!(write("t", &reserved, &[], &[]).is_err());
        let wide = (0..64).fold(Formula::proposition("a"), |f, _| f.clone().until(f));
        assert!(show(&wide).is_err());
    }
}
