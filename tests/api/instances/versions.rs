//! Instances that create the tables at once, and those of another release.

use std::thread;

use super::SEVERAL;
use crate::harness::referral::{Referred, config, setup, stop};
use crate::harness::{Dir, Server, Setup, left_out_on_redb, record, run};

#[test]
fn eight_migrate_at_once() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
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
    // All have the same secret, from which addresses of private pages follow.
    for server in &instances {
        assert_eq!(server.get(stored.expect("location")).status, 200);
        assert_eq!(server.post(&record("Krause")).status, 201);
    }
    assert_eq!(instances[0].stored().len(), 9);
    let schema = setup.dir.schema().unwrap();
    assert_eq!(schema.query("SELECT FROM secrets").len(), 1);
}

/// Has the database say that a later release has changed it, and from which schema on programs understand it.
fn change(dir: &Dir, schema: i64, compatible_from: i64) {
    dir.schema().unwrap().execute(&format!(
        "UPDATE meta SET value = {schema} WHERE name = 'schema'; \
         UPDATE meta SET value = {compatible_from} WHERE name = 'compatible_from'"
    ));
}

#[test]
fn one_release_later_runs_beside_this_one_and_two_are_refused() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
    let setup = Setup::new();
    let server = setup.start();
    server.store(&record("Krause"));
    change(&setup.dir, 1000, 1);
    // It goes on, and can be started again.
    server.store(&record("Krause"));
    let again = setup.start();
    again.store(&record("Krause"));
    drop((server, again));

    change(&setup.dir, 1001, 1001);
    let refused = setup.fail();
    let line = refused.failure();
    assert!(
        line.contains("schema 1001") && line.contains("update this program"),
        "{line}"
    );
    for args in [&["inquiries"][..], &["export"], &["check"]] {
        let refused = run(setup.dir.path(), args);
        assert!(refused.failure().contains("schema 1001"), "{}", refused.stderr);
    }
}

#[test]
fn a_database_of_schema_1_is_migrated_and_closed_to_programs_of_before() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
    let case = Referred::to(&["nord"]);
    assert_eq!(case.answer(0, "accept").status, 303);
    let setup = stop(case.server);
    let schema = setup.dir.schema().unwrap();
    schema.execute("DROP FUNCTION store_inquiries, note_batch; DROP TABLE ledger, closings, photos");
    change(&setup.dir, 1, 1);

    let server = setup.start();
    server.store(&record("Krause"));
    assert_eq!(server.stored().len(), 2);
    let versions = schema
        .query("SELECT name, value FROM meta WHERE name IN ('schema', 'compatible_from') ORDER BY name");
    let versions: Vec<i64> = versions.iter().map(|row| row.get(1)).collect();
    // An older program would leave behind the photos of what it erases.
    assert_eq!(versions, [4, 4]);
    // The acceptance from before there was one is in it.
    let accepted = schema.query("SELECT firm FROM ledger");
    assert_eq!(accepted.len(), 1);
    assert_eq!(accepted[0].get::<_, String>(0), "nord");
}

#[test]
fn a_search_path_without_a_schema_is_an_error() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
    let dir = Dir::new();
    let url = dir
        .store()
        .replace("search_path%3Dtest_", "search_path%3Dmissing_");
    assert_ne!(url, dir.store());
    let refused = run(dir.path(), &["inquiries", "--store", &url]);
    assert!(refused.failure().contains("search_path"), "{}", refused.stderr);
}
