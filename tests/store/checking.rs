//! A check reports all damage, and continues past it.

use std::time::Duration;

use redb::{Database, TableDefinition};
use taubenabwehr::store::{Findings, Location, Store};

use crate::support::*;

/// Asserts the findings in order, by how each line begins and ends.
fn assert_damaged(findings: &Findings, expected: &[(&str, &str)]) {
    let damaged = &findings.damaged;
    assert_eq!(damaged.len(), expected.len(), "{damaged:#?}");
    for (line, (begins, ends)) in damaged.iter().zip(expected) {
        assert!(
            line.starts_with(begins) && line.ends_with(ends),
            "{line}, not {begins} … {ends}"
        );
    }
    assert_eq!(findings.count, expected.len() as u64);
}

#[tokio::test]
async fn of_a_file() {
    let dir = directory_in_memory();
    let store = Store::open(dir.path()).unwrap();
    let mut ids = Vec::new();
    for number in 1..=3 {
        let inquiry = store.put(sample(number), key(&number.to_string())).await.unwrap();
        ids.push(inquiry.id);
    }
    store.close(Duration::from_secs(100)).await;
    drop(store);
    let id = ids[1].into_bytes();
    {
        let database = Database::open(file(dir.path())).unwrap();
        let write = database.begin_write().unwrap();
        let damage = |table: &str, key: &[u8], value: &[u8]| {
            let table: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new(table);
            write.open_table(table).unwrap().insert(key, value).unwrap();
        };
        damage("inquiries", &id, &[7]);
        damage("asks", b"elbtaube", &[7]);
        damage("confirmations", &[17], &[1]);
        damage("ledger", &[id.as_slice(), b"elbtaube"].concat(), &[7]);
        damage("closings", &u32::MAX.to_be_bytes(), &[1]);
        damage("photos", &[id.as_slice(), &[0, 3, 0]].concat(), &[7]);
        let secrets: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("secrets");
        write
            .open_table(secrets)
            .unwrap()
            .remove(b"tokens".as_slice())
            .unwrap();
        // A whole table that cannot be read.
        let counts: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("counts");
        write.delete_table(counts).unwrap();
        write
            .open_table(TableDefinition::<u8, u8>::new("counts"))
            .unwrap();
        write.commit().unwrap();
    }
    let findings = Location::Directory(dir.path().to_owned()).check().unwrap();
    let id = ids[1].to_string();
    assert_damaged(
        &findings,
        &[
            (&format!("inquiries {id}: "), "an inquiry cannot be read"),
            (
                "turns of firms elbtaube: ",
                "what a firm was asked cannot be read",
            ),
            ("confirmations: ", "what was sent to addresses cannot be read"),
            ("counts: ", ""),
            (&format!("acceptances {id} of elbtaube: "), ""),
            (
                &format!("closed months {}: ", u32::MAX),
                "a closed month cannot be read",
            ),
            (&format!("photos 3 of {id}: "), "a photo cannot be read"),
            ("secrets: ", "the secret of private pages is missing"),
        ],
    );
    assert_eq!(
        (findings.inquiries(), findings.records("idempotency keys")),
        (2, 3)
    );
}

#[tokio::test]
async fn of_an_index_that_has_not_followed() {
    let dir = directory_in_memory();
    let store = Store::open(dir.path()).unwrap();
    store.put(sample(1), key("one")).await.unwrap();
    store.close(Duration::from_secs(100)).await;
    drop(store);
    let database = Database::open(file(dir.path())).unwrap();
    let write = database.begin_write().unwrap();
    let expiries: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("expiries");
    write.open_table(expiries).unwrap().pop_first().unwrap();
    write.commit().unwrap();
    drop(database);
    let findings = Location::Directory(dir.path().to_owned()).check().unwrap();
    let line = ("expiries of idempotency keys: ", "what the records say");
    assert_damaged(&findings, &[line]);
}
