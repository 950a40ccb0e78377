//! PostgreSQL alone: the connection for what instances share, when several queries use it as it fails.

use std::time::Duration;

use taubenabwehr::store::postgres::Connector;
use taubenabwehr::store::{CountedRequest, Shared};

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

async fn is_counted(shared: &Shared) -> bool {
    matches!(
        shared
            .count_request("inquiries", "192.0.2.1", 1000, Duration::from_mins(1))
            .await,
        Ok(CountedRequest::At(_))
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn who_hears_late_of_a_failure_leaves_the_connection_that_has_taken_its_place() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    drop(engine.open());
    let schema = engine.schema();
    let shared = Shared::new(Connector::new(schema.url().parse().unwrap()).unwrap());
    assert!(is_counted(&shared).await);
    // Both queries use one connection: the second waits behind the first there, and then for a lock of its own.
    let (_first_lock, _second_lock) = (schema.lock("acme"), schema.lock("acme_challenges"));
    let mut first = Box::pin(shared.read("account"));
    assert!(poll_once(&mut first).await.is_none());
    let mut second = Box::pin(shared.challenges());
    assert!(poll_once(&mut second).await.is_none());
    let used = cancel_who_waits(schema).await;
    assert!(first.await.is_err());
    // A new connection, once the pause behind a failure is over.
    while !is_counted(&shared).await {
        tokio::task::yield_now().await;
    }
    assert_eq!(cancel_who_waits(schema).await, used);
    assert!(second.await.is_err());
    // Without another pause.
    assert!(is_counted(&shared).await);
}

/// What is counted by the day is common to instances, and outlives what is counted by the minute.
#[tokio::test(flavor = "multi_thread")]
async fn days_and_minutes_are_counted_apart() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    drop(engine.open());
    let schema = engine.schema();
    let [one, other] = [(); 2].map(|()| Shared::new(Connector::new(schema.url().parse().unwrap()).unwrap()));
    let (day, minute) = (Duration::from_hours(24), Duration::from_mins(1));
    let is_counted = async |shared: &Shared, name: &str, window| {
        let counted = shared.count_request(name, "digest", 2, window).await.unwrap();
        matches!(counted, CountedRequest::At(_))
    };
    for (name, window) in [("daily", day), ("inquiries", minute)] {
        for (shared, expected) in [(&one, true), (&other, true), (&one, false), (&other, false)] {
            assert_eq!(is_counted(shared, name, window).await, expected, "{name}");
        }
    }
    let ago = |time: &str| {
        schema.execute(&format!(
            "UPDATE rate_limits SET last = last - interval '{time}', \
             times = ARRAY(SELECT t - (extract(epoch FROM interval '{time}') * 1000000)::bigint FROM unnest(times) AS t ORDER BY t)"
        ));
    };
    ago("2 minutes");
    one.forget_clients().await.unwrap();
    let left = || schema.query("SELECT name FROM rate_limits").len();
    assert_eq!(left(), 1, "a day is not over");
    assert!(is_counted(&one, "inquiries", minute).await);
    assert!(!is_counted(&other, "daily", day).await);
    ago("24 hours");
    one.forget_clients().await.unwrap();
    assert_eq!(left(), 0);
    assert!(is_counted(&other, "daily", day).await);
}
