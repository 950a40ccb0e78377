//! A database with connections that break, hang, or lead to another server.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::database::Schema;
use super::engines::{all, changes, database, put};
use crate::store::map::{Changes, Engine, EngineError, EntryKind};
use crate::store::postgres::PostgresEngine;

/// What happens to a COMMIT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It passes.
    Passes,
    /// The connection breaks before the COMMIT arrives.
    LostBefore,
    /// The connection breaks after the COMMIT.
    LostBehind,
    /// It is delayed until the test releases it; then it arrives, but the reply is lost.
    HeldBack,
}

/// A proxy in front of the server that breaks connections.
#[derive(Clone)]
struct Way(Arc<(Mutex<Passage>, Condvar)>);

struct Passage {
    fate: Fate,
    /// The number of delayed COMMITs that have arrived.
    arrived: u32,
}

impl Way {
    /// An engine that connects to the schema's database through a proxy.
    fn to(schema: &Schema) -> (PostgresEngine, Self) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let url = schema.url();
        let (before, rest) = url.split_once('@').unwrap();
        let (server, rest) = rest.split_once('/').unwrap();
        let server = server.to_owned();
        let passage = Passage {
            fate: Fate::Passes,
            arrived: 0,
        };
        let way = Self(Arc::new((Mutex::new(passage), Condvar::new())));
        let shared = way.clone();
        // The threads end with the connections that they relay.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(&server).unwrap();
                let way = shared.clone();
                thread::spawn(move || way.relay(client, server));
            }
        });
        (database(&format!("{before}@{address}/{rest}")), way)
    }

    /// Sets the fate of the next COMMIT, and releases delayed ones.
    fn set(&self, fate: Fate) {
        self.0.0.lock().fate = fate;
        self.0.1.notify_all();
    }

    fn fate(&self) -> Fate {
        self.0.0.lock().fate
    }

    fn wait_until_arrived(&self, count: u32) {
        let mut passage = self.0.0.lock();
        self.0
            .1
            .wait_while(&mut passage, |passage| passage.arrived < count);
    }

    fn relay(&self, mut client: TcpStream, mut server: TcpStream) {
        let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        let is_silent = Arc::new(Mutex::new(false));
        let silent = Arc::clone(&is_silent);
        let backwards = thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(read @ 1..) = answers.read(&mut buffer) {
                if !*silent.lock() && to_client.write_all(&buffer[..read]).is_err() {
                    break;
                }
            }
            let _ = to_client.shutdown(Shutdown::Both);
            let _ = answers.shutdown(Shutdown::Both);
        });
        let mut buffer = vec![0; 1 << 20];
        while let Ok(read @ 1..) = client.read(&mut buffer) {
            let sent = &buffer[..read];
            let fate = if sent.windows(7).any(|part| part == b"COMMIT\0") {
                self.fate()
            } else {
                Fate::Passes
            };
            match fate {
                Fate::Passes => {}
                Fate::LostBefore => break,
                Fate::LostBehind => *is_silent.lock() = true,
                Fate::HeldBack => {
                    *is_silent.lock() = true;
                    let mut passage = self.0.0.lock();
                    self.0
                        .1
                        .wait_while(&mut passage, |passage| passage.fate == Fate::HeldBack);
                }
            }
            if server.write_all(sent).is_err() || fate != Fate::Passes {
                break;
            }
        }
        // The server reads what was sent before it disconnects.
        let _ = server.shutdown(Shutdown::Write);
        let _ = backwards.join();
        let _ = client.shutdown(Shutdown::Both);
        if *is_silent.lock() {
            self.0.0.lock().arrived += 1;
            self.0.1.notify_all();
        }
    }
}

fn numbered(engine: &dyn Engine, number: u8) -> Changes {
    let mut changes = changes(EntryKind::Facts, &[(&[number], Some(b"x"))]);
    changes.set(
        EntryKind::Writers,
        engine.writer().unwrap().to_vec(),
        Some(vec![number]),
    );
    changes
}

/// Waits for a turn, reopening the engine as often as needed.
fn turn_of(engine: &dyn Engine) -> Box<dyn crate::store::map::WriterTurn + '_> {
    let started = Instant::now();
    loop {
        match engine.turn(&[]) {
            Ok(turn) => return turn,
            Err(error) => {
                assert!(matches!(error, EngineError::Lost(_)), "{error}");
                assert!(started.elapsed() < Duration::from_secs(20), "{error}");
                let _ = engine.reopen();
            }
        }
    }
}

#[test]
fn what_became_of_a_commit_shows_in_the_next_turn() {
    let Some(schema) = Schema::new() else { return };
    let (engine, way) = Way::to(&schema);
    engine.reopen().unwrap();
    let writer = engine.writer().unwrap();
    let fates = [Fate::LostBefore, Fate::LostBehind, Fate::HeldBack];
    for (number, fate) in (1_u8..).zip(fates.into_iter().cycle().take(6)) {
        let turn = engine.turn(&[]).unwrap();
        way.set(fate);
        let changes = numbered(&engine, number);
        let lost = turn.commit(changes.clone()).unwrap_err();
        assert!(matches!(lost, EngineError::Lost(_)), "{fate:?}: {lost}");
        assert_eq!(
            engine
                .turn(&[])
                .err()
                .map(|error| matches!(error, EngineError::Lost(_))),
            Some(true)
        );
        if fate != Fate::HeldBack {
            way.set(Fate::Passes);
        }
        // The session of a delayed COMMIT holds the lock. No turn begins until the server has ended that session.
        let turn = turn_of(&engine);
        let row = turn.get(EntryKind::Writers, &writer).unwrap();
        let is_there = row == Some(vec![number]);
        assert_eq!(is_there, fate == Fate::LostBehind, "{fate:?}");
        assert_eq!(turn.get(EntryKind::Facts, &[number]).unwrap().is_some(), is_there);
        if is_there {
            turn.commit(Changes::default()).unwrap();
            continue;
        }
        drop(turn);
        if fate == Fate::HeldBack {
            way.set(Fate::Passes);
            way.wait_until_arrived(2 * (u32::from(number) / 3));
        }
        // Nor is it committed later.
        let view = engine.view(true).unwrap();
        assert_eq!(view.get(EntryKind::Facts, &[number]).unwrap(), None, "{fate:?}");
        turn_of(&engine).commit(Changes::default()).unwrap();
    }
}

#[test]
fn an_instance_that_hangs_during_its_turn_holds_others_up_for_seconds() {
    let Some(schema) = Schema::new() else { return };
    let (one, other) = (database(&schema.url()), database(&schema.url()));
    one.reopen().unwrap();
    other.reopen().unwrap();
    put(&one, b"a", Some(b"1")).unwrap();
    let hanging = one.turn(&[]).unwrap();
    let started = Instant::now();
    let turn = turn_of(&other);
    assert!(
        started.elapsed() < Duration::from_secs(8),
        "{:?}",
        started.elapsed()
    );
    turn.commit(changes(EntryKind::Facts, &[(b"a", Some(b"2"))]))
        .unwrap();
    let late = hanging
        .commit(changes(EntryKind::Facts, &[(b"a", Some(b"3"))]))
        .unwrap_err();
    assert!(matches!(late, EngineError::Lost(_)), "{late}");
    assert_eq!(
        other
            .view(false)
            .unwrap()
            .get(EntryKind::Facts, b"a")
            .unwrap()
            .unwrap(),
        b"2"
    );
}

#[test]
fn connections_that_the_server_has_ended_are_replaced() {
    let Some(schema) = Schema::new() else { return };
    let engine = database(&schema.url());
    assert!(matches!(engine.turn(&[]).err(), Some(EngineError::Lost(_))));
    engine.reopen().unwrap();
    put(&engine, b"a", Some(b"1")).unwrap();
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE application_name = current_schema() AND pid <> pg_backend_pid()";
    for _ in 0..3 {
        drop(engine.view(false).unwrap().get(EntryKind::Facts, b"a").unwrap());
        let fixed = engine.view(true).unwrap();
        schema.execute(end);
        // Data buffered for a reader is lost with the connection, so a second read, as the store makes it, opens a new one. A
        // snapshot cannot continue.
        let read = || engine.view(false)?.get(EntryKind::Facts, b"a");
        assert!(matches!(read(), Err(EngineError::Lost(_))));
        assert_eq!(read().unwrap().unwrap(), b"1");
        assert!(matches!(
            fixed.get(EntryKind::Facts, b"a"),
            Err(EngineError::Lost(_))
        ));
        let lost = engine.turn(&[]).err();
        assert!(matches!(lost, Some(EngineError::Lost(_))), "{lost:?}");
        engine.reopen().unwrap();
        put(&engine, b"b", Some(b"1")).unwrap();
    }
}

#[test]
fn a_table_that_is_locked_is_waited_for_no_longer_than_a_step() {
    let Some(schema) = Schema::new() else { return };
    let engine = database(&schema.url());
    engine.reopen().unwrap();
    put(&engine, b"a", Some(b"1")).unwrap();
    let locked = schema.lock("facts");
    let started = Instant::now();
    let view = engine.view(false).unwrap();
    assert!(matches!(
        view.get(EntryKind::Facts, b"a"),
        Err(EngineError::Lost(_))
    ));
    let turn = engine.turn(&[]).unwrap();
    assert!(
        turn.commit(changes(EntryKind::Facts, &[(b"a", Some(b"2"))]))
            .is_err()
    );
    assert!(
        started.elapsed() < Duration::from_secs(7),
        "{:?}",
        started.elapsed()
    );
    drop(locked);
    let turn = turn_of(&engine);
    assert_eq!(turn.get(EntryKind::Facts, b"a").unwrap().unwrap(), b"1");
    turn.commit(Changes::default()).unwrap();
}

#[test]
fn what_is_behind_the_lock_is_read_whatever_isolation_is_the_default() {
    for isolation in ["serializable", "repeatable%5C%20read"] {
        let Some(schema) = Schema::new() else { return };
        let url = schema.url_with(&[("default_transaction_isolation", isolation)]);
        let (one, other) = (database(&url), database(&url));
        one.reopen().unwrap();
        other.reopen().unwrap();
        let count = |engine: &PostgresEngine| {
            for _ in 0..60 {
                let wanted = [(EntryKind::Facts, b"count".to_vec())];
                let turn = engine.turn(&wanted).unwrap();
                let count = turn
                    .get(EntryKind::Facts, b"count")
                    .unwrap()
                    .map_or(0, |value| value[0]);
                turn.commit(changes(EntryKind::Facts, &[(b"count", Some(&[count + 1]))]))
                    .unwrap();
            }
        };
        thread::scope(|scope| {
            scope.spawn(|| count(&one));
            count(&other);
        });
        assert_eq!(
            one.view(false)
                .unwrap()
                .get(EntryKind::Facts, b"count")
                .unwrap()
                .unwrap(),
            [120]
        );
    }
}

#[test]
fn a_database_of_something_else_is_refused_and_left_as_it_is() {
    for (tables, expected) in [
        (
            "CREATE TABLE meta (name text, value bigint); CREATE TABLE inquiries (id uuid, body bytea)",
            "before the first release",
        ),
        (
            "CREATE TABLE photos (id bigint)",
            "table photos is not one of taubenabwehr",
        ),
        (
            "CREATE VIEW counts AS SELECT 1 AS k",
            "table counts is not one of taubenabwehr",
        ),
    ] {
        let Some(schema) = Schema::new() else { return };
        schema.execute(tables);
        let engine = database(&schema.url());
        let error = engine.reopen().unwrap_err();
        assert!(
            matches!(&error, EngineError::Failed(text) if text.contains(expected) && !text.contains('\n')),
            "{error}"
        );
        let found =
            schema.query("SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'facts'");
        assert!(found.is_empty());
    }
    let Some(schema) = Schema::new() else { return };
    let nowhere = schema.url().replace("search_path%3D", "search_path%3Dno_");
    let error = database(&nowhere).reopen().unwrap_err().to_string();
    assert!(error.contains("no schema"), "{error}");
    // Other tables may exist in the schema.
    schema.execute("CREATE TABLE meta (a int)");
    database(&schema.url()).reopen().unwrap();
    database(&schema.url()).reopen().unwrap();
}

#[test]
fn a_server_that_takes_no_changes_and_one_that_is_away_are_lost() {
    let Some(schema) = Schema::new() else { return };
    for url in [
        schema.url_with(&[("default_transaction_read_only", "on")]),
        "postgres://test@127.0.0.1:1/postgres".to_owned(),
    ] {
        let error = database(&url).reopen().unwrap_err();
        assert!(matches!(error, EngineError::Lost(_)), "{error}");
    }
}

#[test]
fn views_show_people_what_was_erased_and_counted() {
    let Some(schema) = Schema::new() else { return };
    let engine = database(&schema.url());
    engine.reopen().unwrap();
    let id: [u8; 16] = std::array::from_fn(|byte| u8::try_from(byte).unwrap() * 17);
    let mut entries = changes(
        EntryKind::Erased,
        &[(&id, Some(&1_795_000_000_123_u64.to_be_bytes()))],
    );
    let day = [&20_773_u32.to_be_bytes()[..], "page:/\u{fc}ber".as_bytes()].concat();
    entries
        .0
        .extend(changes(EntryKind::Counts, &[(&day, Some(&42_u64.to_be_bytes()))]).0);
    engine.turn(&[]).unwrap().commit(entries).unwrap();
    let text = |query: &str| -> String { schema.query(query)[0].get(0) };
    assert_eq!(
        text(
            "SELECT id || ' ' || to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') FROM erased_ids"
        ),
        "00112233-4455-6677-8899-aabbccddeeff 2026-11-18 11:06:40.123"
    );
    assert_eq!(
        text("SELECT day || ' ' || name || ' ' || count FROM daily_counts"),
        "2026-11-16 page:/\u{fc}ber 42"
    );
    assert_eq!(all(&*engine.view(false).unwrap(), EntryKind::Counts).len(), 1);
}
