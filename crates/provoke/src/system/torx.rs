//! What TorX adapters say: one answer to each command, a keyword and then fields.
//!
//! `C_INPUT event=coin` is answered by `A_INPUT event=coin` (taken), `A_OUTPUT event=tea` (the system had spoken already, and
//! the input was not sent), `A_INPUT_ERROR` (it cannot be sent) or `A_ERROR`; `C_OUTPUT` by `A_OUTPUT event=tea`,
//! `A_OUTPUT event=delta` or `A_ERROR`. Fields are set apart by tabs, or by a blank where the next one is known; labels may
//! contain blanks. Fields other than `event` and `delta` (`pco`, `iokind`, `channel`, `concrete`, ...) say nothing to us.

/// Where adapters are told how long to wait for an output, as JTorX does.
pub(super) const TIMEOUT: &str = "TORXTIMEOUT";
pub(super) const TIMEUNIT: &str = "TORXTIMEUNIT";

/// Asks for an output.
pub(super) const OUTPUT: &str = "C_OUTPUT";
/// Ends the adapter.
pub(super) const QUIT: &str = "C_QUIT";

/// What an adapter says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// An input was taken: this one, if it says so.
    Taken(Option<&'a str>),
    /// An output.
    Output(&'a str),
    /// There was no output.
    Quiet,
    /// The input cannot be sent.
    Refused,
    /// The reset is done, or something else that we did not ask for in particular.
    Done,
    /// Something is wrong.
    Wrong,
}

/// Fields that may follow the label after a blank.
const FIELDS: [&str; 6] = ["pco=", "iokind=", "channel=", "concrete=", "delta=", "time="];

/// Reads a line; nothing where it is no answer of an adapter.
pub(super) fn said(line: &str) -> Option<Said<'_>> {
    let line = line.trim();
    let (keyword, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let mut fields = rest.split('\t').map(str::trim);
    let event = fields.clone().find_map(event);
    Some(match keyword {
        "A_INPUT" => Said::Taken(event),
        "A_OUTPUT" => match event {
            Some("delta") => Said::Quiet,
            Some(label) => Said::Output(label),
            None if fields.any(|field| field == "delta" || field.starts_with("delta=")) => Said::Quiet,
            None => return None,
        },
        "A_INPUT_ERROR" => Said::Refused,
        "A_ERROR" => Said::Wrong,
        _ if keyword.starts_with("A_") => Said::Done,
        _ => return None,
    })
}

/// The label of a field `event=LABEL`, which may stand after others that are set apart by blanks.
fn event(field: &str) -> Option<&str> {
    let start = match field.strip_prefix("event=") {
        Some(label) => label,
        None => field.split_once(" event=")?.1,
    };
    let is_next = |&(at, _): &(usize, &str)| FIELDS.iter().any(|name| start[at + 1..].starts_with(name));
    let end = start.match_indices(' ').find(is_next).map_or(start.len(), |(at, _)| at);
    Some(start[..end].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_adapters() {
        for (line, meant) in [
            ("A_INPUT event=coin", Said::Taken(Some("coin"))),
            ("A_INPUT", Said::Taken(None)),
            ("A_OUTPUT event=tea", Said::Output("tea")),
            ("A_OUTPUT event=hot tea\tpco=out\tiokind=output", Said::Output("hot tea")),
            ("A_OUTPUT pco=out\tevent=tea(1, 2)", Said::Output("tea(1, 2)")),
            ("A_OUTPUT pco=out iokind=output event=hot tea concrete=x", Said::Output("hot tea")),
            ("A_OUTPUT event=delta", Said::Quiet),
            ("A_OUTPUT delta", Said::Quiet),
            ("A_OUTPUT delta=1", Said::Quiet),
            ("A_INPUT_ERROR ", Said::Refused),
            ("A_ERROR no connection", Said::Wrong),
            ("A_RESET", Said::Done),
            ("A_QUIT\r", Said::Done),
        ] {
            assert_eq!(said(line), Some(meant), "{line}");
        }
        for line in ["", "tea", "A_OUTPUT", "A_OUTPUT pco=out", "C_OUTPUT"] {
            assert_eq!(said(line), None, "{line}");
        }
    }
}
