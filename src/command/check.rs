//! `taubenabwehr check`: reads every record of the store, or of a backup.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::failure::Failure;
use crate::cli::CheckArgs;
use crate::control::operations::CheckRecords;
use crate::control::{self, client};
use crate::export::in_berlin;
use crate::store::{Backup, BackupError, Findings, Location};

/// Why a check failed; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The store cannot be read at all.
    #[error(transparent)]
    Store(#[from] Failure),
    /// The backup cannot be used.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// Something is damaged.
    #[error(
        "{0} damaged in the store: stop the server, move the data directory away, and restore the last backup"
    )]
    DamagedStore(String),
    /// Something is damaged in a database.
    #[error(
        "{0} damaged in the database: stop all servers, and restore the last backup to another database, or to this one once its \
         schema was dropped"
    )]
    DamagedDatabase(String),
    /// Something in a backup is damaged.
    #[error("{0} damaged in the backup; use another one")]
    DamagedBackup(String),
}

/// Reads every record, and prints what is damaged, or how many there are.
///
/// # Errors
/// When something is damaged, or nothing can be read.
pub fn run(args: &CheckArgs) -> Result<(), CheckError> {
    let mut head = String::new();
    let findings = match &args.file {
        Some(path) => {
            let mut backup = Backup::read(path)?;
            let (made_at, findings) = (backup.made_at(), backup.check());
            backup.close()?;
            if let Some(made_at) = made_at? {
                let _ = writeln!(head, "a backup of {}", in_berlin(made_at));
            }
            findings?
        }
        None => store(&args.data.location)?,
    };
    // The exit code says it, too.
    let _ = io::stdout().write_all(report(head, &findings).as_bytes());
    if findings.count == 0 {
        return Ok(());
    }
    let damaged = match findings.count {
        1 => "1 record is".to_owned(),
        count => format!("{count} records are"),
    };
    Err(match args.file {
        Some(_) => CheckError::DamagedBackup(damaged),
        None if args.data.location.data_dir().is_some() => CheckError::DamagedStore(damaged),
        None => CheckError::DamagedDatabase(damaged),
    })
}

fn store(location: &Location) -> Result<Findings, Failure> {
    control::check(location, |data_dir| client::operate(data_dir, &CheckRecords {}))
}

fn report(mut text: String, findings: &Findings) -> String {
    for line in &findings.damaged {
        let _ = writeln!(text, "damaged: {line}");
    }
    for (table, count) in &findings.tables {
        let _ = writeln!(text, "{table:<20} {count:>10}");
    }
    if findings.count == 0 {
        text.push_str("every record can be read\n");
    }
    text
}
