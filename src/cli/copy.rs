//! `taubenabwehr copy`: moves everything to another store, whatever engines the two have.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};

use super::erase::inquiries;
use super::failure::Failure;
use crate::config::args::CopyArgs;
use crate::control::{Holder, ask_or};
use crate::operate::{AskError, Request};
use crate::store::{Location, OTHER_WAYS, RowSource, RowTally, copy};

/// Copies a store.
///
/// # Errors
/// When the target holds nothing, or says that it is not whole.
pub fn run(args: &CopyArgs) -> Result<(), Failure> {
    if is_same(&args.from, &args.to) {
        return Err("--from and --to name the same store; choose another --to".into());
    }
    let with_password = |place: &Location| place.clone().with_password_file(args.store_password_file.clone());
    let source = source(&with_password(&args.from))?;
    let copied = copy(source, &with_password(&args.to)).map_err(|error| by_flag(&error, "--to"))?;
    // It is copied even if standard output is closed.
    let _ = io::stdout().write_all(summary(&copied, args).as_bytes());
    Ok(())
}

/// Returns an error's text with the flag of this command where other commands have another one.
fn by_flag(error: &impl ToString, flag: &str) -> String {
    let message = error.to_string().replace(OTHER_WAYS, "");
    message.replace("--data-dir", flag)
}

/// Returns whether both name one store. Two addresses can still lead to the same database, which then says that it has inquiries.
fn is_same(from: &Location, to: &Location) -> bool {
    let directory = |location: &Location| location.data_dir().and_then(|path| fs::canonicalize(path).ok());
    from == to || directory(from).is_some_and(|from| directory(to) == Some(from))
}

/// Opens the source. What a server has, it hands out as it is at one moment.
fn source(from: &Location) -> Result<RowSource, Failure> {
    let asked = ask_or(from, &Request::Backup, |_| from.copy_source()).map_err(|error| match error {
        AskError::Open(error) => Failure::from(by_flag(&error, "--from")),
        error => error.into(),
    })?;
    Ok(match asked {
        Holder::Nobody(source, _) => source,
        Holder::Server(reply) => RowSource::Server(Box::new(reply)),
    })
}

fn summary(copied: &RowTally, args: &CopyArgs) -> String {
    let mut counted = String::new();
    for (name, count) in copied.counts() {
        // A string takes every text.
        let _ = writeln!(counted, "{name:<20} {count:>10}");
    }
    format!(
        "{counted}{} copied from {} to {}; both hold the same (SHA-256 {})\n",
        inquiries(copied.inquiries()),
        args.from,
        args.to,
        copied.digest()
    )
}
