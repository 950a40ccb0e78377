//! Reading every record of a file.

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable};

use super::error::attempt;
use super::open_error::{OpenError, explain};
use super::overlay::Overlay;
use super::schema::{self, COPYING, EXPIRIES, SECRETS};
use super::{database, due_index, migrations, open, secrets, transfer};
use crate::store::erased_list::Erased;
use crate::store::findings::Findings;
use crate::store::transfer::{Rows, Section};

/// Checks the file of a directory that nobody has open: the checksums of all pages, and every record. It is not changed.
///
/// # Errors
/// When it is in use, or cannot be read at all.
pub fn file(data_dir: &Path) -> Result<Findings, OpenError> {
    let (path, file) = open::locked(data_dir, Duration::ZERO)?;
    let checked = attempt(|| {
        let mut database = database::open_passing(Overlay::new(file.try_clone()?)?)?;
        match migrations::schema_of(&database)? {
            Some(found) if (1..=migrations::CURRENT).contains(&found) => {
                migrations::migrate(&database, found)?;
                let is_copying = schema::flag(&database, COPYING)?;
                Ok(Some((is_copying, whole(&mut database)?)))
            }
            _ => Ok(None),
        }
    });
    match checked.map_err(|error| explain(&path, error))? {
        Some((true, _)) => Err(OpenError::Copying(path)),
        Some((false, findings)) => Ok(findings),
        // It says what is wrong with it.
        None => open::inspect(file, &path).map(|()| Findings::default()),
    }
}

/// Checks a file that nobody else uses: the checksums of all pages, and every record.
pub fn whole(database: &mut Database) -> Result<Findings, redb::Error> {
    let is_intact = database.check_integrity()?;
    let mut findings = records(&database.begin_read()?);
    if !is_intact {
        findings.note(|| "pages of the file: their checksums are wrong".to_owned());
    }
    Ok(findings)
}

/// Reads every record that a transaction shows, and what follows from them.
pub fn records(file: &ReadTransaction) -> Findings {
    let mut rows = Rows::checking(Timestamp::now());
    // A check notes what cannot be read, and nobody takes the rows.
    let _ = transfer::all(file, &Erased::new(), &mut rows, &mut |_| Ok(()));
    let mut findings = rows.into_findings();
    // The list of them stands beside the file.
    findings.tables.retain(|(name, _)| name != Section::Erased.name());
    for (name, check) in OWN {
        if let Err(error) = attempt(|| check(file, &mut findings)) {
            findings.note(|| format!("{name}: {error}"));
        }
    }
    findings
}

/// Reads a table that only a file has. An error ends the reading of that table.
type Check = fn(&ReadTransaction, &mut Findings) -> Result<(), redb::Error>;

/// What only a file has.
const OWN: [(&str, Check); 3] = [
    ("secrets", |file, _| {
        secrets::find(&file.open_table(SECRETS)?).map(drop)
    }),
    ("expiries of idempotency keys", |file, _| {
        for entry in file.open_table(EXPIRIES)?.iter()? {
            entry?.0.value();
        }
        Ok(())
    }),
    ("what is due", due_index::check),
];
