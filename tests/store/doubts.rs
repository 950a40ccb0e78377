//! PostgreSQL alone: connections that are lost around COMMIT, when nobody has said whether it happened.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::thread;

use taubenabwehr::referral::{Lane, NewReferral, Outcome, Reach};
use taubenabwehr::store::postgres::{Connector, Postgres};
use taubenabwehr::store::{Erasure, Inserted, Store};

use crate::engines::{Engine, PostgresEngine};
use crate::firms::plan;
use crate::support::*;

/// What happens to the next connection that sends COMMIT.
const NOTHING: u8 = 0;
const LOST_BEFORE: u8 = 1;
const LOST_BEHIND: u8 = 2;
/// It reaches the server only after another connection's.
const LATE: u8 = 3;

/// A way to the server on which connections are lost.
struct Way {
    address: String,
    fate: Arc<AtomicU8>,
    commits: Arc<Commits>,
}

/// What servers have answered to COMMIT.
#[derive(Default)]
struct Commits {
    answered: AtomicU32,
    /// Whether the server has ended the connection whose COMMIT came late.
    has_late_ended: AtomicBool,
}

impl Way {
    fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let fate = Arc::new(AtomicU8::new(NOTHING));
        let shared = Arc::clone(&fate);
        let commits = Arc::new(Commits::default());
        let counted = Arc::clone(&commits);
        // They end with the connections that they relay.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(&server).unwrap();
                let (fate, commits) = (Arc::clone(&shared), Arc::clone(&counted));
                thread::spawn(move || relay(client, server, &fate, &commits));
            }
        });
        Self {
            address,
            fate,
            commits,
        }
    }

    /// Has the next COMMIT meet a fate.
    fn lose(&self, fate: u8) {
        self.fate.store(fate, Ordering::SeqCst);
    }

    fn is_lost(&self) -> bool {
        self.fate.load(Ordering::SeqCst) == NOTHING
    }
}

fn relay(mut client: TcpStream, mut server: TcpStream, fate: &AtomicU8, answered: &Arc<Commits>) {
    let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let is_cut = Arc::new(AtomicU8::new(0));
    let cut = Arc::clone(&is_cut);
    let counted = Arc::clone(answered);
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(read @ 1..) = answers.read(&mut buffer) {
            if buffer[..read].windows(7).any(|part| part == b"COMMIT\0") {
                counted.answered.fetch_add(1, Ordering::SeqCst);
            }
            if cut.load(Ordering::SeqCst) == LATE {
                continue;
            }
            // The answer to COMMIT stays here.
            if cut.load(Ordering::SeqCst) == LOST_BEHIND {
                let has_answered = buffer[..read].windows(6).any(|part| part == b"COMMIT");
                if !has_answered {
                    continue;
                }
                break;
            }
            if to_client.write_all(&buffer[..read]).is_err() {
                break;
            }
        }
        if cut.load(Ordering::SeqCst) == LATE {
            counted.has_late_ended.store(true, Ordering::SeqCst);
        }
        let _ = to_client.shutdown(std::net::Shutdown::Both);
        let _ = answers.shutdown(std::net::Shutdown::Both);
    });
    let mut buffer = vec![0; 1 << 20];
    while let Ok(read @ 1..) = client.read(&mut buffer) {
        let commits = buffer[..read].windows(7).any(|part| part == b"COMMIT\0");
        if commits && fate.load(Ordering::SeqCst) != NOTHING {
            match fate.swap(NOTHING, Ordering::SeqCst) {
                LOST_BEFORE => break,
                LATE => {
                    is_cut.store(LATE, Ordering::SeqCst);
                    let _ = client.shutdown(std::net::Shutdown::Both);
                    send_late(&mut server, &buffer[..read], answered);
                    return;
                }
                _ => {}
            }
            is_cut.store(LOST_BEHIND, Ordering::SeqCst);
        }
        if server.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(std::net::Shutdown::Both);
    if is_cut.load(Ordering::SeqCst) == NOTHING {
        let _ = server.shutdown(std::net::Shutdown::Both);
    }
}

/// Sends what ends with COMMIT once another connection's was answered.
fn send_late(server: &mut TcpStream, end: &[u8], commits: &Commits) {
    let before = commits.answered.load(Ordering::SeqCst);
    while commits.answered.load(Ordering::SeqCst) == before {
        thread::yield_now();
    }
    server.write_all(end).unwrap();
    // The server reads to the end and then leaves.
    server.shutdown(std::net::Shutdown::Write).unwrap();
}

/// Opens a store behind a way on which connections are lost.
async fn open(engine: &PostgresEngine, clock: &FakeClock) -> (Store, Way) {
    let url = engine.schema().url();
    let (before, rest) = url.split_once('@').unwrap();
    let (server, rest) = rest.split_once('/').unwrap();
    let way = Way::to(server.to_owned());
    let url = format!("{before}@{}/{rest}", way.address);
    let connector = Connector::new(url.parse().unwrap()).unwrap();
    let store = Postgres::connect_with_clock(connector, Some(clock.clock()))
        .await
        .unwrap();
    (store.into(), way)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_has_acknowledged_happens_once() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (store, way) = open(&engine, &clock).await;
    store.follow(Arc::new(plan(&["a", "b", "c", "d"]))).unwrap();
    let day = jiff::civil::date(2026, 11, 8);
    let mut number = 0;
    for fate in [LOST_BEFORE, LOST_BEHIND, LOST_BEHIND] {
        number += 1;
        way.lose(fate);
        let one = [("page:/".to_owned(), 1)].into();
        store.count(day, one).await.unwrap();
        assert!(way.is_lost());
        assert_eq!(store.counts(day).await.unwrap()[0].1["page:/"], number);

        way.lose(fate);
        // Without a key nothing else would tell a second one from the first.
        let inserted = store
            .insert(sample(number), NewReferral::default(), None)
            .await
            .unwrap();
        let Inserted::New(inquiry) = inserted else {
            panic!("it was stored once");
        };
        assert!(way.is_lost());
        let stored = all(&store).await;
        assert_eq!(stored.len(), usize::try_from(number).unwrap());
        assert_eq!(stored.last(), Some(&inquiry));

        way.lose(fate);
        let claims = store.claim(Lane::Mail, 100).await.unwrap().claims;
        assert!(way.is_lost());
        assert!(claims.len() > 1, "{}", claims.len());
        for (index, claim) in claims.iter().enumerate() {
            let retry = Outcome::Retry {
                at: "2026-11-09T12:00:00Z".parse().unwrap(),
                reason: "no".to_owned(),
                reach: Reach::NotTaken,
            };
            way.lose(if index == 0 { fate } else { NOTHING });
            store.settle(claim, retry).await.unwrap();
            assert!(way.is_lost());
            let dossier = store.dossier(claim.id.inquiry).await.unwrap().unwrap();
            let delivery = &dossier.referral.deliveries[usize::from(claim.id.number)];
            assert_eq!(delivery.attempts, 1);
        }
    }
    let asked: u64 = store
        .asks()
        .await
        .unwrap()
        .values()
        .map(taubenabwehr::matching::Asks::last)
        .max()
        .unwrap();
    assert_eq!(asked % number, 0, "each inquiry has asked as many firms");
    drop(store);
    assert_eq!(all(&engine.open()).await.len(), usize::try_from(number).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_was_repeated_does_not_happen_late() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (store, way) = open(&engine, &clock).await;
    let day = jiff::civil::date(2026, 11, 8);
    way.lose(LATE);
    // Adding once more is nothing that a key or an id would show.
    store.count(day, [("page:/".to_owned(), 1)].into()).await.unwrap();
    assert!(way.is_lost());
    while !way.commits.has_late_ended.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    assert_eq!(store.counts(day).await.unwrap()[0].1["page:/"], 1);
    store.count(day, [("page:/".to_owned(), 1)].into()).await.unwrap();
    assert_eq!(store.counts(day).await.unwrap()[0].1["page:/"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_that_nobody_has_acknowledged_is_found_done() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (store, way) = open(&engine, &clock).await;
    for fate in [LOST_BEFORE, LOST_BEHIND] {
        let mut ids = Vec::new();
        for number in 0..3 {
            let inserted = store.insert(sample(number), NewReferral::default(), None).await;
            ids.push(inserted.unwrap().into_inquiry().id);
        }
        way.lose(fate);
        let named = Erasure::Ids([ids[0]].into());
        assert_eq!(store.erase(named).await.unwrap(), 1);
        assert!(way.is_lost());
        way.lose(fate);
        let all_others = Erasure::ReceivedBefore("2026-11-09T12:00:00Z".parse().unwrap());
        assert_eq!(store.erase(all_others).await.unwrap(), 2);
        assert!(way.is_lost());
        assert_eq!(all(&store).await.len(), 0);
    }
}
