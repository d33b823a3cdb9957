//! What several tests need.

use std::path::PathBuf;

/// A folder or file of public data, below the folder that the environment variable `PROVOKE_DATA` names; none, with a
/// message, where it is not there.
pub(crate) fn data(inside: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("PROVOKE_DATA") else {
        println!("skipped: PROVOKE_DATA does not say where public data is");
        return None;
    };
    let path = PathBuf::from(folder).join(inside);
    if !path.exists() {
        println!("skipped: there is no {} in PROVOKE_DATA", inside);
        return None;
    }
    Some(path)
}
