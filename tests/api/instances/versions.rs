//! Instances that create the tables concurrently, and databases of another release.

use std::thread;

use super::SEVERAL;
use crate::harness::referral::{config, setup};
use crate::harness::{Dir, Server, Setup, leave_out_on_redb, record, run};

#[test]
fn eight_create_the_tables_at_once() {
    leave_out_on_redb!(SEVERAL);
    let setup = setup(&config(&["nord"]));
    let instances: Vec<Server> = thread::scope(|scope| {
        let starting: Vec<_> = (0..8).map(|_| scope.spawn(|| setup.start())).collect();
        starting
            .into_iter()
            .map(|server| server.join().unwrap())
            .collect()
    });
    let stored = instances[0].send(&crate::harness::inquiry::post(&record("Kranichfeld")));
    assert_eq!(stored.status, 201);
    // All instances share the secret that the addresses of private pages are derived from.
    for server in &instances {
        assert_eq!(server.get(stored.expect("location")).status, 200);
        assert_eq!(server.post(&record("Krause")).status, 201);
    }
    assert_eq!(instances[0].stored().len(), 9);
    let schema = setup.dir.schema().unwrap();
    assert_eq!(schema.query("SELECT FROM secrets").len(), 1);
}

#[test]
fn a_database_of_another_release_is_refused_and_left_as_it_is() {
    leave_out_on_redb!(SEVERAL);
    for (change, named) in [
        (
            "UPDATE facts SET v = decode('00000000000003e8', 'hex') WHERE k = 'schema'",
            "1000",
        ),
        (
            "DROP TABLE facts CASCADE; CREATE TABLE facts (name text, value bigint); CREATE TABLE meta (name text)",
            "before the first release",
        ),
    ] {
        let setup = Setup::new();
        let server = setup.start();
        server.store(&record("Krause"));
        drop(server);
        let schema = setup.dir.schema().unwrap();
        schema.execute(change);
        let content = || schema.query("SELECT v FROM inquiries")[0].get::<_, Vec<u8>>(0);
        let before = content();
        let refused = setup.fail();
        refused.fails_with(named);
        for args in [&["inquiries"][..], &["export"], &["check"]] {
            let refused = run(setup.dir.path(), args);
            refused.fails_with(named);
        }
        assert_eq!(content(), before);
    }
}

#[test]
fn a_search_path_without_a_schema_is_an_error() {
    leave_out_on_redb!(SEVERAL);
    let dir = Dir::new();
    let url = dir
        .store()
        .replace("search_path%3Dtest_", "search_path%3Dmissing_");
    assert_ne!(url, dir.store());
    let refused = run(dir.path(), &["inquiries", "--store", &url]);
    refused.fails_with("search_path");
}
