//! The tables and views of the database. Each kind of entry is a table of two columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tokio_postgres::SimpleQueryMessage;

use super::link::{LONG_STEP, Link};
use super::turn::BEGIN;
use crate::store::map::{EngineError, EntryKind};

/// Lists the schema with its tables and views and their columns.
const FOUND: &str = "SELECT current_schema(), c.relname, (SELECT string_agg(a.attname, ',' ORDER BY a.attnum) \
     FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) \
     FROM (SELECT) one LEFT JOIN (pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     AND n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')) ON true";

/// Views for people who query the database, with the expressions of their columns.
const VIEWS: [(&str, &str); 2] = [
    (
        "erased_ids",
        "SELECT encode(k, 'hex')::uuid AS id, to_timestamp(('x' || encode(v, 'hex'))::bit(64)::bigint / 1000.0) AS erased_at \
         FROM erased",
    ),
    (
        "daily_counts",
        "SELECT date '1970-01-01' + ('x' || encode(substr(k, 1, 4), 'hex'))::bit(32)::int AS day, \
         convert_from(substr(k, 5), 'UTF8') AS name, ('x' || encode(v, 'hex'))::bit(64)::bigint AS count FROM counts",
    ),
];

/// Creates missing tables, and verifies that existing ones are ours.
///
/// # Errors
/// When a table that is not ours is in the way, or one cannot be created.
pub fn prepare(link: &Link) -> Result<(), EngineError> {
    let (schema, found) = found(link)?;
    if schema.is_none() {
        let error = "the database has no schema to use; create the first one that search_path names";
        return Err(EngineError::Failed(error.to_owned()));
    }
    for kind in EntryKind::ALL {
        match found.get(kind.name()) {
            Some(columns) if columns != "k,v" => return Err(not_ours(kind, found.contains_key("meta"))),
            _ => {}
        }
    }
    let mut names = EntryKind::ALL
        .iter()
        .map(|kind| kind.name())
        .chain(VIEWS.map(|(name, _)| name));
    if names.all(|name| found.contains_key(name)) {
        return Ok(());
    }
    let created = link.execute(LONG_STEP, &creation());
    created.map_err(|error| match error {
        EngineError::Failed(reason) => EngineError::Failed(format!(
            "{reason}; check that its tables belong to this user, who may make them after GRANT CREATE ON SCHEMA"
        )),
        error => error,
    })
}

fn found(link: &Link) -> Result<(Option<String>, BTreeMap<String, String>), EngineError> {
    let answer = link.wait(LONG_STEP, link.client().simple_query(FOUND))?;
    let (mut schema, mut found) = (None, BTreeMap::new());
    for message in answer {
        if let SimpleQueryMessage::Row(row) = message {
            schema = row.get(0).map(str::to_owned);
            if let (Some(name), Some(columns)) = (row.get(1), row.get(2)) {
                found.insert(name.to_owned(), columns.to_owned());
            }
        }
    }
    Ok((schema, found))
}

fn not_ours(kind: EntryKind, is_old: bool) -> EngineError {
    EngineError::Failed(if is_old {
        "a build of taubenabwehr before the first release wrote its tables, and this one cannot read them; name an empty \
         database or schema, or go on with the older program"
            .to_owned()
    } else {
        format!(
            "its table {} is not one of taubenabwehr; name an empty database, or a schema by options=-c%20search_path%3DNAME",
            kind.name()
        )
    })
}

/// The statements that create whatever is missing, under a lock against other instances.
fn creation() -> String {
    let mut statements = BEGIN.to_owned();
    for kind in EntryKind::ALL {
        let table = kind.name();
        // Writing to a string cannot fail.
        let _ = write!(
            statements,
            "; CREATE TABLE IF NOT EXISTS {table} (k bytea PRIMARY KEY, v bytea NOT NULL)"
        );
    }
    // JPEGs do not compress further.
    statements += "; ALTER TABLE photos ALTER COLUMN v SET STORAGE EXTERNAL";
    for (name, query) in VIEWS {
        let _ = write!(statements, "; CREATE OR REPLACE VIEW {name} AS {query}");
    }
    statements + "; COMMIT"
}
