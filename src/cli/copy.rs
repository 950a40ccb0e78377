//! `taubenabwehr copy`: copies everything to another store, which may use another engine.

use std::fs;

use super::CliError;
use super::output::{inquiries, say, table_counts};
use crate::config::args::CopyArgs;
use crate::control::Caller;
use crate::operate::CallError;
use crate::store::{Location, OTHER_WAYS, RowTally, copy};

/// Copies a store.
///
/// # Errors
/// When the copy failed. The target is then empty, or refuses to open because it is incomplete.
pub fn run(args: &CopyArgs) -> Result<(), CliError> {
    if is_same(&args.from, &args.to) {
        return Err("--from and --to name the same store; choose another --to".into());
    }
    let with_password = |place: &Location| place.clone().with_password_file(args.store_password_file.clone());
    let source = Caller::new(&with_password(&args.from))?.rows();
    let source = source.map_err(|error| match error {
        CallError::Open(error) => CliError::from(by_flag(&error, "--from")),
        error => error.into(),
    })?;
    let copied = copy(source, &with_password(&args.to)).map_err(|error| by_flag(&error, "--to"))?;
    say(summary(&copied, args));
    Ok(())
}

/// The text of an error, with this command's flag instead of `--data-dir`.
fn by_flag(error: &impl ToString, flag: &str) -> String {
    let message = error.to_string().replace(OTHER_WAYS, "");
    message.replace("--data-dir", flag)
}

/// Whether both locations are the same store. Two different addresses can still lead to the same database, which then refuses the
/// copy because it is not empty.
fn is_same(from: &Location, to: &Location) -> bool {
    let directory = |location: &Location| location.data_dir().and_then(|path| fs::canonicalize(path).ok());
    from == to || directory(from).is_some_and(|from| directory(to) == Some(from))
}

fn summary(copied: &RowTally, args: &CopyArgs) -> String {
    format!(
        "{}{} copied from {} to {}; both hold the same (SHA-256 {})\n",
        table_counts(&copied.counts()),
        inquiries(copied.inquiries()),
        args.from,
        args.to,
        copied.digest()
    )
}
