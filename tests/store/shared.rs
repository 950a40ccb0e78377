//! PostgreSQL alone: the connection for what instances share, when several queries use it as it fails.

use taubenabwehr::store::Shared;
use taubenabwehr::store::postgres::Connector;

use crate::engines::{Engine, PostgresEngine};
use crate::postgres::Schema;
use crate::support::*;

/// Returns the process of a connection that waits for a lock.
fn waiting(schema: &Schema) -> Option<i32> {
    let waits = "SELECT pid FROM pg_stat_activity WHERE application_name = current_schema() AND wait_event_type = 'Lock'";
    schema.query(waits).first().map(|row| row.get(0))
}

/// Has the statement fail that waits for a lock; returns the connection that it came by.
async fn cancel_who_waits(schema: &Schema) -> i32 {
    let connection = loop {
        if let Some(connection) = waiting(schema) {
            break connection;
        }
        tokio::task::yield_now().await;
    };
    schema.execute(&format!("SELECT pg_cancel_backend({connection})"));
    connection
}

#[tokio::test(flavor = "multi_thread")]
async fn who_hears_late_of_a_failure_leaves_the_connection_that_has_taken_its_place() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    drop(engine.open());
    let schema = engine.schema();
    let shared = Shared::new(Connector::new(schema.url().parse().unwrap()).unwrap());
    assert!(shared.read("account").await.is_ok());
    // Both queries use one connection: the second waits behind the first there, and then for the lock.
    let _locked = schema.lock("acme_challenges");
    let mut first = Box::pin(shared.challenges());
    assert!(poll_once(&mut first).await.is_none());
    let mut second = Box::pin(shared.challenges());
    assert!(poll_once(&mut second).await.is_none());
    let used = cancel_who_waits(schema).await;
    assert!(first.await.is_err());
    // A new connection, once the pause behind a failure is over.
    while shared.read("account").await.is_err() {
        tokio::task::yield_now().await;
    }
    assert_eq!(cancel_who_waits(schema).await, used);
    assert!(second.await.is_err());
    // Without another pause.
    assert!(shared.read("account").await.is_ok());
}
