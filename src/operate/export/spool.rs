//! What a pipe or a terminal gets: kept until everything has been read, since its reader decides how long writing takes. A reader that
//! stops early, such as `head`, is no error.

use std::fs::File;
use std::io::{self, ErrorKind, Seek, Write};

use tempfile::SpooledTempFile;

/// Bytes kept in memory; the rest goes to a file without a name that only this user can read.
const MEMORY: usize = 2 << 20;

/// Output for a reader.
pub struct Spool {
    /// What it gets at the end; `None` if it gets everything at once, being a file, or because there was no room.
    kept: Option<SpooledTempFile>,
    reader: Reader,
}

/// What a pipe takes after its reader has gone is lost.
struct Reader(File);

impl Spool {
    /// Creates an empty spool.
    ///
    /// # Errors
    /// When the system does not tell what the reader is.
    pub fn new(reader: File) -> io::Result<Self> {
        let is_file = reader.metadata()?.is_file();
        Ok(Self {
            kept: (!is_file).then(|| SpooledTempFile::new(MEMORY)),
            reader: Reader(reader),
        })
    }

    /// Gives the reader everything that it has not got yet.
    ///
    /// # Errors
    /// When it does not take it.
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
        Ok(())
    }
}

impl Write for Reader {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
