//! What a pipe or a terminal gets: kept until everything has been read, since its reader decides how long writing takes.

use std::fs::File;
use std::io::{self, Seek, Write};

use tempfile::SpooledTempFile;

/// Bytes kept in memory; the rest goes to a file without a name that only this user can read.
const MEMORY: usize = 2 << 20;

/// Output for a reader.
pub struct Spool {
    /// What it gets at the end; `None` once there was no room for it.
    kept: Option<SpooledTempFile>,
    reader: File,
}

impl Spool {
    /// Creates an empty spool.
    pub fn new(reader: File) -> Self {
        Self {
            kept: Some(SpooledTempFile::new(MEMORY)),
            reader,
        }
    }

    /// Gives the reader everything that it has not got yet.
    pub fn deliver(&mut self) -> io::Result<()> {
        if let Some(mut kept) = self.kept.take() {
            kept.rewind()?;
            io::copy(&mut kept, &mut self.reader)?;
        }
        self.reader.flush()
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kept {
            None => self.reader.write(bytes),
            Some(kept) => kept.write(bytes).or_else(|_| {
                // An operator needs the export most when the disk is full: then the reader gets it at its own pace.
                self.deliver()?;
                self.reader.write(bytes)
            }),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kept {
            None => self.reader.flush(),
            Some(kept) => kept.flush(),
        }
    }
}
