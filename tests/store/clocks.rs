//! PostgreSQL only: machines whose clocks differ from the database's. The tests set the database's clock, which is equivalent.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::domain::referral::{DeliveryCertainty, Lane};
use taubenabwehr::store::Store;
use taubenabwehr::store::postgres::Connector;

use crate::engines::PostgresEngine;
use crate::firms::policy;
use crate::postgres::Schema;
use crate::referred::{failure, store_with};
use crate::support::*;

/// A database whose clock can be set ahead of this machine's.
struct Ahead(Schema);

impl Ahead {
    fn new() -> Option<Self> {
        let schema = Schema::new()?;
        // The search path in the URL finds it before the server's own function.
        schema.execute(
            "CREATE TABLE ahead (distance interval NOT NULL); INSERT INTO ahead VALUES ('0'); \
             CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql \
             AS 'SELECT pg_catalog.clock_timestamp() + distance FROM ahead'",
        );
        Some(Self(schema))
    }

    fn set(&self, distance: &str) {
        self.0
            .execute(&format!("UPDATE ahead SET distance = '{distance}'"));
    }

    async fn open(&self) -> Store {
        let path = "current_schema()::text || ',pg_catalog'";
        let path: String = self.0.query(&format!("SELECT {path}"))[0].get(0);
        let url = self.0.url_with(&[("search_path", &path)]);
        let connector = Connector::new(&url.parse().unwrap()).unwrap();
        Store::connect_now(connector, None).await.unwrap()
    }

    /// The stored inquiries, including their leases.
    fn leases(&self) -> Vec<Vec<u8>> {
        let rows = self.0.query("SELECT v FROM inquiries ORDER BY k");
        rows.iter().map(|row| row.get(0)).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_store_is_that_of_its_database() {
    let Some(database) = Ahead::new() else {
        return;
    };
    for hours in [1, -1] {
        database.set(&format!("{hours} hours"));
        let store = database.open().await;
        let distance = store.now().duration_since(Timestamp::now());
        let error = distance - SignedDuration::from_hours(hours);
        assert!(error.abs() < SignedDuration::from_mins(10), "{distance}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_lasts_though_the_clock_was_set_since_its_instance_has_started() {
    let Some(database) = Ahead::new() else {
        return;
    };
    let store = database.open().await;
    store.set_policy(Arc::new(policy(&["a", "b"]))).unwrap();
    store.put(sample(1), None).await.unwrap();

    database.set("1 hour");
    let mut claims = store.lease(Lane::Mail, 100).await.unwrap().claims;
    assert!(claims.len() > 1, "{}", claims.len());
    let other = database.open().await;
    let others = other.lease(Lane::Mail, 100).await.unwrap().claims;
    assert!(others.is_empty(), "{others:?}");

    // An instance returns dropped leases at once, and renews the others.
    database.set("2 hours");
    let before = database.leases();
    let let_go = claims.remove(0).id;
    while database.leases() == before {
        tokio::task::yield_now().await;
    }
    let others = loop {
        let others = other.lease(Lane::Mail, 100).await.unwrap().claims;
        if !others.is_empty() {
            break others;
        }
    };
    let others: BTreeSet<_> = others.iter().map(|claim| claim.id).collect();
    assert_eq!(others, [let_go].into());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_waited_for_is_not_leased() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(&engine, &clock, policy(&["a", "b"]));
    store.put(sample(1), None).await.unwrap();
    // Requested, and dropped before the reply.
    let mut asked = Box::pin(store.lease(Lane::Mail, 100));
    assert!(poll_once(&mut asked).await.is_none());
    drop(asked);
    // By this clock, no lease ever expires.
    let claims = loop {
        let claims = store.lease(Lane::Mail, 100).await.unwrap().claims;
        if !claims.is_empty() {
            break claims;
        }
    };
    // It had not been attempted: deliveries with an unknown outcome are held, or firms notified.
    for claim in &claims {
        let outcome = Err(failure(DeliveryCertainty::NotTaken, Some("2026-11-09T12:00:00Z")));
        store.settle(claim, outcome).await.unwrap();
        let record = store.record(claim.id.inquiry).await.unwrap().unwrap();
        let delivery = &record.referral.deliveries[usize::from(claim.id.number)];
        assert_eq!(delivery.certainty, Some(DeliveryCertainty::NotTaken));
    }
    drop(claims);
}
