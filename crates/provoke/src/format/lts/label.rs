//! What stands on a transition: `?coin`, `!coffee`, `tau`, `delta`.

use super::Words;

/// What a label says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Read {
    Input(String),
    Output(String),
    Internal,
    Quiet,
    Wait,
}

type Wrong = (String, String);

/// Reads a label. The mark stands before the name (`?coin`) or after it (`coin?`); a name without one must be among the
/// known inputs or outputs. Names are never empty.
pub(super) fn read(text: &str, words: &Words<'_>) -> Result<Read, Wrong> {
    let text = text.trim();
    let (mark, name) = match (text.strip_prefix(['?', '!']), text.strip_suffix(['?', '!'])) {
        (Some(name), _) => (text.chars().next(), name),
        (None, Some(name)) => (text.chars().next_back(), name),
        (None, None) => (None, text),
    };
    let name = compact(name.trim());
    if name.is_empty() {
        let message = if text.is_empty() { "this transition has no label" } else { "this label has no name" };
        return Err((
            message.into(),
            "write `?input`, `!output`, `tau` for an internal step, or `delta` for silence".into(),
        ));
    }
    let is_quiet = name == words.quiet || name == "δ" || name == "delta";
    match mark {
        Some('!') | None if is_quiet => return Ok(Read::Quiet),
        Some('?') | None if name == words.wait => return Ok(Read::Wait),
        Some('?') if is_quiet => {
            return Err((
                format!("silence is an output, and `{text}` is marked as an input"),
                "write `delta`".into(),
            ));
        }
        Some('!') if name == words.wait => {
            return Err((
                format!("waiting is an input, and `{text}` is marked as an output"),
                "leave it out: the tester may wait in every state".into(),
            ));
        }
        _ => {}
    }
    match mark {
        Some('?') => Ok(Read::Input(name)),
        Some(_) => Ok(Read::Output(name)),
        None if matches!(&*name, "tau" | "i" | "τ") => Ok(Read::Internal),
        None => match (words.inputs.contains(&*name), words.outputs.contains(&*name)) {
            (true, false) => Ok(Read::Input(name)),
            (false, true) => Ok(Read::Output(name)),
            (true, true) => Err((
                format!("`{name}` is both an input and an output"),
                format!("write `?{name}` or `!{name}`"),
            )),
            (false, false) => Err((
                format!("`{name}` is neither an input nor an output"),
                format!("write `?{name}` or `!{name}`, or name it in the inputs or outputs of [labels]"),
            )),
        },
    }
}

/// Blanks among arguments mean nothing, as in every alphabet of labels: `coin( 1 )` is `coin(1)`.
fn compact(name: &str) -> String {
    crate::letter::compact(name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_the_usual_tools() {
        let known = Words { inputs: ["coin"].into(), outputs: ["PUT !1"].into(), ..Words::default() };
        let read = |text: &str| read(text, &known);
        let input = |name: &str| Ok(Read::Input(name.to_owned()));
        let output = |name: &str| Ok(Read::Output(name.to_owned()));
        assert_eq!(read("?coin"), input("coin"));
        assert_eq!(read(" ? coin "), input("coin"));
        assert_eq!(read("coin?"), input("coin"));
        assert_eq!(read("coin"), input("coin"));
        assert_eq!(read("!tea( 1, \"a b\" )"), output("tea(1,\"a b\")"));
        assert_eq!(read("tea!"), output("tea"));
        assert_eq!(read("PUT !1"), output("PUT !1"));
        assert_eq!(read("?i"), input("i"));
        assert_eq!([read("tau"), read("i")], [Ok(Read::Internal), Ok(Read::Internal)]);
        assert_eq!([read("delta"), read("!delta"), read("δ")], [const { Ok(Read::Quiet) }; 3]);
        assert_eq!([read("mu"), read("?mu")], [const { Ok(Read::Wait) }; 2]);
        for wrong in ["", "?", " ! ", "tea", "?delta", "!mu"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
