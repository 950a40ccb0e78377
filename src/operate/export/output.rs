//! The output of an export: a file that is replaced atomically, or a reader such as a pipe or a terminal. Output for a reader is
//! spooled until everything has been read from the store, since the reader may be slow. A reader that stops early, such as `head`,
//! is not an error.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write, stdout};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;

use crate::base::files::partial::{PartialFile, directory_of};
use crate::operate::CallError;

/// The name of standard output in errors.
const STANDARD_OUTPUT: &str = "standard output";

const BUFFER: usize = 64 << 10;

/// Maximum size of spooled output in memory; beyond that, it moves to an unnamed file that only this user can read.
const MEMORY: usize = 2 << 20;

/// An output being written. Unless [`Self::keep`] is called, an existing file is left untouched. Errors name the output and say
/// what to do.
pub struct Output {
    writer: BufWriter<Target>,
    /// Its name in errors.
    pub(super) name: String,
}

enum Target {
    /// A file that is written next to its path, and then replaces it.
    File(PartialFile, PathBuf),
    /// Standard output, or a target that is not a regular file.
    Reader {
        reader: File,
        /// Output spooled for the reader; `None` if it is written directly, because it is a regular file or there was no space.
        kept: Option<SpooledTempFile>,
    },
}

impl Output {
    /// Opens a file or standard output for writing.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn open(to: Option<&Path>) -> Result<Self, CallError> {
        let (name, target) = match to {
            Some(path) => (path.display().to_string(), target(path)),
            None => (STANDARD_OUTPUT.to_owned(), standard_output()),
        };
        let target = target.map_err(|error| output_error(&name, &error))?;
        Ok(Self {
            writer: BufWriter::with_capacity(BUFFER, target),
            name,
        })
    }

    /// Writes all of the output, and completes it.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn put(mut self, bytes: &[u8]) -> Result<(), CallError> {
        self.write_all(bytes)?;
        self.keep()
    }

    /// Wraps an error with the name of this output.
    pub fn error(&self, error: &io::Error) -> io::Error {
        output_error(&self.name, error)
    }

    /// Where temporary files may be created: the directory of the output, if that is a file.
    pub fn directory(&self) -> Option<&Path> {
        match self.writer.get_ref() {
            Target::File(_, path) => path.parent(),
            Target::Reader { .. } => None,
        }
    }

    /// Completes the output: replaces the file durably, or hands everything to the reader.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn keep(self) -> Result<(), CallError> {
        let kept = match self.writer.into_inner() {
            Ok(Target::Reader { mut reader, mut kept }) => deliver(&mut kept, &mut reader),
            Ok(Target::File(new, path)) => new.put(&path),
            Err(error) => Err(error.into_error()),
        };
        Ok(kept.map_err(|error| output_error(&self.name, &error))?)
    }
}

fn standard_output() -> io::Result<Target> {
    let file = File::from(stdout().as_fd().try_clone_to_owned()?);
    to_reader(file)
}

fn to_reader(reader: File) -> io::Result<Target> {
    let is_file = reader.metadata()?.is_file();
    let kept = (!is_file).then(|| SpooledTempFile::new(MEMORY));
    Ok(Target::Reader { reader, kept })
}

/// Writes the spooled output to the reader.
fn deliver(kept: &mut Option<SpooledTempFile>, reader: &mut File) -> io::Result<()> {
    if let Some(mut kept) = kept.take() {
        kept.rewind()?;
        lost(io::copy(&mut kept, reader), 0)?;
    }
    Ok(())
}

/// Ignores errors of a pipe without a reader.
fn lost<T>(written: io::Result<T>, all: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(all),
        written => written,
    }
}

fn target(path: &Path) -> io::Result<Target> {
    let path = real_path(path)?;
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            return to_reader(OpenOptions::new().write(true).open(&path)?);
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let new = PartialFile::create(directory_of(&path))?;
    Ok(Target::File(new, path))
}

/// The path of the file to replace, with links resolved, so that a link itself is not replaced.
///
/// # Errors
/// When the path cannot be resolved.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(path.to_owned()),
        real => real,
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| self.error(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| self.error(&error))
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(new, _) => new.file.write(bytes),
            Self::Reader { reader, kept } => {
                if let Some(Ok(count)) = kept.as_mut().map(|kept| kept.write(bytes)) {
                    return Ok(count);
                }
                // An export is needed most when the disk is full, so write directly, at the reader's speed.
                deliver(kept, reader)?;
                lost(reader.write(bytes), bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Wraps an error with the name of the output and advice.
pub fn output_error(to: &str, source: &io::Error) -> io::Error {
    let advice = match source.kind() {
        // Most commands that print lists have no --output.
        _ if to == STANDARD_OUTPUT => "make room there, or send it elsewhere",
        ErrorKind::PermissionDenied => "let this user write there, or choose another --output",
        _ => "make room there, or choose another --output",
    };
    let message = match source.kind() {
        ErrorKind::IsADirectory => format!("{to} is a directory; name a file in it as --output"),
        _ => format!("cannot write {to}: {source}; {advice}"),
    };
    io::Error::new(source.kind(), message)
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn advice_fits_the_reason_and_the_place() {
        let error = |to: &str, kind: ErrorKind| output_error(to, &kind.into()).to_string();
        let denied = error("out.csv", ErrorKind::PermissionDenied);
        assert!(denied.contains("let this user write there"), "{denied}");
        let full = error("out.csv", ErrorKind::StorageFull);
        assert!(
            full.ends_with("make room there, or choose another --output"),
            "{full}"
        );
        let full = error(STANDARD_OUTPUT, ErrorKind::StorageFull);
        assert!(full.contains("make room") && !full.contains("--output"), "{full}");
    }

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
