//! No table is lost silently.

use std::fs;

use redb::{Database, ReadableDatabase, ReadableTableMetadata, TableDefinition, TableHandle};
use taubenabwehr::store::redb::tables;
use taubenabwehr::store::{Erasure, Store};

use crate::support::*;

/// A table that nobody has decided about.
const FORGOTTEN: TableDefinition<u64, &str> = TableDefinition::new("forgotten");

#[tokio::test]
async fn every_table_has_a_policy_and_none_other_is_erased_with_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let first = store.put(sample(1), key("k")).await.unwrap();
    store.put(sample(2), key("other")).await.unwrap();
    assert_eq!(store.erase(ids(&[&first])).await.unwrap(), 1);
    drop(store);
    {
        let database = Database::open(file(dir.path())).unwrap();
        let read = database.begin_read().unwrap();
        for table in read.list_tables().unwrap() {
            assert!(
                tables::ALL.iter().any(|known| known.name == table.name()),
                "{} has no policy",
                table.name()
            );
        }
        drop(read);
        let transaction = database.begin_write().unwrap();
        transaction
            .open_table(FORGOTTEN)
            .unwrap()
            .insert(1, "precious")
            .unwrap();
        transaction.commit().unwrap();
    }
    let store = Store::open(dir.path()).unwrap();
    let stored = all(&store).await;
    let error = store
        .erase(Erasure::Until(jiff::Timestamp::MAX))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("the table forgotten"), "{error}");
    assert_eq!(all(&store).await, stored);
    drop(store);
    let database = Database::open(file(dir.path())).unwrap();
    let forgotten = database.begin_read().unwrap().open_table(FORGOTTEN).unwrap();
    assert_eq!(forgotten.len().unwrap(), 1);
    assert!(!fs::exists(new_file(dir.path())).unwrap());
}
