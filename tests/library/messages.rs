//! Mails, parsed by an independent library.

use mail_parser::{HeaderName, MessageParser, MimeHeaders};
use proptest::prelude::*;
use taubenabwehr::domain::inquiry::EmailAddress;
use taubenabwehr::outbox::mail::{Address, Mailbox, Outgoing, WrongAddress, mailbox};

/// The headers of every mail, in order.
const HEADERS: [&str; 8] = [
    "Message-ID",
    "Date",
    "From",
    "To",
    "Subject",
    "Auto-Submitted",
    "MIME-Version",
    "Content-Type",
];

fn sender() -> Address {
    Address::parse("anfrage@example.de").unwrap()
}

fn from() -> Mailbox {
    mailbox(Some("Täubchen & Söhne"), &sender())
}

fn mail() -> Outgoing {
    Outgoing {
        message_id: "0199-1@www.example.de".to_owned(),
        to: mailbox(Some("Jürgen Groß"), &Address::parse("j.gross@example.de").unwrap()),
        reply_to: None,
        subject: "Neue Anfrage für Hamburg-Övelgönne: Nester über der Tür, größer als üblich und länger als eine Zeile"
            .to_owned(),
        text: "Guten Tag,\n\nschöne Grüße\n".to_owned(),
        html: "<p>Guten Tag,</p>\n<p>schöne Grüße</p>\n".to_owned(),
    }
}

/// Builds the mail and checks the invariants of all mails.
fn built(mail: &Outgoing) -> Vec<u8> {
    let message = mail.build(&from()).unwrap();
    let text = std::str::from_utf8(&message).unwrap();
    for line in text.split("\r\n") {
        assert!(!line.contains(['\r', '\n', '\0']), "{line:?}");
        assert!(line.len() <= 998, "{line:?}");
    }
    message
}

#[test]
fn a_mail_is_read_as_it_was_meant() {
    let mut outgoing = mail();
    outgoing.reply_to = Some(mailbox(
        Some("Büro"),
        &Address::parse("buero@example.de").unwrap(),
    ));
    let message = built(&outgoing);
    assert!(message.is_ascii());
    let read = MessageParser::new().parse(&message).unwrap();
    let named = |address: Option<&mail_parser::Address>| {
        let one = address.unwrap().first().unwrap();
        (
            one.name().unwrap_or_default().to_owned(),
            one.address().unwrap().to_owned(),
        )
    };
    assert_eq!(
        named(read.from()),
        ("Täubchen & Söhne".to_owned(), "anfrage@example.de".to_owned())
    );
    assert_eq!(
        named(read.to()),
        ("Jürgen Groß".to_owned(), "j.gross@example.de".to_owned())
    );
    assert_eq!(
        named(read.reply_to()),
        ("Büro".to_owned(), "buero@example.de".to_owned())
    );
    assert_eq!(read.subject(), Some(outgoing.subject.as_str()));
    assert_eq!(read.message_id(), Some("0199-1@www.example.de"));
    assert!(read.date().unwrap().is_valid());
    let raw = |name: &str| read.header_raw(name).unwrap_or_default().trim().to_owned();
    assert_eq!(raw("Auto-Submitted"), "auto-generated");
    assert!(read.is_content_type("multipart", "alternative"));
    assert_eq!((read.text_body_count(), read.html_body_count()), (1, 1));
    assert_eq!(
        read.body_text(0).unwrap().replace("\r\n", "\n").trim_end(),
        outgoing.text.trim_end()
    );
    assert_eq!(
        read.body_html(0).unwrap().replace("\r\n", "\n").trim_end(),
        outgoing.html.trim_end()
    );
}

#[test]
fn only_what_is_set_is_in_the_head() {
    let message = built(&mail());
    let read = MessageParser::new().parse(&message).unwrap();
    let names: Vec<_> = read.headers().iter().map(|header| header.name.as_str()).collect();
    let mut expected = HEADERS.to_vec();
    expected.sort_unstable();
    let mut found = names.clone();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn no_text_becomes_a_header() {
    for attack in [
        "Hallo\r\nBcc: opfer@example.de",
        "Hallo\nBcc: opfer@example.de",
        "Hallo\rBcc: opfer@example.de",
        "Hallo\r\n\r\n<html>",
        "Hallo\0Bcc: opfer@example.de",
        "Hällo\u{85}Bcc: opfer@example.de",
        "Hällo\u{2028}Bcc: opfer@example.de",
        "=?utf-8?q?=0D=0ABcc:_opfer@example.de?=",
        "\u{202e}ed.elpmaxe@refpo",
    ] {
        let mut outgoing = mail();
        attack.clone_into(&mut outgoing.subject);
        outgoing.to = mailbox(Some(attack), &Address::parse("a@example.de").unwrap());
        outgoing.reply_to = Some(mailbox(Some(attack), &Address::parse("b@example.de").unwrap()));
        attack.clone_into(&mut outgoing.text);
        let message = built(&outgoing);
        let read = MessageParser::new().parse(&message).unwrap();
        assert_eq!(read.headers().len(), HEADERS.len() + 1, "{attack:?}");
        assert_eq!(read.to().unwrap().iter().count(), 1, "{attack:?}");
        assert!(read.bcc().is_none(), "{attack:?}");
        let subject = read.subject().unwrap();
        assert!(!subject.contains(['\r', '\n', '\0', '\u{202e}']), "{subject:?}");
    }
}

#[test]
fn what_must_be_plain_is_refused_when_it_is_not() {
    for wrong in ["", "a b@c", "a>\r\nBcc: x@y", "ä@c", "<a@c>"] {
        let mut outgoing = mail();
        wrong.clone_into(&mut outgoing.message_id);
        assert!(outgoing.build(&from()).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_bare_carriage_return_does_not_reach_the_body() {
    let mut outgoing = mail();
    outgoing.text = "eins\r.\rzwei\n.\ndrei\0\u{1b}[31m\tEnde".to_owned();
    let message = built(&outgoing);
    let read = MessageParser::new().parse(&message).unwrap();
    assert_eq!(
        read.body_text(0).unwrap().trim_end(),
        "eins\r\n.\r\nzwei\r\n.\r\ndrei[31m\tEnde"
    );
}

#[test]
fn addresses_are_what_a_mail_server_takes() {
    for (text, expected) in [
        ("anna@example.de", Ok("anna@example.de")),
        (" anna+tauben@example.de ", Ok("anna+tauben@example.de")),
        ("anna@müller.de", Ok("anna@xn--mller-kva.de")),
        ("anna@MÜLLER.de", Ok("anna@xn--mller-kva.de")),
        ("müller@example.de", Ok("müller@example.de")),
        ("o'neill@example.de", Ok("o'neill@example.de")),
        ("", Err(WrongAddress::Malformed)),
        ("anna", Err(WrongAddress::Malformed)),
        ("@example.de", Err(WrongAddress::Malformed)),
        ("anna@", Err(WrongAddress::Malformed)),
        ("an na@example.de", Err(WrongAddress::Malformed)),
        ("anna@exa mple.de", Err(WrongAddress::Malformed)),
        ("anna>@example.de", Err(WrongAddress::Malformed)),
        ("anna@example.de>", Err(WrongAddress::Malformed)),
        ("a@b@example.de", Err(WrongAddress::Malformed)),
        (
            "anna@example.de\r\nRCPT TO:<x@y.de>",
            Err(WrongAddress::Malformed),
        ),
        ("an\0na@example.de", Err(WrongAddress::Malformed)),
        ("anna@ä\u{ad}..de", Err(WrongAddress::Malformed)),
    ] {
        let parsed = Address::parse(text);
        let written = parsed.map(|address| {
            let message = Outgoing {
                to: mailbox(None, &address),
                ..mail()
            };
            let message = String::from_utf8(message.build(&from()).unwrap()).unwrap();
            let to = message.lines().find_map(|line| line.strip_prefix("To: "));
            to.unwrap().to_owned()
        });
        match (written, expected) {
            (Ok(written), Ok(expected)) => assert_eq!(written, expected),
            (Err(_), Err(_)) => {}
            (found, expected) => panic!("{text:?}: {found:?} instead of {expected:?}"),
        }
    }
}

#[test]
fn whoever_may_send_an_inquiry_can_be_mailed() {
    let mut accepted = 0;
    for c in (' '..='~').chain(['ä', 'ß', '例', '\u{ad}']) {
        let names = [
            format!("a{c}b"),
            format!("\"a{c}b\""),
            format!("\"a\\{c}b\""),
            format!("\"{c}\""),
        ];
        for text in names.map(|name| format!("{name}@example.de")) {
            if EmailAddress::parse(&text).is_some() {
                let to = mailbox(None, &Address::parse(&text).unwrap());
                assert!(Outgoing { to, ..mail() }.build(&from()).is_ok(), "{text}");
                accepted += 1;
            }
        }
    }
    assert!(accepted > 4 * 26, "{accepted}");
}

#[test]
fn a_sender_has_the_name_that_was_given() {
    for name in [None, Some("Taubenabwehr Hamburg"), Some("Meier, Müller & Co.")] {
        let message = mail().build(&mailbox(name, &sender())).unwrap();
        let read = MessageParser::new().parse(&message).unwrap();
        assert_eq!(read.from().unwrap().first().unwrap().name(), name);
        assert_eq!(read.from().unwrap().iter().count(), 1, "{name:?}");
    }
}

proptest! {
    /// User input neither breaks a mail nor causes a panic.
    #[test]
    fn any_text_can_be_sent(subject: String, name: String, text: String, html: String) {
        let outgoing = Outgoing {
            to: mailbox(Some(&name), &Address::parse("a@example.de").unwrap()),
            subject,
            text,
            html,
            ..mail()
        };
        let message = built(&outgoing);
        let read = MessageParser::new().parse(&message).unwrap();
        prop_assert_eq!(read.headers().len(), HEADERS.len());
        prop_assert_eq!(read.parts.len(), 3);
        prop_assert_eq!(read.to().unwrap().iter().count(), 1);
        prop_assert_eq!(read.to().unwrap().first().unwrap().address(), Some("a@example.de"));
        prop_assert!(read.header(HeaderName::Bcc).is_none());
    }
}
