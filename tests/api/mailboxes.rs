//! Entering another person's address does not flood their mailbox, however it is spelt.

use serde_json::{Value, json};

use crate::harness::inquiry::{post, with};
use crate::harness::referral::setup;
use crate::harness::{Request, Server, run, until_true};
use crate::sinks::{Security, SmtpSink};

/// Spellings of one address, including tags that lead to the same mailbox.
const SPELLINGS: &[&str] = &[
    "anna@müller.example",
    "ANNA@Müller.Example",
    " anna@müller.example ",
    "anna@mu\u{308}ller.example",
    "anna@xn--mller-kva.example",
    "anna@XN--MLLER-KVA.example",
    "anna@mül\u{ad}ler.example",
    "anna@mü\u{ad}l\u{ad}ler.example",
    "anna@mü\u{2060}ller.example",
    "anna@ｍüller.example",
    "anna@ⓜüller.example",
    "\"anna\"@müller.example",
    "\"an\\na\"@müller.example",
    "\"\\a\\n\\n\\a\"@müller.example",
    "anna+x@müller.example",
    "anna+y@müller.example",
];

fn subscribe(server: &Server, email: &str) {
    let wish = Request::new("POST", "/rest/v1/newsletter")
        .header("Content-Type", "application/json")
        .body(json!({ "email": email }).to_string());
    assert_eq!(server.send(&wish).status, 202, "{email}");
}

fn inquire(server: &Server, email: &str) {
    assert_eq!(
        server.send(&post(&with("email_address", email))).status,
        201,
        "{email}"
    );
}

/// Waits until all deliveries are done.
fn wait_for_mails(server: &Server) {
    until_true("every mail to arrive", || {
        let listed: Value = run(server.dir().path(), &["deliveries", "--json"]).json();
        listed.as_array().unwrap().is_empty()
    });
}

/// The number of mails to a mailbox, ignoring tags: confirmations of inquiries, and of the newsletter.
fn received(sink: &SmtpSink, host: &str) -> (usize, usize) {
    let mails = sink.mails();
    let to_anna = mails.iter().filter(|mail| {
        let to = mail.to.to_lowercase();
        to.starts_with("anna") && to.ends_with(&format!("@{host}"))
    });
    let (newsletter, inquiries): (Vec<_>, Vec<_>) =
        to_anna.partition(|mail| mail.header("Subject").unwrap().contains("Newsletter"));
    (inquiries.len(), newsletter.len())
}

#[test]
fn a_mailbox_gets_three_confirmations_and_one_of_the_newsletter_however_it_is_spelt() {
    let sink = SmtpSink::start(Security::Clear);
    let config = format!(
        "[mail]\nserver = 'smtp://{}'\nfrom = 'anfrage@example.de'\n",
        sink.address
    );
    let server = setup(&config).start();
    // Neither kind of mail blocks the other.
    for spelling in SPELLINGS {
        subscribe(&server, spelling);
    }
    for spelling in SPELLINGS {
        inquire(&server, spelling);
    }
    // The reverse order.
    for _ in 0..4 {
        inquire(&server, "anna@other.example");
    }
    for _ in 0..2 {
        subscribe(&server, "anna@other.example");
    }
    wait_for_mails(&server);
    assert_eq!(received(&sink, "xn--mller-kva.example"), (3, 1));
    assert_eq!(received(&sink, "other.example"), (3, 1));
    assert_eq!(sink.mails().len(), 8);
}
