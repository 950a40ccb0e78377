//! State shared by all instances: inquiries, keys, private pages, and the order of firms. Rate limits are per instance.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::thread;

use serde_json::Value;

use super::SEVERAL;
use crate::harness::inquiry::post;
use crate::harness::referral::{self, submit};
use crate::harness::{Connection, Request, Server, Setup, leave_out_on_redb, record, run};

/// Starts `count` instances of a setup.
fn start(setup: &Setup, count: usize) -> Vec<Server> {
    thread::scope(|scope| {
        let starting: Vec<_> = (0..count).map(|_| scope.spawn(|| setup.start())).collect();
        starting
            .into_iter()
            .map(|server| server.join().unwrap())
            .collect()
    })
}

fn keyed(name: &str, key: &str) -> Request {
    post(&record(name))
        .header("Idempotency-Key", key)
        .header("Prefer", "return=representation")
}

#[test]
fn one_site() {
    leave_out_on_redb!(SEVERAL);
    let setup = referral::setup(&referral::config(&["nord"]));
    let [one, other]: [Server; 2] = start(&setup, 2).try_into().ok().unwrap();
    let request = keyed("Kranichfeld", "one-site");
    let first = one.send(&request);
    assert_eq!(first.status, 201);
    let visitor = first.expect("location");

    let replayed = other.send(&request);
    assert_eq!((replayed.status, replayed.text()), (201, first.text()));
    assert_eq!(replayed.expect("location"), visitor);
    assert_eq!(other.send(&keyed("Anders", "one-site")).status, 422);
    assert!(other.get(visitor).text().contains("Firma nord"));
    assert_eq!(
        submit(&other, &format!("{visitor}/zurueckziehen"), "").status,
        303
    );
    assert!(one.get(visitor).text().contains("zurückgezogen"));
    assert_eq!(one.stored().len(), 0);
}

#[test]
fn a_request_that_reaches_both_is_stored_once() {
    leave_out_on_redb!(SEVERAL);
    let instances = start(&Setup::new(), 4);
    let sent = record("Krause");
    let all: Vec<Vec<Value>> = thread::scope(|scope| {
        let sending: Vec<_> = instances
            .iter()
            .map(|server| {
                scope.spawn(|| {
                    let mut connection = Connection::open(server.address);
                    (0..60)
                        .map(|number| {
                            let request = post(&sent)
                                .header("Idempotency-Key", &format!("both-{number}"))
                                .header("Prefer", "return=representation");
                            let response = connection.send(&request);
                            assert_eq!(response.status, 201, "{}", response.text());
                            response.json()[0]["id"].clone()
                        })
                        .collect()
                })
            })
            .collect();
        sending.into_iter().map(|ids| ids.join().unwrap()).collect()
    });
    assert!(all.iter().all(|ids| *ids == all[0]), "{all:?}");
    let ids: HashSet<&str> = all[0].iter().map(|id| id.as_str().unwrap()).collect();
    assert_eq!(ids.len(), 60);
    assert_eq!(instances[0].stored().len(), 60);
}

#[test]
fn turns_and_quotas_of_firms_are_kept_together() {
    leave_out_on_redb!(SEVERAL);
    let mut config = referral::config(&["a", "b", "c", "d", "e", "f"]);
    let _ = write!(
        config,
        "[[firm]]\nid = 'few'\nname = 'Wenige'\nemail = 'few@firma.example'\npostal_codes = ['2']\nper_week = 5\n\
         [matching]\noffers = 2\n"
    );
    let setup = referral::setup(&config);
    let instances = start(&setup, 4);
    thread::scope(|scope| {
        for server in &instances {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut connection = Connection::open(server.address);
                    for _ in 0..10 {
                        assert_eq!(connection.send(&post(&record("Krause"))).status, 201);
                    }
                });
            }
        }
    });
    let firms: Vec<Value> = run(setup.dir.path(), &["firms", "--json", "--config", "config.toml"]).json();
    let asked: BTreeMap<&str, u64> = firms
        .iter()
        .map(|firm| (firm["firm"].as_str().unwrap(), firm["asked"].as_u64().unwrap()))
        .collect();
    assert_eq!(asked["few"], 5, "{asked:?}");
    // 160 inquiries, for two firms each. Up to its limit, the limited firm took its turns like the others.
    let others: Vec<u64> = ["a", "b", "c", "d", "e", "f"].map(|id| asked[id]).to_vec();
    assert_eq!(others.iter().sum::<u64>(), 320 - 5, "{asked:?}");
    let (least, most) = (others.iter().min().unwrap(), others.iter().max().unwrap());
    assert!(most - least <= 1, "{asked:?}");
}

#[test]
fn each_instance_limits_clients_for_itself() {
    leave_out_on_redb!(SEVERAL);
    let instances = start(&Setup::bare().args(&["--rate-limit", "1"]), 2);
    for expected in [201, 429] {
        for server in &instances {
            assert_eq!(server.post(&record("Krause")).status, expected);
        }
    }
}
