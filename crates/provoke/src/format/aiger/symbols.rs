//! The symbol table and the comment behind a circuit.
//!
//! By hand: the crate bounds the numbers of bad state properties and constraints by the number of latches, and does not
//! mind names that are given twice.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Circuit;

/// What is wrong, and where from the beginning of the table.
pub(super) type Wrong = (Range<usize>, String);

/// Reads names into a circuit.
pub(super) fn read(circuit: &mut Circuit, bytes: &[u8]) -> Result<(), Wrong> {
    let mut named: FxHashMap<(u8, usize), String> = FxHashMap::default();
    let mut start = 0;
    while start < bytes.len() {
        let end = bytes[start..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| start + at);
        let line = &bytes[start..end];
        let place = start..end;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line == b"c" {
            let comment = bytes.get(end + 1..).unwrap_or_default();
            circuit.comment = String::from_utf8_lossy(comment).trim_end().to_owned();
            break;
        }
        if !line.is_empty() || end < bytes.len() {
            let (kind, at, name) = symbol(line).ok_or_else(|| {
                (place.clone(), "expected a symbol such as `i0 name`, or `c` before a comment".to_owned())
            })?;
            let most = match kind {
                b'i' => circuit.inputs.len(),
                b'l' => circuit.latches.len(),
                b'o' => circuit.outputs.len(),
                b'b' => circuit.bad.len(),
                b'c' => circuit.constraints.len(),
                _ => usize::MAX,
            };
            if at >= most {
                return Err((place, format!("there is no `{}{at}` that could have a name", kind as char)));
            }
            if named.contains_key(&(kind, at)) {
                return Err((place, format!("`{}{at}` has a second name", kind as char)));
            }
            if let Some((other, _)) = named.iter().find(|(key, known)| key.0 == kind && **known == name) {
                let message = format!("`{}{}` is called `{name}` already", kind as char, other.1);
                return Err((place, message));
            }
            named.insert((kind, at), name.clone());
            match kind {
                b'i' => circuit.inputs[at] = name,
                b'l' => circuit.latches[at].name = Some(name),
                b'o' => circuit.outputs[at].name = Some(name),
                b'b' => circuit.bad[at].name = Some(name),
                b'c' => circuit.constraints[at].name = Some(name),
                _ => {}
            }
        }
        start = end + 1;
    }
    Ok(())
}

fn symbol(line: &[u8]) -> Option<(u8, usize, String)> {
    let (&kind, rest) = line.split_first()?;
    let blank = rest.iter().position(|&byte| byte == b' ')?;
    let digits = std::str::from_utf8(&rest[..blank]).ok()?;
    let number = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let name = String::from_utf8_lossy(&rest[blank + 1..]).trim().to_owned();
    (b"ilobcjf".contains(&kind) && !name.is_empty()).then_some((kind, number, name))
}
