//! Where an export goes: standard output, or a file that is replaced in one step.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Stdout, Write, stdout};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::ExportError;

/// Bytes collected before each call of the system.
const BUFFER: usize = 64 << 10;

/// An output that is being written. Unless it is kept, a file of that name stays as it was.
pub struct Output {
    writer: BufWriter<Target>,
    /// Its name, for errors.
    name: String,
}

enum Target {
    Stdout(Stdout),
    /// A pipe or a device, which cannot be replaced.
    Stream(File),
    /// A file beside the one that it will replace.
    File {
        new: NamedTempFile,
        path: PathBuf,
    },
}

impl Output {
    /// Opens the file to write, or standard output.
    pub fn open(to: Option<&Path>) -> Result<Self, ExportError> {
        let Some(path) = to else {
            let writer = BufWriter::with_capacity(BUFFER, Target::Stdout(stdout()));
            return Ok(Self {
                writer,
                name: "standard output".to_owned(),
            });
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

    /// The error for what went wrong while writing here.
    pub fn error(&self, source: io::Error) -> ExportError {
        ExportError::Output {
            to: self.name.clone(),
            source,
        }
    }

    /// Where other files may be made while writing: beside the output, if that is a file.
    pub fn directory(&self) -> Option<&Path> {
        match self.writer.get_ref() {
            Target::File { path, .. } => path.parent(),
            _ => None,
        }
    }

    /// Writes what is still here; a file takes its place, durably.
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
            Self::Stdout(mut stdout) => stdout.flush(),
            Self::Stream(mut stream) => stream.flush(),
            Self::File { new, path } => {
                new.as_file().sync_all()?;
                new.persist(&path).map_err(|error| error.error)?;
                File::open(directory_of(&path))?.sync_all()
            }
        }
    }
}

fn target(path: &Path) -> io::Result<Target> {
    // What a link points to is replaced, and not the link.
    let path = match fs::canonicalize(path) {
        Ok(path) => path,
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            return OpenOptions::new().write(true).open(&path).map(Target::Stream);
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    // The error of a missing directory would otherwise name a file that nobody asked for.
    fs::metadata(directory_of(&path))?;
    // Mode 0600: inquiries hold personal data.
    let new = tempfile::Builder::new()
        .prefix(".taubenabwehr-export-")
        .tempfile_in(directory_of(&path))?;
    Ok(Target::File { new, path })
}

fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
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
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Stream(stream) => stream.write(bytes),
            Self::File { new, .. } => new.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Stream(stream) => stream.flush(),
            Self::File { new, .. } => new.flush(),
        }
    }
}
