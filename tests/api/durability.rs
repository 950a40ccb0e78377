//! What was acknowledged is on disk, whatever happens to the process (contract, "HTTP").

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

use crate::harness::inquiry::post;
use crate::harness::server::stored;
use crate::harness::{Connection, Server, record, until};

/// Clients that send at the same time.
const CLIENTS: usize = 8;

/// Sends inquiries until the server is gone; notes each id that was acknowledged, and every name sent.
fn send_until_the_end(
    server: &Server,
    client: usize,
    acknowledged: &Mutex<Vec<(String, String)>>,
    sent: &AtomicUsize,
) {
    let mut connection = Connection::open(server.address);
    for number in 0.. {
        let name = format!("Klient {client} Nr. {number}");
        let request = post(&record(&name)).header("Prefer", "return=representation");
        sent.fetch_add(1, Ordering::Relaxed);
        if connection.send_raw(request.bytes("localhost")).is_err() {
            return;
        }
        let Ok(response) = connection.try_receive("POST") else {
            return;
        };
        assert_eq!(response.status, 201, "{}", response.text());
        let id = response.json()[0]["id"].as_str().unwrap().to_owned();
        acknowledged.lock().unwrap().push((id, name));
    }
}

/// How often each id stands in an export, which has to be in the order of ids.
fn counted(rows: &[Value]) -> HashMap<String, (usize, String)> {
    let ids: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert!(
        ids.is_sorted_by(|a, b| a < b),
        "ids are not in order, or one stands twice"
    );
    let mut counted = HashMap::new();
    for row in rows {
        let name = row["last_name"].as_str().unwrap().to_owned();
        counted
            .entry(row["id"].as_str().unwrap().to_owned())
            .or_insert((0, name))
            .0 += 1;
    }
    counted
}

#[test]
fn everything_acknowledged_survives_kill_9_exactly_once() {
    let mut server = Server::start();
    let mut all = HashMap::new();
    for round in 0..3 {
        let acknowledged = Mutex::new(Vec::new());
        let sent = AtomicUsize::new(0);
        // An unpredictable moment: the sub-second part of the time decides how many answers we wait for.
        let moment = usize::try_from(jiff::Timestamp::now().subsec_nanosecond()).unwrap() / 1000 % 150 + 20;
        let setup = thread::scope(|scope| {
            for client in 0..CLIENTS {
                let (server, acknowledged, sent) = (&server, &acknowledged, &sent);
                scope.spawn(move || send_until_the_end(server, client, acknowledged, sent));
            }
            until("some answers", || {
                (acknowledged.lock().unwrap().len() >= moment).then_some(())
            });
            server.signal("KILL");
            server.dir().clone()
        });
        let known = all.len();
        all.extend(acknowledged.into_inner().unwrap());
        assert!(all.len() >= known + moment, "round {round}");

        let rows = stored(&setup);
        let found = counted(&rows);
        for (id, name) in &all {
            assert_eq!(
                found.get(id),
                Some(&(1, name.clone())),
                "round {round}, killed after {moment} answers"
            );
        }
        // Whatever else is there was sent, and its answer was on the way.
        let unanswered = rows.len() - all.len();
        assert!(
            unanswered <= CLIENTS * (round + 1),
            "{unanswered} that nobody asked for"
        );

        server = server.kill().start();
        assert_eq!(
            server.stored(),
            rows,
            "round {round}: the restart changed something"
        );
    }
}

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
    let exported: HashSet<String> = counted(&rows).into_keys().collect();
    assert_eq!(exported, ids);
}
