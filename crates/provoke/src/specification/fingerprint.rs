//! What a specification says, as one number.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Source, checksum};

/// Tells whether two specifications say the same, on whatever machine and with whatever version they were read.
///
/// It is made of the texts of the specification file and of every file that is read with it (automata and TLSF), in the
/// order in which they are first named; not of their names, so that a folder may be moved, and not of the machines that
/// stand for the system, so that the same may be tried on several. Line ends are taken for `\n`, whichever they are.
///
/// It guards against mistakes, not against malice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of these texts.
    pub(super) fn of<'a>(sources: impl IntoIterator<Item = &'a Source>) -> Fingerprint {
        // No byte of UTF-8 text, so that nothing moves from one file to the next unnoticed.
        const END: u8 = 0xff;
        let bytes = sources.into_iter().flat_map(|source| {
            let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            text.into_bytes().into_iter().chain([END])
        });
        Fingerprint(checksum(bytes))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Why a text is no fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no fingerprint of a specification: expected 16 hexadecimal digits")]
pub struct NoFingerprint(String);

impl FromStr for Fingerprint {
    type Err = NoFingerprint;

    fn from_str(text: &str) -> Result<Fingerprint, NoFingerprint> {
        let is_one = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hash = u64::from_str_radix(text, 16).ok().filter(|_| is_one);
        hash.map(Fingerprint).ok_or_else(|| NoFingerprint(text.to_owned()))
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> String {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = NoFingerprint;

    fn try_from(text: String) -> Result<Fingerprint, NoFingerprint> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Fingerprint {
        Fingerprint::of(&texts.iter().map(|text| Source::new("any", *text)).collect::<Vec<_>>())
    }

    #[test]
    fn it_means_the_same_for_ever() {
        // FNV-1a of no byte at all is its offset; the others were worked out with another program.
        assert_eq!(of(&[]).to_string(), "cbf29ce484222325");
        assert_eq!(of(&["a"]).to_string(), "089bc907b544c769");
        assert_eq!(of(&["[signals]\n", "HOA: v1\n"]).to_string(), "ae8b9f64301a086f");
    }

    #[test]
    fn line_ends_do_not_matter_and_boundaries_do() {
        assert_eq!(of(&["a\r\nb\n"]), of(&["\u{feff}a\nb\n"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
    }

    #[test]
    fn it_is_read_as_it_is_written() {
        let fingerprint = of(&["x"]);
        assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        for text in ["", "x", "+bf29ce484222325", "cbf29ce4842223250", "cbf29ce48422232"] {
            assert!(text.parse::<Fingerprint>().is_err(), "{text}");
        }
    }
}
