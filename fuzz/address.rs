//! Fuzz target: mail addresses. Parsing must be stable across the wire form, and all spellings of a recipient must count as the
//! same mailbox.

use proptest::prelude::*;
use taubenabwehr::base::text::mail_address::{self, Address};
use taubenabwehr::domain::inquiry::{EmailAddress, Person};
use unicode_normalization::UnicodeNormalization;

use crate::harness as fuzz;

const TOKENS: &[&str] = &[
    "@",
    ".",
    "..",
    "\"",
    "\\",
    "\\\"",
    "\\\\",
    "+",
    "+tag",
    "-",
    "_",
    ",",
    ";",
    "(",
    "[",
    "]",
    "<",
    ">",
    " ",
    "\t",
    "\0",
    "\r\n",
    "\u{ad}",
    "\u{200b}",
    "\u{200d}",
    "\u{2060}",
    "\u{feff}",
    "\u{202e}",
    "\u{37e}",
    "\u{212a}",
    "\u{308}",
    "\u{345}",
    "。",
    "．",
    "｡",
    "＠",
    "ａ",
    "ⓐ",
    "℀",
    "ß",
    "ẞ",
    "ſ",
    "İ",
    "Σ",
    "ä",
    "한",
    "🕊",
    "xn--",
    "XN--",
    "xn--mller-kva",
    "127.0.0.1",
    "[127.0.0.1]",
    "[::1]",
    "gmail.com",
    "a@b.c",
];

#[test]
fn bytes() {
    fuzz::bytes("address", 5000, TOKENS, check);
}

/// Checks that a parsed address survives reparsing of its wire form, and has the same keys as its text.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = Address::parse(&text);
    let taken = EmailAddress::parse(&text);
    let is_sendable = taken.is_none_or(|taken| Address::parse(taken.as_str()).is_ok());
    assert!(is_sendable, "the form takes what no mailer does");
    let Ok(address) = parsed else {
        return;
    };
    let wire = address.to_string();
    assert!(!wire.contains(|c: char| c.is_control()), "{wire:?}");
    let again = Address::parse(&wire).expect("the wire form is an address");
    assert_eq!(again, address);
    for key in [mail_address::key, mail_address::mailbox_key] {
        assert_eq!(key(&text), key(&wire));
        // A capital letter may not compose with its accent, in which case the address is refused.
        let capital = text.to_ascii_uppercase();
        assert!(
            Address::parse(&capital).is_err() || key(&capital) == key(&wire),
            "{wire}"
        );
    }
}

#[test]
fn spellings() {
    let name = "[a-zäöüé0-9]{1,8}([.-][a-z0-9]{1,4})?";
    let host = "[a-zäöü][a-zäöü0-9]{0,8}\\.(de|org|hamburg)";
    let input = (name, host, prop::collection::vec(any::<u8>(), 64), any::<bool>());
    fuzz::values(
        "address-spellings",
        3000,
        &input,
        |(name, host, choices, is_decomposed)| {
            let plain = format!("{name}@{host}");
            let mut choices = choices.into_iter().cycle();
            let mut choose = || choices.next().unwrap();
            let spelled = format!(
                "{}@{}",
                spelled_name(&name, &mut choose),
                spelled_host(&host, &mut choose)
            );
            let spelled: String = if is_decomposed {
                spelled.nfd().collect()
            } else {
                spelled
            };
            let (one, other) = (Address::parse(&plain).unwrap(), Address::parse(&spelled).unwrap());
            assert_eq!(
                one.to_string().to_lowercase(),
                other.to_string().to_lowercase(),
                "{spelled}"
            );
            assert_eq!(one.key(), other.key(), "{spelled}");
            assert_eq!(one.mailbox_key(), other.mailbox_key(), "{spelled}");
            assert_eq!(Person::parse(&plain), Person::parse(&spelled), "{spelled}");
            let tagged = Address::parse(&format!("{name}+x@{host}")).unwrap();
            assert_eq!(one.mailbox_key(), tagged.mailbox_key());
            assert_ne!(one.key(), tagged.key());
        },
    );
}

/// Respells a local part: some letters in upper case, sometimes quoted with needless backslashes.
fn spelled_name(name: &str, choose: &mut impl FnMut() -> u8) -> String {
    let is_quoted = choose().is_multiple_of(2);
    let mut spelled = String::new();
    for c in name.chars() {
        let choice = choose();
        if is_quoted && c.is_ascii() && choice.is_multiple_of(3) {
            spelled.push('\\');
        }
        if choice.is_multiple_of(2) {
            spelled.extend(c.to_uppercase());
        } else {
            spelled.push(c);
        }
    }
    if is_quoted {
        spelled = format!("\"{spelled}\"");
    }
    spelled
}

/// Respells a domain: letters in equivalent forms, with ignored characters in between.
fn spelled_host(host: &str, choose: &mut impl FnMut() -> u8) -> String {
    let beyond =
        |c: char, first: char, begin: u32| char::from_u32(begin + u32::from(c) - u32::from(first)).unwrap();
    let mut spelled = String::new();
    for c in host.chars() {
        match (c, choose() % 4) {
            ('.', 1) => spelled.push('。'),
            ('.', 2) => spelled.push('．'),
            ('.', 3) => spelled.push('｡'),
            ('a'..='z', 1) => spelled.push(beyond(c, 'a', 0xff41)),
            ('a'..='z', 2) => spelled.push(beyond(c, 'a', 0x24d0)),
            ('0'..='9', 1) => spelled.push(beyond(c, '0', 0xff10)),
            (_, 3) => spelled.extend(c.to_uppercase()),
            _ => spelled.push(c),
        }
        match choose() % 8 {
            0 => spelled.push('\u{ad}'),
            1 => spelled.push('\u{200b}'),
            2 => spelled.push('\u{2060}'),
            _ => {}
        }
    }
    spelled
}
