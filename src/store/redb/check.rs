//! Reading every record of a file.

use std::path::Path;
use std::time::Duration;

use redb::{Database, ReadTransaction, ReadableDatabase};

use super::error::attempt;
use super::open_error::{OpenError, explain};
use super::overlay::Overlay;
use super::records::Records;
use super::schema::{self, COPYING};
use super::{database, migrations, open, tables};
use crate::store::findings::Findings;

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

/// Reads every record that a transaction shows.
pub fn records(file: &ReadTransaction) -> Findings {
    let mut findings = Findings::default();
    for table in &tables::ALL {
        let mut count = 0;
        let read = attempt(|| (table.check)(file, &mut Records::of(table.name, &mut count, &mut findings)));
        if let Err(error) = read {
            findings.note(|| format!("table {}, behind record {count}: {error}", table.name));
        }
        findings.tables.push((table.name.to_owned(), count));
    }
    findings
}
