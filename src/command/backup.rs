//! `taubenabwehr backup`: writes a copy of everything, and reads it back.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use tempfile::NamedTempFile;

use super::erase::inquiries;
use super::failure::Failure;
use super::partial;
use super::source::operate;
use crate::cli::BackupArgs;
use crate::control::client::{self, AskError};
use crate::control::operations::NoteBackup;
use crate::control::{Access, access};
use crate::export::{ExportError, Interrupt};
use crate::file_identity::FileIdentity;
use crate::store::{Backup, BackupError, Location, OpenError};

/// Bytes collected before each system call.
const BUFFER: usize = 64 << 10;

/// Why there is no backup; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum BackupFailure {
    /// The store cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The server that has the store did not answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The store cannot be copied.
    #[error(transparent)]
    Copy(#[from] BackupError),
    /// The file cannot be written.
    #[error("cannot write {}: {source}; {}", path.display(), advice(source))]
    Output { path: PathBuf, source: io::Error },
    /// The name belongs to something else.
    #[error("{} is {what}; choose another --output", path.display())]
    Taken { path: PathBuf, what: &'static str },
    /// It was written, and is not what was to be written.
    #[error("what was written to {} is not whole ({reason}), so it was not kept; {advice}", path.display())]
    NotWhole {
        path: PathBuf,
        reason: String,
        advice: &'static str,
    },
    /// Signals cannot be watched, or one came.
    #[error(transparent)]
    Interrupt(#[from] ExportError),
    /// The operating system refused.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
    /// The backup is there, but the store does not know it.
    #[error("{} is complete, but its time was not noted: {source}", path.display())]
    NotNoted { path: PathBuf, source: Failure },
}

fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        ErrorKind::PermissionDenied => "let this user write there, or choose another --output",
        _ => "make room there, or choose another --output",
    }
}

/// Writes a backup, and notes its time in the store.
///
/// # Errors
/// When there is none; a file of that name is then as it was.
pub fn run(args: &BackupArgs) -> Result<(), BackupFailure> {
    let location = &args.data.location;
    let path = target(&args.output, location.data_dir())?;
    let failed = |source| BackupFailure::Output {
        path: path.clone(),
        source,
    };
    let directory = directory_of(&path);
    // Otherwise the error of a missing directory would name a file that nobody asked for.
    fs::metadata(directory).map_err(failed)?;
    let interrupt = Interrupt::watch()?;
    // Mode 0600: backups hold personal data.
    let mut new = partial::create(directory).map_err(failed)?;
    let made_at = Timestamp::now();
    let count = write(location, &mut new, &path, &interrupt)?;
    new.as_file().sync_all().map_err(failed)?;
    read_back(&new, &path, count)?;
    if interrupt.came() {
        return Err(ExportError::Interrupted.into());
    }
    new.persist(&path).map_err(|error| failed(error.error))?;
    File::open(directory)
        .and_then(|directory| directory.sync_all())
        .map_err(failed)?;
    operate(location, NoteBackup::at(made_at)).map_err(|source| BackupFailure::NotNoted {
        path: path.clone(),
        source,
    })?;
    // The backup is there even if standard output is closed.
    let _ = writeln!(
        io::stdout(),
        "{} backed up to {}",
        inquiries(count),
        args.output.display()
    );
    Ok(())
}

/// Writes the backup; returns how many inquiries are to be in it.
fn write(
    location: &Location,
    new: &mut NamedTempFile,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<u64, BackupFailure> {
    let failed = |source: io::Error| {
        if interrupt.came() {
            return ExportError::Interrupted.into();
        }
        BackupFailure::Output {
            path: path.to_owned(),
            source,
        }
    };
    let mut out = BufWriter::with_capacity(
        BUFFER,
        Interruptible {
            out: new.as_file_mut(),
            interrupt,
        },
    );
    let count = match access::<_, BackupFailure>(location, client::backup)? {
        Access::Server(mut backup) => {
            backup.write_to(&mut out)?.map_err(failed)?;
            backup.total.unwrap_or_default()
        }
        Access::Store(opened) => {
            let image = opened.runtime.block_on(opened.store.image())?;
            let count = image.count();
            image.pack(&mut out).map_err(failed)?;
            count
        }
    };
    out.flush().map_err(failed)?;
    Ok(count)
}

/// What to do when a file is not what was written to it.
const DISK: &str = "check the disk, or choose another --output";
/// What to do when the store is not whole.
const STORE: &str = "`taubenabwehr check` says what is damaged in the store";

/// Checks that what is on the disk is whole.
fn read_back(new: &NamedTempFile, path: &Path, count: u64) -> Result<(), BackupFailure> {
    let not_whole = |reason: String, advice| BackupFailure::NotWhole {
        path: path.to_owned(),
        reason,
        advice,
    };
    let read = Backup::read(new.path()).and_then(|mut backup| backup.check());
    let findings = read.map_err(|error| match error {
        BackupError::Damaged { reason, .. } => not_whole(reason, DISK),
        other => not_whole(other.to_string(), DISK),
    })?;
    if let Some(first) = findings.damaged.first() {
        return Err(not_whole(first.clone(), STORE));
    }
    let found = findings.inquiries();
    if found != count {
        let reason = format!("it has {} of {count}", inquiries(found));
        return Err(not_whole(reason, STORE));
    }
    Ok(())
}

/// Returns where the backup goes: what a link points to is replaced, and not the link.
fn target(output: &Path, data_dir: Option<&Path>) -> Result<PathBuf, BackupFailure> {
    let path = match fs::canonicalize(output) {
        Ok(path) => path,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(output.to_owned()),
        Err(source) => {
            return Err(BackupFailure::Output {
                path: output.to_owned(),
                source,
            });
        }
    };
    let taken = |what| {
        Err(BackupFailure::Taken {
            path: output.to_owned(),
            what,
        })
    };
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => taken("a directory"),
        Ok(found) if !found.is_file() => taken("not a file"),
        Ok(found) if data_dir.is_some_and(|data_dir| is_of_the_store(&found, data_dir)) => {
            taken("a file of the store itself")
        }
        _ => Ok(path),
    }
}

/// Returns whether a file is one of those in the data directory that a slip must not replace.
fn is_of_the_store(found: &fs::Metadata, data_dir: &Path) -> bool {
    let names = [crate::store::FILE_NAME, crate::store::ERASED_FILE];
    names
        .iter()
        .any(|name| FileIdentity::behind(&data_dir.join(name)) == Some(FileIdentity::from(found)))
}

fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Fails once a signal came, so that what was written is removed.
struct Interruptible<'a> {
    out: &'a mut File,
    interrupt: &'a Interrupt,
}

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.interrupt.came() {
            return Err(io::Error::other("interrupted"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
