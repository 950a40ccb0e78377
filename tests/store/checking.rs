//! A check names whatever is damaged, and reads on behind it.

use std::time::Duration;

use redb::{Database, TableDefinition};
use taubenabwehr::store::redb::{check_file, schema};
use taubenabwehr::store::{Findings, Store};

use crate::engines::{Engine, PostgresEngine};
use crate::support::*;

/// Asserts what was found, in order: how each line begins and ends.
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
        let short = [7].as_slice();
        write
            .open_table(schema::INQUIRIES)
            .unwrap()
            .insert(&id, short)
            .unwrap();
        write
            .open_table(schema::ASKS)
            .unwrap()
            .insert("elbtaube", short)
            .unwrap();
        write
            .open_table(schema::ASK_LOG)
            .unwrap()
            .insert(5, short)
            .unwrap();
        write
            .open_table(schema::CONFIRMATION_LOG)
            .unwrap()
            .insert(17, short)
            .unwrap();
        write
            .open_table(schema::LEDGER)
            .unwrap()
            .insert((&id, "elbtaube"), short)
            .unwrap();
        write
            .open_table(schema::CLOSINGS)
            .unwrap()
            .insert(u32::MAX, (1, 1))
            .unwrap();
        write
            .open_table(schema::PHOTOS)
            .unwrap()
            .insert((&id, 3, 0), short)
            .unwrap();
        write
            .open_table(schema::DUE)
            .unwrap()
            .insert((1, 2, &id), short)
            .unwrap();
        write
            .open_table(schema::SECRETS)
            .unwrap()
            .remove("tokens")
            .unwrap();
        // A whole table that cannot be read.
        write.delete_table(schema::COUNTS).unwrap();
        write
            .open_table(TableDefinition::<u8, u8>::new("counts"))
            .unwrap();
        write.commit().unwrap();
    }
    let findings = check_file(dir.path()).unwrap();
    let id = ids[1].to_string();
    assert_damaged(
        &findings,
        &[
            (&format!("inquiries {id}: "), "an inquiry cannot be read"),
            (
                "turns of firms, behind record 0: ",
                "what the firm \"elbtaube\" was asked cannot be read",
            ),
            (
                "turns of firms, behind record 0: ",
                "what firms were asked from number 5 on cannot be read",
            ),
            (
                "confirmations, behind record 0: ",
                "what was sent to addresses at 17 cannot be read",
            ),
            ("counts, behind record 0: ", ""),
            (&format!("acceptances {id} of elbtaube: "), ""),
            (
                &format!("closed months {}: ", u32::MAX),
                "a closed month cannot be read",
            ),
            (&format!("photos 3 of {id}: "), "a photo cannot be read"),
            ("secrets: ", "the secret of private pages is missing"),
            ("what is due in lane 1 at 2: ", "what is due cannot be read"),
        ],
    );
    assert_eq!(
        (findings.inquiries(), findings.records("idempotency keys")),
        (2, 3)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_database() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let store = engine.open();
    let mut ids = Vec::new();
    for number in 1..=3 {
        let inquiry = store.put(sample(number), key(&number.to_string())).await.unwrap();
        ids.push(inquiry.id);
    }
    let id = ids[1].to_string();
    for change in [
        &format!("UPDATE inquiries SET value = '\\x07' WHERE id = '{id}'"),
        "INSERT INTO keys (name, tag, id, expires_at) VALUES ('\\x07', '\\x07', gen_random_uuid(), now())",
        "INSERT INTO confirmations (address, times, last) VALUES ('\\x07070707070707070707070707070707', '{1}', now())",
        // A whole table that cannot be read.
        "ALTER TABLE counts RENAME COLUMN count TO number",
        &format!("INSERT INTO subscriptions (key, value, leases) VALUES ('{id}', '\\x07', '\\x07')"),
        &format!(
            "INSERT INTO ledger (inquiry, firm, accepted_at, value) VALUES ('{id}', 'elbtaube', now(), '\\x07')"
        ),
        "INSERT INTO closings (month, closed_at, vat) VALUES (-1, now(), 1)",
        &format!("INSERT INTO photos (inquiry, number, size, jpeg) VALUES ('{id}', 3, 0, '\\x07')"),
        "DELETE FROM secrets",
    ] {
        engine.schema().execute(change);
    }
    let findings = store.check().await.unwrap();
    assert_damaged(
        &findings,
        &[
            (&format!("inquiries {id}: "), "an inquiry cannot be read"),
            ("idempotency keys, behind record ", "a key cannot be read"),
            ("counts, behind record 0: ", ""),
            (&format!("subscriptions {id}: "), ""),
            (&format!("acceptances {id} of elbtaube: "), ""),
            (
                "closed months, behind record 0: ",
                "a closed month cannot be read",
            ),
            (&format!("photos 3 of {id}: "), "a photo cannot be read"),
            (&format!("subscriptions {id}: "), "what is leased cannot be read"),
            ("confirmations: ", "what was sent to addresses cannot be read"),
            ("secrets: ", ""),
        ],
    );
    assert_eq!(
        (findings.inquiries(), findings.records("idempotency keys")),
        (2, 3)
    );
}
