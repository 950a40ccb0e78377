//! The newsletter: double opt-in, and one-click unsubscription (RFC 8058).

use serde_json::json;
use taubenabwehr::domain::newsletter::Subscription;

use crate::harness::referral::{config, form, open, setup, stop, submit};
use crate::harness::{Dir, Request, Response, Server, Setup, block_on};
use crate::refusing::message;

const PATH: &str = "/rest/v1/newsletter";
const ADDRESS: &str = "aenne@example.org";

fn wish(email: &str) -> Request {
    Request::new("POST", PATH)
        .header("Content-Type", "application/json")
        .body(json!({ "email": email }).to_string())
}

fn heading(response: &Response) -> String {
    crate::harness::heading(response.text())
}

/// All subscriptions of a stopped server.
fn subscriptions(dir: &Dir) -> Vec<Subscription> {
    let store = open(dir);
    block_on(async {
        let mut stream = store.subscriptions().await.unwrap();
        let mut found = Vec::new();
        while let Some(subscription) = stream.next().await.unwrap() {
            found.push(subscription);
        }
        found
    })
}

/// Restarts the server; returns the paths that confirm and end a subscription.
fn paths(server: Server, email: &str) -> (Server, String, String) {
    let setup = stop(server);
    let (confirm, end) = {
        let found = subscriptions(&setup.dir);
        let subscription = found.iter().find(|found| found.email.trim() == email).unwrap();
        let store = open(&setup.dir);
        let (secret, key) = (store.secret(), store.subscription_key(email));
        (
            secret.confirmation_token(key, subscription.requested_at),
            secret.newsletter_token(key),
        )
    };
    (
        setup.start(),
        format!("/newsletter/bestaetigen/{confirm}"),
        format!("/newsletter/abmelden/{end}"),
    )
}

#[test]
fn an_address_counts_once_it_is_confirmed() {
    let server = setup(&config(&[])).start();
    let response = server.send(&wish(&format!(" {ADDRESS} ")));
    assert_eq!((response.status, response.text()), (202, ""));
    assert_eq!(response.expect("cache-control"), "no-store");
    let (server, confirm, end) = paths(server, ADDRESS);
    for _ in 0..3 {
        let page = server.get(&confirm);
        assert_eq!((page.status, &*heading(&page)), (200, "Newsletter bestellen"));
        assert!(page.text().contains(&format!("action=\"{confirm}\"")));
    }
    let setup = stop(server);
    assert!(
        !subscriptions(&setup.dir)[0].is_confirmed(),
        "a GET has confirmed it"
    );
    let server = setup.start();

    let response = submit(&server, &confirm, "");
    response.leads_to(&confirm);
    let page = server.get(&confirm);
    assert_eq!(
        (page.status, &*heading(&page)),
        (200, "Ihre Anmeldung ist bestätigt")
    );
    // The response does not reveal whether the address is known.
    assert_eq!(server.send(&wish(&ADDRESS.to_uppercase())).status, 202);
    let setup = stop(server);
    let all = subscriptions(&setup.dir);
    assert_eq!(
        (all.len(), &*all[0].email, all[0].is_confirmed()),
        (1, ADDRESS, true)
    );

    let server = setup.start();
    for _ in 0..3 {
        assert_eq!(heading(&server.get(&end)), "Newsletter abbestellen");
    }
    let response = submit(&server, &end, "");
    response.leads_to(&end);
    assert_eq!(heading(&server.get(&end)), "Sie sind abgemeldet");
    let page = server.get(&confirm);
    assert_eq!(
        (page.status, &*heading(&page)),
        (410, "Dieser Link gilt nicht mehr")
    );
    assert_eq!(submit(&server, &confirm, "").status, 303);
    assert!(subscriptions(&stop(server).dir).is_empty());
}

#[test]
fn a_link_confirms_only_what_it_was_sent_for() {
    let server = setup(&config(&[])).start();
    assert_eq!(server.send(&wish(ADDRESS)).status, 202);
    let (server, first, end) = paths(server, ADDRESS);
    // If a mail gets lost, the visitor subscribes again; the link of either mail is valid.
    assert_eq!(server.send(&wish(ADDRESS)).status, 202);
    let (server, again, _) = paths(server, ADDRESS);
    assert_eq!(again, first);
    assert_eq!(submit(&server, &first, "").status, 303);
    assert_eq!(submit(&server, &end, "").status, 303);
    // Another person enters the address. The mailbox still has the old mail and gets no further one on the same day.
    assert_eq!(server.send(&wish(ADDRESS)).status, 202);
    assert_eq!(submit(&server, &first, "").status, 303);
    let page = server.get(&first);
    assert_eq!(
        (page.status, &*heading(&page)),
        (410, "Dieser Link gilt nicht mehr")
    );
    assert!(subscriptions(&stop(server).dir).is_empty());
}

#[test]
fn mail_programs_end_a_subscription_by_one_click() {
    let server = setup(&config(&[])).start();
    let bodies = [
        (
            ADDRESS,
            "application/x-www-form-urlencoded",
            "List-Unsubscribe=One-Click",
        ),
        (
            "bert@example.org",
            "multipart/form-data; boundary=x",
            "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n",
        ),
    ];
    assert_eq!(server.send(&wish(ADDRESS)).status, 202);
    let (mut server, _, mut end) = paths(server, ADDRESS);
    for (address, content_type, body) in bodies {
        assert_eq!(server.send(&wish(address)).status, 202);
        (server, _, end) = paths(server, address);
        assert_eq!(heading(&server.get(&end)), "Newsletter abbestellen");
        let request = Request::new("POST", &end)
            .header("Content-Type", content_type)
            .body(body);
        for _ in 0..2 {
            let response = server.send(&request);
            assert_eq!((response.status, response.header("location")), (200, None));
        }
        assert_eq!(heading(&server.get(&end)), "Sie sind abgemeldet");
    }
    let foreign = form(&server, &end, "x=1").header("Origin", "https://evil.example");
    assert_eq!(server.send(&foreign).status, 403);
}

#[test]
fn what_is_no_address_is_refused() {
    let server = setup(&config(&[])).start();
    for email in [
        "",
        "a",
        "a@b",
        "a b@example.de",
        "a@example.de\r\nBcc: x@example.de",
    ] {
        let text = message(&server.send(&wish(email)), 400);
        assert_eq!(text, "Bitte geben Sie eine gültige E-Mail-Adresse ein", "{email}");
    }
    for body in [
        "",
        "{",
        "[]",
        "{\"email\":1}",
        "{\"email\":\"a@b.de\",\"x\":1}",
        "null",
    ] {
        let mut request = wish(ADDRESS).body(body);
        request
            .headers
            .push(("Content-Length".into(), body.len().to_string()));
        message(&server.send(&request), 400);
    }
    message(
        &server.send(&wish(ADDRESS).header("Origin", "https://evil.example")),
        403,
    );
    let mut wrong = wish(ADDRESS);
    wrong.headers.clear();
    message(&server.send(&wrong.header("Content-Type", "text/plain")), 415);
    message(&server.send(&wish(&"a".repeat(20_000))), 413);
    let get = server.get(PATH);
    message(&get, 405);
    assert_eq!(get.expect("allow"), "POST");
    assert!(subscriptions(&stop(server).dir).is_empty());
}

#[test]
fn without_mail_there_is_no_newsletter() {
    for server in [Server::start(), Server::with(&["--demo"])] {
        message(&server.send(&wish(ADDRESS)), 404);
    }
}

#[test]
fn wishes_are_limited_apart_from_inquiries() {
    let setup = Setup::bare().args(&["--rate-limit", "2"]);
    let server = setup.config(config(&[])).start();
    message(&server.send(&wish("a")), 400);
    for email in ["a@example.de", "b@example.de"] {
        assert_eq!(server.send(&wish(email)).status, 202);
    }
    let refused = server.send(&wish("c@example.de"));
    message(&refused, 429);
    assert!(refused.expect("retry-after").parse::<u32>().unwrap() <= 60);
    assert_eq!(server.post(&crate::harness::record("Krause")).status, 201);
}
