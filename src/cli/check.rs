//! `taubenabwehr check`: reads every record of the store or of a backup.

use std::fmt::Write as _;

use super::CliError;
use super::output::{say, table_counts};
use crate::base::text::berlin::in_berlin;
use crate::base::text::counted;
use crate::config::args::CheckArgs;
use crate::control::Caller;
use crate::operate::calls::CheckRecords;
use crate::store::{Backup, Findings};

/// Reads every record, and prints the damaged ones and the number of records in each table.
///
/// # Errors
/// When a record is damaged, or the store or backup cannot be read.
pub fn run(args: &CheckArgs) -> Result<(), CliError> {
    let mut head = String::new();
    let location = &args.data;
    let findings = if let Some(path) = &args.file {
        let mut backup = Backup::read(path)?;
        let _ = writeln!(head, "a backup of {}", in_berlin(backup.made_at()));
        backup.check()?
    } else {
        match location.check() {
            Err(error) if error.is_in_use() => Caller::new(location)?.call(CheckRecords {})?,
            checked => checked?,
        }
    };
    say(report(head, &findings));
    if findings.count == 0 {
        return Ok(());
    }
    let damaged = counted(findings.count, "record is", "records are");
    let where_and_advice = match args.file {
        Some(_) => "the backup; use another one",
        None if location.data_dir().is_some() => {
            "the store: stop the server, move the data directory away, and restore the last backup"
        }
        None => {
            "the database: stop all servers, and restore the last backup to another database, or to this one once its schema \
             was dropped"
        }
    };
    Err(format!("{damaged} damaged in {where_and_advice}").into())
}

fn report(mut text: String, findings: &Findings) -> String {
    for line in &findings.damaged {
        let _ = writeln!(text, "damaged: {line}");
    }
    text += &table_counts(&findings.tables);
    if findings.count == 0 {
        text.push_str("every record can be read\n");
    }
    text
}
