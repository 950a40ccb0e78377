//! Where an export goes: standard output, or a file that is replaced in one step.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write, stdout};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use tempfile::NamedTempFile;

use super::error::{ExportError, STANDARD_OUTPUT};
use super::spool::Spool;
use crate::base::files::partial::{self, directory_of};

/// Bytes collected before each system call.
const BUFFER: usize = 64 << 10;

/// An output that is being written. Unless it is kept, a file of that name stays as it was.
pub struct Output {
    writer: BufWriter<Target>,
    /// Its name, for errors.
    name: String,
}

enum Target {
    /// A file that standard output was redirected to.
    Redirected(File),
    /// A pipe, a terminal or a device. It gets everything at the end: its reader decides how long that takes.
    Reader(Spool),
    /// A file beside the one that it will replace.
    File { new: NamedTempFile, path: PathBuf },
    /// What a page of the desk shows.
    Memory(Vec<u8>),
}

impl Output {
    /// Opens the file to write, or standard output.
    pub fn open(to: Option<&Path>) -> Result<Self, ExportError> {
        let Some(path) = to else {
            let name = STANDARD_OUTPUT.to_owned();
            return match standard_output() {
                Ok(target) => Ok(Self {
                    writer: BufWriter::with_capacity(BUFFER, target),
                    name,
                }),
                Err(source) => Err(ExportError::Output { to: name, source }),
            };
        };
        let name = path.display().to_string();
        let target = target(path).map_err(|source| match source.kind() {
            ErrorKind::IsADirectory => ExportError::Directory(path.to_owned()),
            _ => ExportError::Output {
                to: name.clone(),
                source,
            },
        })?;
        Ok(Self {
            writer: BufWriter::with_capacity(BUFFER, target),
            name,
        })
    }

    /// Begins an output in memory, for [`Self::into_bytes`].
    pub fn memory() -> Self {
        Self {
            writer: BufWriter::new(Target::Memory(Vec::new())),
            name: "memory".to_owned(),
        }
    }

    /// Returns what was written to memory; nothing of another output.
    pub fn into_bytes(self) -> Vec<u8> {
        match self.writer.into_inner() {
            Ok(Target::Memory(bytes)) => bytes,
            _ => Vec::new(),
        }
    }

    /// Returns the error for a failed write.
    pub fn error(&self, source: io::Error) -> ExportError {
        ExportError::Output {
            to: self.name.clone(),
            source,
        }
    }

    /// Returns where temporary files may be created: beside the output, if that is a file.
    pub fn directory(&self) -> Option<&Path> {
        match self.writer.get_ref() {
            Target::File { path, .. } => path.parent(),
            _ => None,
        }
    }

    /// Completes the output: a file takes its place, durably, and a reader gets everything.
    pub fn keep(self) -> Result<(), ExportError> {
        let name = self.name;
        let kept = match self.writer.into_inner() {
            Ok(target) => target.keep(),
            Err(error) => Err(error.into_error()),
        };
        kept.map_err(|source| ExportError::Output { to: name, source })
    }
}

impl Target {
    fn keep(self) -> io::Result<()> {
        match self {
            Self::Redirected(mut file) => file.flush(),
            Self::Reader(mut spool) => spool.deliver(),
            Self::File { new, path } => partial::put(new, &path),
            Self::Memory(_) => Ok(()),
        }
    }
}

fn standard_output() -> io::Result<Target> {
    let file = File::from(stdout().as_fd().try_clone_to_owned()?);
    Ok(if file.metadata()?.is_file() {
        Target::Redirected(file)
    } else {
        Target::Reader(Spool::new(file))
    })
}

fn target(path: &Path) -> io::Result<Target> {
    let path = real_path(path)?;
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            return OpenOptions::new()
                .write(true)
                .open(&path)
                .map(|file| Target::Reader(Spool::new(file)));
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    // Otherwise the error of a missing directory would name a file that nobody asked for.
    fs::metadata(directory_of(&path))?;
    let new = partial::create(directory_of(&path))?;
    Ok(Target::File { new, path })
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
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Redirected(file) => file.write(bytes),
            Self::Reader(spool) => spool.write(bytes),
            Self::File { new, .. } => new.write(bytes),
            Self::Memory(memory) => memory.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Redirected(file) => file.flush(),
            Self::Reader(spool) => spool.flush(),
            Self::File { new, .. } => new.flush(),
            Self::Memory(_) => Ok(()),
        }
    }
}

/// Whether a signal asked to end. What was written so far of a file is removed first.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches from now on. The second signal ends the process at once, whatever it waits for.
    pub fn watch() -> Result<Self, ExportError> {
        let came = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            register(signal, &came).map_err(ExportError::Signals)?;
        }
        Ok(Self(came))
    }

    /// Returns whether one came.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn register(signal: i32, came: &Arc<AtomicBool>) -> io::Result<()> {
    // In this order: the first signal finds the flag not set yet.
    flag::register_conditional_shutdown(signal, 1, Arc::clone(came))?;
    flag::register(signal, Arc::clone(came))?;
    Ok(())
}
