//! A published review appears on every instance within a minute, and disappears at the next request.

use std::time::{Duration, Instant};

use super::SEVERAL;
use crate::harness::command::Finished;
use crate::harness::gate::{Gate, Mode};
use crate::harness::referral::{Referred, submit};
use crate::harness::{Server, Setup, leave_out_on_redb, run};

/// The longest delay on another instance.
const WITHIN: Duration = Duration::from_mins(1);

/// The longest wait for the page, whatever state the database is in.
const PAGE: Duration = Duration::from_secs(10);

/// Waits until the home page of an instance contains a text.
fn wait_for(server: &Server, text: &str) {
    let asked = Instant::now();
    while !shows(server, text) {
        assert!(asked.elapsed() < WITHIN, "{text}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn shows(server: &Server, text: &str) -> bool {
    server.get("/").text().contains(text)
}

/// Lets `nord` accept an inquiry and the visitor agree to a review; returns the review's id.
fn reviewed(case: &Referred) -> String {
    case.finish(0);
    let body = "review=nord&stars=4&text=Ordentlich.&name=Anna+M.&consent=yes";
    assert_eq!(submit(&case.server, &case.visitor, body).status, 303);
    let listed = command(case, &["reviews"]);
    let line = listed.success().lines().nth(1).unwrap();
    line.split(' ').next().unwrap().to_owned()
}

fn command(case: &Referred, args: &[&str]) -> Finished {
    run(case.server.dir().path(), args)
}

#[test]
fn published_reviews_are_common() {
    leave_out_on_redb!(SEVERAL);
    let case = Referred::to(&["nord"]);
    let other = case.server.setup().start();
    // The other instance has loaded the reviews before the change.
    wait_for(&other, "Beispiele: ");
    let id = reviewed(&case);
    let both = [&case.server, &other];
    for end in ["reject", "consent", "withdraw"] {
        // The command uses the database directly, without either instance.
        command(&case, &["reviews", "publish", &id]).success();
        for server in both {
            wait_for(server, "Ordentlich.");
        }
        let without_consent = "review=nord&stars=4&text=Ordentlich.&name=Anna+M.";
        match end {
            "reject" => drop(command(&case, &["reviews", "reject", &id]).success()),
            "consent" => {
                let sent = submit(&case.server, &case.visitor, without_consent);
                assert_eq!(sent.status, 303);
            }
            _ => assert_eq!(case.withdraw().status, 303),
        }
        // The other instance was not notified, and its page was not requested in the meantime.
        for server in [&other, &case.server] {
            assert!(!shows(server, "Ordentlich."), "{end}");
        }
        if end == "consent" {
            let sent = submit(
                &case.server,
                &case.visitor,
                &format!("{without_consent}&consent=yes"),
            );
            assert_eq!(sent.status, 303);
        }
    }
}

#[test]
fn without_the_database_nothing_is_shown_that_may_have_been_taken_back() {
    leave_out_on_redb!("a database that cannot be reached");
    for mode in [Mode::Closed, Mode::Hanging] {
        let case = Referred::to(&["nord"]);
        let (gate, url) = Gate::before(case.server.dir(), Mode::Open);
        let other = Setup::new()
            .dir(case.server.dir())
            .args(&["--store", &url])
            .start();
        let id = reviewed(&case);
        command(&case, &["reviews", "publish", &id]).success();
        wait_for(&other, "Ordentlich.");
        gate.set(mode);
        let asked = Instant::now();
        assert!(!shows(&other, "Ordentlich."));
        assert!(asked.elapsed() < PAGE, "{:?}", asked.elapsed());
        // The second request does not wait for the database.
        assert!(!shows(&other, "Ordentlich."));
        gate.set(Mode::Open);
        wait_for(&other, "Ordentlich.");
    }
}
