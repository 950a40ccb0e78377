//! What was acknowledged is on disk; for servers that are killed, see `crash`.

use std::collections::HashSet;
use std::thread;

use serde_json::Value;

use crate::harness::{Server, record};

/// Clients that send at the same time.
const CLIENTS: usize = 8;

#[test]
fn inquiries_survive_an_orderly_restart() {
    let server = Server::start();
    let before: Vec<Value> = (0..30)
        .map(|number| server.store(&record(&format!("Nr. {number}"))))
        .collect();
    let server = server.restart();
    assert_eq!(server.stored(), before);
    let later = server.store(&record("später"));
    assert!(
        later["id"].as_str() > before[29]["id"].as_str(),
        "ids go on growing"
    );
}

#[test]
fn an_acknowledged_inquiry_is_readable_at_once() {
    let server = Server::start();
    for number in 0..10 {
        let stored = server.store(&record(&format!("Nr. {number}")));
        assert_eq!(server.stored().last(), Some(&stored));
    }
}

#[test]
fn many_clients_at_once_lose_nothing() {
    let server = Server::start();
    let ids: HashSet<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let server = &server;
                scope.spawn(move || {
                    let store = |number| server.store(&record(&format!("Klient {client} Nr. {number}")));
                    let id = |record: Value| record["id"].as_str().unwrap().to_owned();
                    (0..25).map(|number| id(store(number))).collect::<Vec<_>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(ids.len(), CLIENTS * 25);
    let rows = server.stored();
    let exported: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert!(
        exported.is_sorted_by(|a, b| a < b),
        "ids are not in order, or one stands twice"
    );
    assert_eq!(
        exported.into_iter().map(str::to_owned).collect::<HashSet<_>>(),
        ids
    );
}
