//! Where an export goes: standard output, or a file that is replaced in one step.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write, stdout};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use super::error::{ExportError, STANDARD_OUTPUT, output_error};
use super::spool::Spool;
use crate::base::files::partial::{PartialFile, directory_of};

/// Bytes collected before each system call.
const BUFFER: usize = 64 << 10;

/// An output that is being written. Unless it is kept, a file of that name stays as it was. Its errors name it, and say what to do.
pub struct Output {
    writer: BufWriter<Target>,
    name: String,
}

enum Target {
    /// Standard output, or a target that is not a regular file.
    Reader(Spool),
    /// A file that will replace another one.
    File(PartialFile, PathBuf),
}

impl Output {
    /// Opens the file to write, or standard output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(to: Option<&Path>) -> Result<Self, ExportError> {
        let (name, target) = match to {
            Some(path) => (path.display().to_string(), target(path)),
            None => (STANDARD_OUTPUT.to_owned(), standard_output()),
        };
        let target = target.map_err(|error| output_error(&name, error))?;
        Ok(Self {
            writer: BufWriter::with_capacity(BUFFER, target),
            name,
        })
    }

    /// Names this output in an error.
    pub fn error(&self, error: io::Error) -> io::Error {
        output_error(&self.name, error)
    }

    /// Returns where temporary files may be created: beside the output, if that is a file.
    pub fn directory(&self) -> Option<&Path> {
        match self.writer.get_ref() {
            Target::File(_, path) => path.parent(),
            Target::Reader(_) => None,
        }
    }

    /// Completes the output: a file takes its place, durably, and a reader gets everything.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(self) -> Result<(), ExportError> {
        let kept = match self.writer.into_inner() {
            Ok(Target::Reader(mut spool)) => spool.deliver(),
            Ok(Target::File(new, path)) => new.put(&path),
            Err(error) => Err(error.into_error()),
        };
        Ok(kept.map_err(|error| output_error(&self.name, error))?)
    }
}

fn standard_output() -> io::Result<Target> {
    let file = File::from(stdout().as_fd().try_clone_to_owned()?);
    Ok(Target::Reader(Spool::new(file)?))
}

fn target(path: &Path) -> io::Result<Target> {
    let path = real_path(path)?;
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(Target::Reader(Spool::new(file)?));
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let new = PartialFile::create(directory_of(&path))?;
    Ok(Target::File(new, path))
}

/// Returns which file to replace: what a link points to, and not the link.
///
/// # Errors
/// When the system refuses.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(path.to_owned()),
        real => real,
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| self.error(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| self.error(error))
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Reader(spool) => spool.write(bytes),
            Self::File(new, _) => new.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Reader(spool) => spool.flush(),
            Self::File(new, _) => new.file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn a_reader_that_goes_away_is_no_error() {
        let (reader, writer) = io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let mut output = Output::open(Some(Path::new(&path))).unwrap();
        drop(reader);
        for _ in 0..1000 {
            output.write_all(&[b'x'; 4096]).unwrap();
        }
        output.keep().unwrap();
    }
}
