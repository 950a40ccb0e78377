//! The tables of the file, and how an older file becomes one of today.

use redb::{Database, ReadableDatabase, TableDefinition, TableError, WriteTransaction};

/// A `UUIDv7` as bytes, which sort by time.
pub type Id = [u8; 16];

/// Inquiries by id; values as [`super::record`] writes them.
pub const INQUIRIES: TableDefinition<&Id, &[u8]> = TableDefinition::new("inquiries");

/// What is remembered of an idempotency key: fingerprint of the request, id of its inquiry, and when it may
/// be forgotten, in milliseconds since 1970. When the inquiry was erased, of the fingerprint only what
/// [`super::keys`] keeps.
pub const KEYS: TableDefinition<&[u8], (&[u8; 32], &Id, u64)> = TableDefinition::new("keys");

/// The keys by the time they may be forgotten.
pub const EXPIRIES: TableDefinition<(u64, &[u8]), ()> = TableDefinition::new("expiries");

/// Facts about the file, by name.
pub const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

/// In [`META`]: the schema of the file.
const SCHEMA: &str = "schema";

/// In [`META`]: when the last health check wrote, in milliseconds since 1970.
pub const HEALTH: &str = "health";

/// Changes a file from one schema to the next.
type Migration = fn(&WriteTransaction) -> Result<(), redb::Error>;

/// One entry for each schema before today's: the first makes a file of schema 1 one of schema 2.
const MIGRATIONS: &[Migration] = &[];

/// Today's schema.
pub const CURRENT: u64 = MIGRATIONS.len() as u64 + 1;

/// Writes tables and schema into a new file.
pub fn create(database: &Database) -> Result<(), redb::Error> {
    commit(database, |transaction| {
        transaction.open_table(INQUIRIES)?;
        transaction.open_table(KEYS)?;
        transaction.open_table(EXPIRIES)?;
        transaction.open_table(META)?.insert(SCHEMA, CURRENT)?;
        Ok(())
    })
}

/// The schema of a file; `None` if it is none of ours.
pub fn of(database: &Database) -> Result<Option<u64>, redb::Error> {
    let meta = match database.begin_read()?.open_table(META) {
        Err(TableError::TableDoesNotExist(_) | TableError::TableTypeMismatch { .. }) => return Ok(None),
        meta => meta?,
    };
    Ok(meta.get(SCHEMA)?.map(|schema| schema.value()))
}

/// Brings a file of an older schema up to today's, all steps in one transaction.
pub fn migrate(database: &Database, from: u64) -> Result<(), redb::Error> {
    migrate_by(MIGRATIONS, database, from)
}

fn migrate_by(migrations: &[Migration], database: &Database, from: u64) -> Result<(), redb::Error> {
    let current = migrations.len() as u64 + 1;
    if from == current {
        return Ok(());
    }
    commit(database, |transaction| {
        for (migration, number) in migrations.iter().zip(1..) {
            if number >= from {
                migration(transaction)?;
            }
        }
        transaction.open_table(META)?.insert(SCHEMA, current)?;
        Ok(())
    })
}

/// Commits what is written to a file that nobody else writes, durably.
pub fn commit(
    database: &Database,
    write: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
) -> Result<(), redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction.set_two_phase_commit(true);
    transaction.set_quick_repair(true);
    write(&transaction)?;
    transaction.commit()?;
    Ok(())
}

/// Sets the schema of a file, for tests of other versions.
#[cfg(test)]
pub fn set(database: &Database, schema: u64) {
    commit(database, |transaction| {
        transaction.open_table(META)?.insert(SCHEMA, schema)?;
        Ok(())
    })
    .unwrap();
}

#[cfg(test)]
mod tests {
    use redb::ReadableTable;
    use redb::backends::InMemoryBackend;

    use super::*;

    fn memory() -> Database {
        Database::builder()
            .create_with_backend(InMemoryBackend::new())
            .unwrap()
    }

    fn note(transaction: &WriteTransaction, step: &'static str) -> Result<(), redb::Error> {
        let mut meta = transaction.open_table(META)?;
        let done = meta.get("done")?.map_or(0, |done| done.value());
        meta.insert(step, done + 1)?;
        meta.insert("done", done + 1)?;
        Ok(())
    }

    #[test]
    fn migrations_run_in_order_from_the_schema_of_the_file() {
        let steps: &[Migration] = &[
            |t| note(t, "1 to 2"),
            |t| note(t, "2 to 3"),
            |t| note(t, "3 to 4"),
        ];
        let database = memory();
        create(&database).unwrap();
        set(&database, 2);
        migrate_by(steps, &database, 2).unwrap();
        assert_eq!(of(&database).unwrap(), Some(4));
        let meta = database.begin_read().unwrap().open_table(META).unwrap();
        let order = |step: &str| meta.get(step).unwrap().map(|order| order.value());
        assert_eq!(
            [order("1 to 2"), order("2 to 3"), order("3 to 4")],
            [None, Some(1), Some(2)]
        );
    }

    #[test]
    fn a_failed_migration_changes_nothing() {
        let steps: &[Migration] = &[|t| note(t, "1 to 2"), |_| Err(redb::Error::DatabaseClosed)];
        let database = memory();
        create(&database).unwrap();
        assert!(migrate_by(steps, &database, 1).is_err());
        assert_eq!(of(&database).unwrap(), Some(1));
        let meta = database.begin_read().unwrap().open_table(META).unwrap();
        assert!(meta.get("done").unwrap().is_none());
    }

    #[test]
    fn a_file_of_others_has_no_schema() {
        const OTHER: TableDefinition<u64, &str> = TableDefinition::new("meta");
        let database = memory();
        assert_eq!(of(&database).unwrap(), None);
        let transaction = database.begin_write().unwrap();
        transaction.open_table(OTHER).unwrap();
        transaction.commit().unwrap();
        assert_eq!(of(&database).unwrap(), None);
    }
}
