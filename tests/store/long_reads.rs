//! PostgreSQL only: reads that take longer than the server allows for idle transactions or statements.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use taubenabwehr::store::{Location, Store, TimeRange};
use tokio::task::{JoinHandle, block_in_place, spawn_blocking};
use tokio_postgres::NoTls;

use crate::engines::{Engine, PostgresEngine};
use crate::postgres::Schema;
use crate::support::*;

/// The server's limits. On a busy machine, opening a store uses up much of them.
const LIMITS: [(&str, &str); 2] = [
    ("idle_in_transaction_session_timeout", "1s"),
    ("statement_timeout", "3s"),
];

/// More than a stream reads ahead of its reader.
const INQUIRIES: u64 = 2_000;

/// A store with inquiries, and a URL that reads it within the limits.
async fn place() -> Option<(PostgresEngine, String)> {
    let engine = PostgresEngine::new()?;
    let store = Arc::new(engine.open());
    fill(&store, 0..INQUIRIES).await;
    store.close(Duration::from_secs(100)).await;
    let url = engine.schema().url_with(&LIMITS);
    Some((engine, url))
}

/// Waits until the server has ended another transaction that has been idle since now.
async fn outlast_idling(url: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute("BEGIN").await.unwrap();
    connection.await.unwrap().unwrap_err();
}

/// Waits until a reader waits for a lock, and then until the server has ended another statement started after that.
async fn outlast_a_statement<T>(schema: &Schema, url: &str, reading: &JoinHandle<T>) {
    let waits =
        "SELECT FROM pg_stat_activity WHERE application_name = current_schema() AND wait_event_type = 'Lock'";
    while schema.query(waits).is_empty() {
        assert!(!reading.is_finished(), "it was ended before");
        tokio::task::yield_now().await;
    }
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("SELECT pg_sleep(600)").await.unwrap_err();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_lasts_as_long_as_its_reader_takes() {
    let Some((_engine, url)) = place().await else {
        return;
    };
    let store: Store = Location::parse(OsStr::new(&url)).unwrap().open().await.unwrap();
    let snapshot = store.records(TimeRange::default()).await.unwrap();
    outlast_idling(&url).await;
    let read = read(snapshot).await.unwrap();
    assert_eq!(u64::try_from(read.len()).unwrap(), INQUIRIES);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_takes_as_long_as_it_must() {
    let Some((engine, url)) = place().await else {
        return;
    };
    let source = Location::parse(OsStr::new(&url)).unwrap();
    let source = block_in_place(|| source.copy_source()).unwrap();
    outlast_idling(&url).await;
    let locked = engine.schema().lock("inquiries");
    let target = directory_in_memory();
    let to = Location::Directory(target.path().to_owned());
    let copying = spawn_blocking(move || taubenabwehr::store::copy(source, &to));
    outlast_a_statement(engine.schema(), &url, &copying).await;
    drop(locked);
    copying.await.unwrap().unwrap();
    let store = Store::open(target.path()).unwrap();
    assert_eq!(u64::try_from(all(&store).await.len()).unwrap(), INQUIRIES);
}
