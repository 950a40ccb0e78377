//! `taubenabwehr backup`: writes a copy of the whole store and verifies it.

use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::CliError;
use super::output::{inquiries, say};
use crate::base::files::FileIdentity;
use crate::base::files::partial::{PartialFile, directory_of};
use crate::config::args::BackupArgs;
use crate::control::Caller;
use crate::operate::CallError;
use crate::operate::calls::NoteBackup;
use crate::operate::export::output::{output_error, real_path};
use crate::store::{Backup, TransferError, pack};

const BUFFER: usize = 64 << 10;

/// Writes a backup, verifies it, and records its time in the store.
///
/// # Errors
/// When no backup was made. An existing file at the output path is left untouched.
pub fn run(args: &BackupArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data)?;
    let path = target(&args.output, args.data.data_dir())?;
    let failed = |error| not_written(&path, &error);
    let mut new = PartialFile::create(directory_of(&path)).map_err(failed)?;
    let made_at = Timestamp::now();
    let mut out = BufWriter::with_capacity(BUFFER, &mut new.file);
    match pack(caller.rows()?, made_at, &mut out) {
        Err(TransferError::Io(error)) => return Err(failed(error).into()),
        packed => packed?,
    }
    drop(out);
    new.file.sync_all().map_err(failed)?;
    let count = read_back(&new, &path)?;
    new.put(&path).map_err(failed)?;
    caller.call(NoteBackup { made_at }).map_err(|error| {
        format!(
            "{} is complete, but its time was not noted: {error}",
            path.display()
        )
    })?;
    let output = args.output.display();
    say(format!("{} backed up to {output}\n", inquiries(count)));
    Ok(())
}

fn not_written(path: &Path, error: &io::Error) -> CallError {
    output_error(&path.display().to_string(), error).into()
}

/// Verifies that the file on the disk is complete, and returns the number of inquiries in it.
fn read_back(new: &PartialFile, path: &Path) -> Result<u64, CliError> {
    let not_whole = |reason: &str| {
        format!(
            "what was written to {} is not whole ({reason}), so it was not kept; check the disk, or choose another --output",
            path.display()
        )
    };
    let read = Backup::read(&new.path()).and_then(|mut backup| backup.check());
    let findings = read.map_err(|error| match error {
        TransferError::Damaged { reason, .. } => not_whole(&reason),
        other => not_whole(&other.to_string()),
    })?;
    match findings.damaged.first() {
        Some(first) => Err(not_whole(first).into()),
        None => Ok(findings.inquiries()),
    }
}

/// The path of the backup, with links resolved.
fn target(output: &Path, data_dir: Option<&Path>) -> Result<PathBuf, CliError> {
    let path = real_path(output).map_err(|error| not_written(output, &error))?;
    let what = match fs::metadata(&path) {
        Ok(found) if found.is_dir() => "a directory",
        Ok(found) if !found.is_file() => "not a file",
        Ok(found) if data_dir.is_some_and(|data_dir| is_of_the_store(&found, data_dir)) => {
            "a file of the store itself"
        }
        _ => return Ok(path),
    };
    Err(format!("{} is {what}; choose another --output", output.display()).into())
}

/// Whether a file is the store or its list of erased inquiries, which a backup must not overwrite.
fn is_of_the_store(found: &fs::Metadata, data_dir: &Path) -> bool {
    let names = [crate::store::FILE_NAME, crate::store::ERASED_FILE];
    names
        .iter()
        .any(|name| FileIdentity::behind(&data_dir.join(name)) == Some(FileIdentity::from(found)))
}
