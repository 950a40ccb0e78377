//! Certificates ordered from Pebble, with pauses short enough for tests.

mod site;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use taubenabwehr::store::Location;

use crate::postgres::Schema;
use crate::sinks::{CLOSED, Gate, Ports, pebble_is_installed};
use site::{Site, patiently, until};

/// A validity that outlasts every test.
const LONG: Duration = Duration::from_hours(24 * 90);

/// A site for these domains and the gate to its ACME directory; `None` if Pebble is not installed.
fn begin(domains: &[&str]) -> Option<(Gate, Site)> {
    if !pebble_is_installed() {
        return None;
    }
    let gate = Gate::new();
    let site = Site::new(&gate, domains);
    Some((gate, site))
}

/// The ports where Pebble finds the site.
fn both(site: &Site) -> Ports {
    Ports {
        http: site.http.port(),
        tls: site.tls.port(),
    }
}

#[tokio::test]
async fn a_certificate_is_ordered_with_a_tls_listener_alone() {
    let Some((gate, site)) = begin(&["taube.test", "www.taube.test"]) else {
        return;
    };
    let pebble = gate.start(
        Ports {
            http: CLOSED,
            ..both(&site)
        },
        LONG,
    );
    assert!(!site.resolver.has_certificate());
    let keeper = site.keep(&[]);
    let root = pebble.root(&gate);
    for name in ["taube.test", "www.taube.test"] {
        site.serves(name, &root).await;
    }
    assert!(!site.shakes_hands("other.test", &root).await);
    let end = site.end().unwrap();
    let left = Timestamp::now().duration_until(end);
    assert!((89 * 24..=90 * 24).contains(&left.as_hours()), "{left}");
    keeper.abort();
}

#[tokio::test]
async fn where_tls_does_not_get_through_a_plain_listener_answers() {
    let Some((gate, site)) = begin(&["taube.test"]) else {
        return;
    };
    let _pebble = gate.start(
        Ports {
            tls: CLOSED,
            ..both(&site)
        },
        LONG,
    );
    let keeper = site.keep(&[site.http.port()]);
    patiently("a certificate", async || site.end()).await;
    until("no failure", async || {
        site.kept("failures.json").await.contains("\"count\":0")
    })
    .await;
    keeper.abort();
}

#[tokio::test]
async fn a_certificate_is_renewed_before_its_end_and_served_at_once() {
    let Some((gate, site)) = begin(&["taube.test"]) else {
        return;
    };
    let pebble = gate.start(both(&site), Duration::from_secs(20));
    let keeper = site.keep(&[]);
    let root = pebble.root(&gate);
    let first = patiently("a certificate", async || site.end()).await;
    // From here on, no handshake fails.
    let second = patiently("another", async || {
        assert!(site.shakes_hands("taube.test", &root).await);
        site.end().filter(|&end| end != first)
    })
    .await;
    assert!(Timestamp::now() < first);
    assert!(second > first);
    keeper.abort();
}

#[tokio::test]
async fn account_and_certificate_are_kept_over_a_restart() {
    let Some((gate, site)) = begin(&["taube.test"]) else {
        return;
    };
    let pebble = gate.start(both(&site), LONG);
    let keeper = site.keep(&[]);
    patiently("a certificate", async || site.end()).await;
    // The certificate is served before it is stored.
    until("the stored certificate", async || {
        site.kept("certificate.pem").await.contains("CERTIFICATE")
    })
    .await;
    keeper.abort();
    let (account, certificate) = (
        site.kept("account.json").await,
        site.kept("certificate.pem").await,
    );

    // The stored certificate is served at once, even while the directory is unreachable.
    let root = pebble.root(&gate);
    gate.close();
    let site = site.restarted(&["taube.test"]).await;
    let keeper = site.keep(&[]);
    patiently("the kept certificate", async || site.end()).await;
    assert!(site.shakes_hands("taube.test", &root).await);
    keeper.abort();
    assert_eq!(site.kept("certificate.pem").await, certificate);

    // Other domains need another certificate from the same account; until it arrives, the old one is served.
    gate.open(&pebble);
    let site = site.restarted(&["www.taube.test", "taube.test"]).await;
    let keeper = site.keep(&[]);
    patiently("the kept certificate", async || site.end()).await;
    assert!(site.shakes_hands("taube.test", &root).await);
    site.serves("www.taube.test", &root).await;
    keeper.abort();
    assert_eq!(site.kept("account.json").await, account);
}

#[tokio::test]
async fn a_directory_that_has_forgotten_the_account_gets_another_one() {
    let Some((gate, site)) = begin(&["taube.test"]) else {
        return;
    };
    let pebble = gate.start(both(&site), LONG);
    let keeper = site.keep(&[]);
    patiently("a certificate", async || site.end()).await;
    keeper.abort();
    let account = site.kept("account.json").await;
    drop(pebble);
    let pebble = gate.start(both(&site), LONG);
    let site = site.restarted(&["www.taube.test"]).await;
    let keeper = site.keep(&[]);
    let root = pebble.root(&gate);
    site.serves("www.taube.test", &root).await;
    keeper.abort();
    assert_ne!(site.kept("account.json").await, account);
}

#[tokio::test]
async fn a_directory_that_is_away_is_asked_again_until_it_is_back() {
    let Some((gate, site)) = begin(&["taube.test"]) else {
        return;
    };
    gate.close();
    let keeper = site.keep(&[]);
    until("some failures", async || site.failures().await >= 3).await;
    assert!(!site.resolver.has_certificate());
    let _pebble = gate.start(both(&site), LONG);
    patiently("a certificate", async || site.end()).await;
    until("an end of failures", async || site.failures().await == 0).await;
    keeper.abort();
}

#[tokio::test]
async fn what_one_instance_orders_another_one_answers_for_and_serves() {
    let Some(schema) = Schema::new() else {
        println!("left out on redb: instances share a database");
        return;
    };
    if !pebble_is_installed() {
        return;
    }
    let location = Location::parse(schema.url().as_ref()).unwrap();
    let store = Arc::new(location.open().await.unwrap());
    let gate = Gate::new();
    let mut orders = Site::new(&gate, &["taube.test"]);
    let mut answers = Site::new(&gate, &["taube.test"]);
    orders.store = Arc::clone(&store);
    answers.store = Arc::clone(&store);
    // The directory can reach only one of the instances.
    let pebble = gate.start(
        Ports {
            http: CLOSED,
            ..both(&answers)
        },
        LONG,
    );
    let first = orders.keep(&[]);
    patiently("a lease", async || {
        let leases = schema.query("SELECT FROM acme WHERE convert_from(k, 'UTF8') LIKE '%/lease'");
        (!leases.is_empty()).then_some(())
    })
    .await;
    let second = answers.keep(&[]);
    let root = pebble.root(&gate);
    for site in [&orders, &answers] {
        site.serves("taube.test", &root).await;
    }
    assert_eq!(orders.end(), answers.end());
    let kept = schema.query("SELECT convert_from(k, 'UTF8') FROM acme ORDER BY k");
    let kept: Vec<String> = kept.iter().map(|row| row.get(0)).collect();
    for name in ["/account.json", "/certificate.pem", "/failures.json"] {
        assert_eq!(
            kept.iter().filter(|kept| kept.ends_with(name)).count(),
            1,
            "{kept:?}"
        );
    }
    first.abort();
    second.abort();
    // An instance that starts now serves the certificate at once and orders none.
    let mut third = Site::new(&gate, &["taube.test"]);
    third.store = Arc::clone(&store);
    let keeper = third.keep(&[]);
    third.serves("taube.test", &root).await;
    assert_eq!(third.end(), orders.end());
    keeper.abort();
    store.close(Duration::from_secs(5)).await;
}
