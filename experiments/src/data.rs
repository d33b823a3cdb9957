//! Public data that is not shipped with the project.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

/// A file or folder below the folder that the environment variable `PROVOKE_DATA` names.
pub fn path(inside: &str) -> Result<PathBuf> {
    let folder = std::env::var_os("PROVOKE_DATA");
    let folder = folder.context("PROVOKE_DATA does not say in which folder public data is")?;
    let path = PathBuf::from(folder).join(inside);
    ensure!(path.exists(), "there is no {}", path.display());
    Ok(path)
}
