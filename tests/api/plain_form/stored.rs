//! A form that is right: stored once, with what the page said.

use super::form::{PATH, right, thanks, with};
use crate::harness::{Document, Request, Server, run};

#[test]
fn a_right_form_is_stored_and_leads_to_its_private_page() {
    let server = Server::start();
    let address = thanks(&server.send(&right()));
    let stored = server.stored();
    assert_eq!(stored.len(), 1);
    for (column, value) in [
        ("postal_code", "20095"),
        ("property_type", "residential"),
        ("types_of_problems", "nesting,other"),
        ("problem_locations", "balcony"),
        ("first_name", "Änne"),
        ("last_name", "Groß"),
        ("email_address", "aenne@example.org"),
        ("phone_number", "+49 40 123456-78"),
    ] {
        assert_eq!(stored[0][column], value, "{column}");
    }

    let response = server.get(&address);
    assert_eq!(response.status, 200);
    assert_eq!(response.expect("cache-control"), "no-store");
    assert_eq!(response.expect("referrer-policy"), "same-origin");
    assert!(response.expect("x-robots-tag").contains("noindex"));
    let page = Document::parse(response.text());
    let link = page
        .all("a")
        .find(|link| link.text == "Ihre Anfrage ansehen")
        .unwrap();
    let private = link.attribute("href").unwrap();
    assert!(private.starts_with("/anfrage/"), "{private}");
    let id = stored[0]["id"].as_str().unwrap();
    assert!(page.text().contains(&id[id.len() - 12..]), "the reference");

    let private = server.get(private);
    assert_eq!(private.status, 200);
    let private = Document::parse(private.text());
    assert_eq!(
        private.only("textarea").text,
        "Gebäude: Haus Problem: Federn im Schacht"
    );
}

#[test]
fn the_consent_that_the_page_shows_is_kept() {
    let server = Server::start();
    let page = Document::parse(server.get(PATH).text());
    let hidden = page
        .all("input")
        .find(|input| input.attribute("name") == Some("consent"));
    let version = hidden.unwrap().attribute("value").unwrap();
    thanks(&server.send(&with("consent", version)));
    // It came too quickly for a visitor.
    let exported = server.export(&["--format", "json", "--include-suspected"]);
    let exported: serde_json::Value = serde_json::from_str(exported.success()).unwrap();
    let id = exported[0]["id"].as_str().unwrap();
    let shown = run(server.dir().path(), &["inquiries", "show", id, "--json"]);
    let shown: serde_json::Value = serde_json::from_str(shown.success()).unwrap();
    assert_eq!(shown["consent"]["version"].to_string(), version, "{shown}");
}

#[test]
fn what_was_sent_twice_is_stored_once() {
    let server = Server::start();
    let address = thanks(&server.send(&right()));
    assert_eq!(thanks(&server.send(&right())), address);
    let server = server.kill().start();
    assert_eq!(thanks(&server.send(&right())), address, "after a crash, too");
    assert_eq!(server.stored().len(), 1);
    assert_ne!(thanks(&server.send(&with("problemOther", "Eier"))), address);
    assert_ne!(thanks(&server.send(&with("lastName", "Krause"))), address);
    assert_eq!(server.stored().len(), 3);
}

#[test]
fn many_at_once_are_stored_once() {
    let server = Server::start();
    let addresses: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| thanks(&server.send(&right()))))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(
        addresses.iter().all(|address| *address == addresses[0]),
        "{addresses:?}"
    );
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn whoever_took_an_inquiry_back_may_ask_anew() {
    let server = Server::start();
    let first = thanks(&server.send(&right()));
    let (_, token) = first.split_once('=').unwrap();
    let withdraw = Request::new("POST", &format!("/anfrage/{token}/zurueckziehen"))
        .header("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(server.send(&withdraw).status, 303);
    assert_eq!(server.stored().len(), 0);
    assert_ne!(thanks(&server.send(&right())), first);
    assert_eq!(server.stored().len(), 1);
}
