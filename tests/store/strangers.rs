//! A flooded site: beyond a limit of confirmations, new addresses get no mail.

use taubenabwehr::domain::referral::{Message, NewReferral};
use taubenabwehr::store::Store;

use crate::engines::PostgresEngine;
use crate::firms::policy;
use crate::referred::*;
use crate::support::*;

/// Inserts 199,999 addresses with confirmations at noon.
const FLOOD: &str = "INSERT INTO confirmations (k, v) \
    SELECT int8send((extract(epoch FROM noon) * 1000)::bigint) || decode(md5(n::text), 'hex'), '\\x01' \
    FROM generate_series(1, 199999) n, (VALUES ('2026-11-08T12:00:00Z'::timestamptz)) v (noon)";

/// Stores an inquiry of an address; returns whether it is confirmed by mail.
async fn confirms(store: &Store, email: &str, number: u64) -> bool {
    let inquiry = sample_of(email, "2026-11-08T12:00:00Z", number);
    let inserted = store.insert(inquiry, NewReferral::default(), None).await.unwrap();
    let inquiry = inserted.into_inquiry();
    waiting(&record(store, &inquiry).await).contains(&Message::VisitorReceived)
}

// redb has the same rule, but cannot write that many rows quickly.
#[tokio::test(flavor = "multi_thread")]
async fn a_flooded_database_spares_strangers() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(&engine, &clock, policy(&["a"]));
    assert!(confirms(&store, "anna@example.de", 1).await);
    drop(store);
    engine.schema().execute(FLOOD);

    let store = store_with(&engine, &clock, policy(&["a"]));
    assert!(!confirms(&store, "bernd@example.de", 2).await);
    assert!(confirms(&store, "anna@example.de", 3).await, "she is known");
    drop(store);

    clock.put("2026-11-09T12:00:00Z");
    let store = store_with(&engine, &clock, policy(&["a"]));
    assert!(confirms(&store, "bernd@example.de", 4).await, "a day has passed");
}
