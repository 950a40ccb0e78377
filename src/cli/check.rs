//! `taubenabwehr check`: reads every record of the store, or of a backup.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::failure::Failure;
use crate::base::text::berlin::in_berlin;
use crate::config::args::CheckArgs;
use crate::control::{Holder, ask_or};
use crate::operate::Request;
use crate::store::{Backup, Findings, Location};

/// Reads every record, and prints what is damaged, or how many there are.
///
/// # Errors
/// When something is damaged, or nothing can be read.
pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let mut head = String::new();
    let findings = match &args.file {
        Some(path) => {
            let mut backup = Backup::read(path)?;
            let _ = writeln!(head, "a backup of {}", in_berlin(backup.made_at()));
            backup.check()?
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
    let where_and_advice = match args.file {
        Some(_) => "the backup; use another one",
        None if args.data.location.data_dir().is_some() => {
            "the store: stop the server, move the data directory away, and restore the last backup"
        }
        None => {
            "the database: stop all servers, and restore the last backup to another database, or to this one once its schema \
             was dropped"
        }
    };
    Err(format!("{damaged} damaged in {where_and_advice}").into())
}

fn store(location: &Location) -> Result<Findings, Failure> {
    Ok(match ask_or(location, &Request::Check, |_| location.check())? {
        Holder::Server(reply) => reply.only()?,
        Holder::Nobody(findings, _) => findings,
    })
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
