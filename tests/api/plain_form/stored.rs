//! A valid form is stored once, and the response confirms it.

use super::form::{PATH, encoded, post, right, thanks, with};
use crate::harness::inquiry::post as api;
use crate::harness::{Document, Request, Server, Setup, record, run};

/// The thank-you page without a link to a private page.
const PLAIN_THANKS: &str = "/danke";

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
        "Gebäude: Haus\nProblem: Federn im Schacht"
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
    // It was sent too quickly for a person.
    let exported: serde_json::Value = server.export(&["--format", "json", "--include-suspected"]).json();
    let id = exported[0]["id"].as_str().unwrap();
    let shown: serde_json::Value = run(server.dir().path(), &["inquiries", "show", id, "--json"]).json();
    assert_eq!(shown["consent"]["version"].to_string(), version, "{shown}");
}

#[test]
fn what_was_sent_twice_is_stored_once() {
    let server = Server::start();
    let address = thanks(&server.send(&right()));
    assert_ne!(address, PLAIN_THANKS);
    assert_eq!(thanks(&server.send(&right())), PLAIN_THANKS);
    let server = server.kill().start();
    assert_eq!(thanks(&server.send(&right())), PLAIN_THANKS, "after a crash, too");
    assert_eq!(server.stored().len(), 1);
    assert_ne!(thanks(&server.send(&with("problemOther", "Eier"))), address);
    assert_ne!(thanks(&server.send(&with("lastName", "Krause"))), address);
    assert_eq!(server.stored().len(), 3);
}

/// Sends the valid form eight times at once; returns the addresses that it redirects to.
fn send_at_once(server: &Server) -> Vec<String> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| thanks(&server.send(&right()))))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn count_of_links(addresses: &[String]) -> usize {
    let links = addresses.iter().filter(|address| *address != PLAIN_THANKS);
    links.count()
}

/// Withdraws the inquiry that an address of the thank-you page names.
fn withdraw(server: &Server, address: &str) {
    let (_, token) = address.split_once('=').unwrap();
    let withdraw = Request::new("POST", &format!("/anfrage/{token}/zurueckziehen"))
        .header("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(server.send(&withdraw).status, 303);
}

#[test]
fn whoever_took_an_inquiry_back_may_ask_anew() {
    let server = Server::start();
    let mut address = thanks(&server.send(&right()));
    for _ in 0..3 {
        withdraw(&server, &address);
        assert_eq!(server.stored().len(), 0);
        let addresses = send_at_once(&server);
        assert_eq!(count_of_links(&addresses), 1, "{addresses:?}");
        assert_eq!(server.stored().len(), 1);
        let again = addresses.into_iter().find(|address| address != PLAIN_THANKS);
        assert_ne!(again.as_ref(), Some(&address));
        address = again.unwrap();
    }
}

/// Repeating another visitor's request, as a form or over the API, never leads to a page of that visitor.
#[test]
fn who_repeats_what_others_sent_learns_no_token() {
    let server = Setup::new().args(&["--trusted-proxy", "127.0.0.0/8"]).start();
    let by = |client: &str, request: &Request| {
        let response = server.send(&request.clone().header("X-Forwarded-For", client));
        (response.status, response.expect("location").to_owned())
    };
    let record = record("Kranich");
    let with_key = |key: &str| api(&record).header("Idempotency-Key", key);
    let sent = [right(), with_key("a-visitors-own-random-key"), api(&record)];
    let given: Vec<_> = sent.iter().map(|request| by("198.51.100.1", request)).collect();
    let tokens: Vec<_> = given
        .iter()
        .map(|(_, location)| location.rsplit(['/', '=']).next().unwrap())
        .collect();
    assert!(tokens.iter().all(|token| token.len() == 43), "{given:?}");
    let id = server.stored()[0]["id"].as_str().unwrap().to_owned();
    // Other clients know everything but the visitor's random key.
    let mut tried = vec![right(), api(&record), with_key("another-key"), with_key(&id)];
    // The form's content over the API, and the reverse.
    tried.push(api(&of_right_form()));
    tried.push(post(encoded(of_record(&record))));
    for round in 0..3 {
        for (number, request) in tried.iter().enumerate() {
            for client in ["198.51.100.1", "203.0.113.9"] {
                let (status, location) = by(client, request);
                assert!([201, 303].contains(&status), "{number}");
                let known = tokens.iter().any(|token| location.contains(token));
                assert!(!known, "{round} {number} {client}: {location}");
            }
        }
    }
}

/// The content of the valid form, as the API accepts it.
fn of_right_form() -> serde_json::Value {
    let mut record = record("Groß");
    record["types_of_problems"] = "nesting,other".into();
    record["problem_locations"] = "balcony".into();
    record
}

/// A record of the API, as a form.
fn of_record(record: &serde_json::Value) -> Vec<(&str, &str)> {
    let text = |column: &str| record[column].as_str().unwrap();
    let mut fields = vec![
        ("propertyType", text("property_type")),
        ("postalCode", text("postal_code")),
        ("firstName", text("first_name")),
        ("lastName", text("last_name")),
        ("email", text("email_address")),
        ("phone", text("phone_number")),
    ];
    fields.extend(
        text("types_of_problems")
            .split(',')
            .map(|problem| ("problems", problem)),
    );
    fields.extend(
        text("problem_locations")
            .split(',')
            .map(|location| ("locations", location)),
    );
    fields
}
