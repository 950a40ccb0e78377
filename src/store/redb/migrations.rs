//! How a file of an older schema becomes one of today's.

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, TableError, WriteTransaction};

use super::open_tables::OpenTables;
use super::schema::{ASK_LOG, EXPIRIES, Id, KEYS, META, REFERRALS, SCHEMA};
use super::{confirmations, due_index, secrets, tables};
use crate::store::core::{KeyedRequest, acceptances_of, referral_record};

/// Changes a file from one schema to the next.
type Migration = fn(&WriteTransaction) -> Result<(), redb::Error>;

/// One entry for each schema before today's: the first turns a file of schema 1 into one of schema 2. Tables that are
/// missing are created after the last.
const MIGRATIONS: &[Migration] = &[
    hash_keys,
    secrets::create,
    log_asks,
    write_together,
    may_hold,
    keep_ledger,
    keep_photos,
];

/// Today's schema.
pub const CURRENT: u64 = MIGRATIONS.len() as u64 + 1;

/// Writes tables and schema into a new file.
pub fn create(database: &Database) -> Result<(), redb::Error> {
    commit(database, |transaction| {
        tables::create_all(transaction)?;
        secrets::create(transaction)?;
        transaction.open_table(META)?.insert(SCHEMA, CURRENT)?;
        Ok(())
    })
}

/// Returns the schema of a file; `None` if it does not hold inquiries.
pub fn schema_of(database: &Database) -> Result<Option<u64>, redb::Error> {
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
        tables::create_all(transaction)?;
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

/// From schema 1 to 2: keys are no longer kept as they came, nor fingerprints of requests ([`KeyedRequest`]).
fn hash_keys(transaction: &WriteTransaction) -> Result<(), redb::Error> {
    const OLD_KEYS: TableDefinition<&[u8], (&[u8; 32], &Id, u64)> = TableDefinition::new("keys");
    const OLD_EXPIRIES: TableDefinition<(u64, &[u8]), ()> = TableDefinition::new("expiries");
    {
        let old = transaction.open_table(OLD_KEYS)?;
        let mut keys = transaction.open_table(KEYS)?;
        let mut expiries = transaction.open_table(EXPIRIES)?;
        for entry in old.iter()? {
            let (key, value) = entry?;
            let (fingerprint, id, expiry) = value.value();
            let request = KeyedRequest::of_fingerprint(key.value(), *fingerprint);
            keys.insert(request.name(), (&request.tag(), id, expiry))?;
            expiries.insert((expiry, request.name()), ())?;
        }
    }
    transaction.delete_table(OLD_KEYS)?;
    transaction.delete_table(OLD_EXPIRIES)?;
    Ok(())
}

/// From schema 3 to 4: the last asks are in a table of their own, which an older program would not read.
fn log_asks(transaction: &WriteTransaction) -> Result<(), redb::Error> {
    transaction.open_table(ASK_LOG)?;
    Ok(())
}

/// From schema 4 to 5: what many inquiries of one commit add to a table is one entry of it.
fn write_together(transaction: &WriteTransaction) -> Result<(), redb::Error> {
    due_index::list(transaction)?;
    confirmations::log(transaction)
}

/// From schema 5 to 6: deliveries may be held, which an older program would not read.
#[expect(clippy::unnecessary_wraps, reason = "as every migration")]
fn may_hold(_: &WriteTransaction) -> Result<(), redb::Error> {
    Ok(())
}

/// From schema 6 to 7: acceptances are in a ledger. Those whose referrals are still there are brought into it; a referral that cannot be
/// read is left to a check.
fn keep_ledger(transaction: &WriteTransaction) -> Result<(), redb::Error> {
    let mut tables = OpenTables::new(transaction);
    for entry in transaction.open_table(REFERRALS)?.iter()? {
        let (id, value) = entry?;
        let Ok(referral) = referral_record::decode(id.value(), value.value()) else {
            continue;
        };
        for acceptance in acceptances_of(uuid::Uuid::from_bytes(*id.value()), &referral) {
            tables.put_acceptance(&acceptance)?;
        }
    }
    Ok(())
}

/// From schema 7 to 8: inquiries may have photos, which an older program would leave behind.
#[expect(clippy::unnecessary_wraps, reason = "as every migration")]
fn keep_photos(_: &WriteTransaction) -> Result<(), redb::Error> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use redb::backends::InMemoryBackend;

    use super::*;

    fn memory() -> Database {
        Database::builder()
            .create_with_backend(InMemoryBackend::new())
            .unwrap()
    }

    fn set_schema(database: &Database, schema: u64) {
        commit(database, |transaction| {
            transaction.open_table(META)?.insert(SCHEMA, schema)?;
            Ok(())
        })
        .unwrap();
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
        set_schema(&database, 2);
        migrate_by(steps, &database, 2).unwrap();
        assert_eq!(schema_of(&database).unwrap(), Some(4));
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
        set_schema(&database, 1);
        assert!(migrate_by(steps, &database, 1).is_err());
        assert_eq!(schema_of(&database).unwrap(), Some(1));
        let meta = database.begin_read().unwrap().open_table(META).unwrap();
        assert!(meta.get("done").unwrap().is_none());
    }

    #[test]
    fn a_file_of_others_has_no_schema() {
        const OTHER: TableDefinition<u64, &str> = TableDefinition::new("meta");
        let database = memory();
        assert_eq!(schema_of(&database).unwrap(), None);
        let transaction = database.begin_write().unwrap();
        transaction.open_table(OTHER).unwrap();
        transaction.commit().unwrap();
        assert_eq!(schema_of(&database).unwrap(), None);
    }

    #[test]
    fn a_new_file_has_the_tables_with_a_policy_and_no_other() {
        let database = memory();
        create(&database).unwrap();
        let read = database.begin_read().unwrap();
        let mut found: Vec<String> = read
            .list_tables()
            .unwrap()
            .map(|table| redb::TableHandle::name(&table).to_owned())
            .collect();
        let mut known: Vec<&str> = tables::ALL.iter().map(|table| table.name).collect();
        found.sort_unstable();
        known.sort_unstable();
        assert_eq!(found, known);
    }
}
