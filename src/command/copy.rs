//! `taubenabwehr copy`: moves everything to another store, whatever engines the two have.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tokio::runtime::Runtime;

use super::erase::inquiries;
use super::partial;
use crate::cli::CopyArgs;
use crate::control::client::{self, AskError};
use crate::control::{Holder, ask_or};
use crate::store::redb::OTHER_WAYS;
use crate::store::transfer::{Section, Tally};
use crate::store::{Backup, BackupError, CopyError, CopySource, ErasedListError, Location, OpenError, copy};

/// Why nothing was copied; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CopyFailure {
    /// The source cannot be opened.
    #[error("{}", by_flag(.0, "--from"))]
    Source(OpenError),
    /// The target cannot be opened.
    #[error("{}", by_flag(.0, "--to"))]
    Target(OpenError),
    /// There is only one.
    #[error("--from and --to name the same store; choose another --to")]
    Same,
    /// The server that has the source did not answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// What it answered cannot be used.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// There is no room for what it answered.
    #[error(
        "cannot keep the server's copy for a moment: {0}; make room, or name another directory by TMPDIR"
    )]
    Scratch(#[source] io::Error),
    /// What was erased from the source is not known.
    #[error(transparent)]
    Erased(#[from] ErasedListError),
    /// The copy failed.
    #[error("{}", by_flag(.0, "--to"))]
    Copy(CopyError),
}

impl From<OpenError> for CopyFailure {
    fn from(error: OpenError) -> Self {
        Self::Source(error)
    }
}

/// Names the flag of this command where other commands have another one.
fn by_flag(error: &impl ToString, flag: &str) -> String {
    let message = error.to_string().replace(OTHER_WAYS, "");
    message.replace("--data-dir", flag)
}

/// Copies a store.
///
/// # Errors
/// When the target holds nothing, or says that it is not whole.
pub fn run(args: &CopyArgs) -> Result<(), CopyFailure> {
    if is_same(&args.from, &args.to) {
        return Err(CopyFailure::Same);
    }
    let (source, runtime) = source(&args.from)?;
    let target = args.to.copy_target().map_err(CopyFailure::Target)?;
    let copied = runtime
        .block_on(copy(source, target))
        .map_err(CopyFailure::Copy)?;
    // It is copied even if standard output is closed.
    let _ = io::stdout().write_all(summary(&copied, args).as_bytes());
    Ok(())
}

/// Returns whether both name one store. Two addresses can still lead to the same database, which then says that it has inquiries.
fn is_same(from: &Location, to: &Location) -> bool {
    let directory = |location: &Location| location.data_dir().and_then(|path| fs::canonicalize(path).ok());
    from == to || directory(from).is_some_and(|from| directory(to) == Some(from))
}

/// Opens the source. What a server has, it hands out as it is at one moment.
fn source(from: &Location) -> Result<(CopySource, Runtime), CopyFailure> {
    let opened = ask_or::<_, _, CopyFailure>(from, client::backup, |runtime| {
        runtime.block_on(from.copy_source())
    })?;
    Ok(match opened {
        (Holder::Nobody(source), runtime) => (source, runtime),
        (Holder::Server(mut answer), runtime) => {
            let mut file = partial::create(&env::temp_dir()).map_err(CopyFailure::Scratch)?;
            answer.write_to(&mut file)?.map_err(CopyFailure::Scratch)?;
            let backup = Backup::read(file.path())?;
            let data_dir = from.data_dir().unwrap_or(Path::new("."));
            (CopySource::of_backup(backup, data_dir)?, runtime)
        }
    })
}

fn summary(copied: &Tally, args: &CopyArgs) -> String {
    let counted =
        Section::ALL.map(|section| format!("{:<20} {:>10}\n", section.name(), copied.count(section)));
    format!(
        "{}{} copied from {} to {}; both hold the same (SHA-256 {})\n",
        counted.concat(),
        inquiries(copied.count(Section::Inquiries)),
        args.from,
        args.to,
        copied.digest()
    )
}
