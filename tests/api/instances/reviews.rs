//! A publication shows on every instance within a minute, and so does its end.

use std::time::{Duration, Instant};

use super::SEVERAL;
use crate::harness::referral::{Referred, submit};
use crate::harness::{Server, left_out_on_redb, run};

/// What another instance may take.
const WITHIN: Duration = Duration::from_mins(1);

/// Waits until the home page of an instance holds a text, or does no longer.
fn shows(server: &Server, text: &str, is_there: bool) {
    let asked = Instant::now();
    while server.get("/").text().contains(text) != is_there {
        assert!(asked.elapsed() < WITHIN, "{text}: expected {is_there}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn published_reviews_are_common() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
    let case = Referred::to(&["nord"]);
    let other = case.server.setup().start();
    // It knows what there is before anything changes.
    shows(&other, "Beispiele: ", true);
    assert_eq!(case.answer(0, "accept").status, 303);
    let body = "review=nord&stars=4&text=Ordentlich.&name=Anna+M.&consent=yes";
    assert_eq!(submit(&case.server, &case.visitor, body).status, 303);
    // The command goes to the database, past both instances.
    let id = run(case.server.dir().path(), &["reviews"]);
    let id = id
        .success()
        .lines()
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .to_owned();
    run(case.server.dir().path(), &["reviews", "publish", &id]).success();
    for server in [&case.server, &other] {
        shows(server, "Ordentlich.", true);
    }
    // On the instance that took it at the next request.
    assert_eq!(case.withdraw().status, 303);
    assert!(!case.server.get("/").text().contains("Ordentlich."));
    shows(&other, "Ordentlich.", false);
}
