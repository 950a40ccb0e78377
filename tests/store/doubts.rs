//! PostgreSQL alone: connections that are lost around COMMIT, when nobody has said whether it happened.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

use taubenabwehr::referral::{Lane, NewReferral, Outcome, Reach};
use taubenabwehr::store::postgres::{Connector, Postgres};
use taubenabwehr::store::{Inserted, Store};

use crate::engines::{Engine, PostgresEngine};
use crate::firms::plan;
use crate::support::*;

/// What happens to the next connection that sends COMMIT.
const NOTHING: u8 = 0;
const LOST_BEFORE: u8 = 1;
const LOST_BEHIND: u8 = 2;

/// A way to the server on which connections are lost.
struct Way {
    address: String,
    fate: Arc<AtomicU8>,
}

impl Way {
    fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let fate = Arc::new(AtomicU8::new(NOTHING));
        let shared = Arc::clone(&fate);
        // They end with the connections that they relay.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(&server).unwrap();
                let fate = Arc::clone(&shared);
                thread::spawn(move || relay(client, server, &fate));
            }
        });
        Self { address, fate }
    }

    /// Has the next COMMIT meet a fate.
    fn lose(&self, fate: u8) {
        self.fate.store(fate, Ordering::SeqCst);
    }

    fn is_lost(&self) -> bool {
        self.fate.load(Ordering::SeqCst) == NOTHING
    }
}

fn relay(mut client: TcpStream, mut server: TcpStream, fate: &AtomicU8) {
    let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let is_cut = Arc::new(AtomicU8::new(0));
    let cut = Arc::clone(&is_cut);
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(read @ 1..) = answers.read(&mut buffer) {
            // The answer to COMMIT stays here.
            if cut.load(Ordering::SeqCst) == 1 {
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
        let _ = to_client.shutdown(std::net::Shutdown::Both);
        let _ = answers.shutdown(std::net::Shutdown::Both);
    });
    let mut buffer = vec![0; 1 << 20];
    while let Ok(read @ 1..) = client.read(&mut buffer) {
        let commits = buffer[..read].windows(7).any(|part| part == b"COMMIT\0");
        if commits && fate.load(Ordering::SeqCst) != NOTHING {
            if fate.swap(NOTHING, Ordering::SeqCst) == LOST_BEFORE {
                break;
            }
            is_cut.store(1, Ordering::SeqCst);
        }
        if server.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(std::net::Shutdown::Both);
    if is_cut.load(Ordering::SeqCst) == 0 {
        let _ = server.shutdown(std::net::Shutdown::Both);
    }
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
