//! Writes the files of `examples/passageway` for any number of rooms.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::passageway::files;

/// Write a passageway as files for `provoke test`: requirement, good and faulty machine, specifications
#[derive(Args, Debug)]
pub struct PassagewayFilesArgs {
    /// How many rooms
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=250))]
    rooms: u32,
    /// Cells along each side of a room: an even number, or no doorstep can be reached diagonally
    #[arg(long, default_value_t = 4, value_parser = even)]
    cells: u32,
    /// Where to write; made where it does not exist
    folder: PathBuf,
}

impl PassagewayFilesArgs {
    /// Writes them and says which.
    pub fn run(&self) -> Result<()> {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("failed to make {}", self.folder.display()))?;
        for (name, text) in files(self.rooms, self.cells) {
            let path = self.folder.join(name);
            std::fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
            println!("{}", path.display());
        }
        Ok(())
    }
}

/// An even number of cells, at least 2.
pub(super) fn even(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(cells) if cells >= 2 && cells % 2 == 0 && cells <= 1000 => Ok(cells),
        _ => Err("expected an even number from 2 to 1000".to_owned()),
    }
}
