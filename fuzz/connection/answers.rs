//! A strict reader of responses, and the rules that every response must follow.

use super::Client;

/// One response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    pub fields: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns whether the handler made it. hyper's own responses have none of its fields.
    pub fn is_ours(&self) -> bool {
        self.field("x-content-type-options").is_some()
    }

    /// Returns the value of a field that may appear at most once.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().filter(|(given, _)| given == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} stands twice in {self:?}");
        value
    }
}

/// Every field that the server sends. Any other field was smuggled in.
const FIELDS: [&str; 19] = [
    "allow",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-security-policy",
    "content-type",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "date",
    "etag",
    "location",
    "permissions-policy",
    "preference-applied",
    "referrer-policy",
    "retry-after",
    "strict-transport-security",
    "vary",
    "x-content-type-options",
];

/// The fields that every response of the handler carries.
const DEFENCES: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The word that the samples contain wherever a visitor writes something.
const SECRET: &[u8] = b"Geheim";

/// Parses everything that came back for these bytes, and checks each response and their number. Only for a client that
/// leaves may the last one be cut off; it is not returned.
pub fn read(mut received: &[u8], sent: &[u8], client: Client) -> Vec<Answer> {
    // The only responses whose body is announced but does not follow.
    let mut heads = count(sent, b"HEAD");
    let mut answers: Vec<Answer> = Vec::new();
    let mut by_library = 0;
    while !received.is_empty() {
        let last = answers.last();
        assert!(
            last.is_none_or(|last| last.field("connection") != Some("close")),
            "something follows {last:?}"
        );
        let Some((mut answer, rest)) = head(received) else {
            assert_eq!(client, Client::Leaves, "a head is cut off");
            break;
        };
        received = rest;
        if answer.status == 100 {
            assert!(count(sent, b"100-") > 0 && answer.fields.is_empty(), "{answer:?}");
            continue;
        }
        let length = answer
            .field("content-length")
            .map(|length| length.parse().unwrap());
        assert!(length.is_some() || answer.status == 304, "{answer:?} has no end");
        let length = length.unwrap_or(0);
        let has_none = length > 0 && (received.is_empty() || received.starts_with(b"HTTP/1."));
        if has_none {
            assert!(heads > 0 || client == Client::Leaves, "{answer:?} is cut off");
            heads = heads.saturating_sub(1);
        } else {
            let Some((body, rest)) = received.split_at_checked(length) else {
                assert_eq!(
                    client,
                    Client::Leaves,
                    "only {} bytes for {answer:?}",
                    received.len()
                );
                break;
            };
            answer.body = body.to_vec();
            received = rest;
        }
        if answer.is_ours() {
            check_ours(&answer);
        } else {
            check_librarys(&answer);
            by_library += 1;
        }
        answers.push(answer);
    }
    // Every request has a version. Anything without one gets at most one response, the last.
    assert!(by_library <= 1, "{answers:?}");
    assert!(
        answers.len() - by_library <= count(sent, b"HTTP/1."),
        "{answers:?}"
    );
    answers
}

/// Reads the status line and the fields, and returns what follows them.
fn head(bytes: &[u8]) -> Option<(Answer, &[u8])> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let (head, rest) = bytes.split_at(end + 4);
    let text = std::str::from_utf8(&head[..end]).expect("a head of text");
    let mut lines = text.split("\r\n");
    let line = lines.next().unwrap();
    let status = line
        .strip_prefix("HTTP/1.1 ")
        .or_else(|| line.strip_prefix("HTTP/1.0 "));
    let status = status
        .and_then(|rest| rest.get(..3))
        .and_then(|digits| digits.parse().ok());
    let fields = lines.map(|line| {
        let (name, value) = line.split_once(": ").expect("a field");
        assert!(!value.contains(|c: char| c.is_control()), "{line:?}");
        (name.to_ascii_lowercase(), value.to_owned())
    });
    let answer = Answer {
        status: status.expect("a status"),
        fields: fields.collect(),
        body: Vec::new(),
    };
    Some((answer, rest))
}

fn check_ours(answer: &Answer) {
    assert!(answer.status < 500, "{answer:?}");
    for (name, value) in &answer.fields {
        assert!(FIELDS.contains(&name.as_str()), "{name}: {value}");
        // Fails if it appears twice.
        answer.field(name);
    }
    for (name, value) in DEFENCES {
        assert_eq!(answer.field(name), Some(value), "{answer:?}");
    }
    for name in ["content-security-policy", "cache-control", "date"] {
        assert!(
            answer.field(name).is_some_and(|value| !value.is_empty()),
            "no {name} in {answer:?}"
        );
    }
    assert_eq!(
        answer.status == 301,
        answer.field("location").is_some(),
        "{answer:?}"
    );
    if let Some(location) = answer.field("location") {
        assert!(stays_here(location), "{location}");
    }
    // Only the sender of an inquiry gets it back.
    if answer.status != 201 {
        assert_eq!(
            count(&answer.body, SECRET),
            0,
            "{:?}",
            String::from_utf8_lossy(&answer.body)
        );
    }
}

/// Returns whether no browser takes the path for another host.
pub fn stays_here(location: &str) -> bool {
    location.starts_with('/')
        && !location.starts_with("//")
        && !location.starts_with("/\\")
        && location.bytes().all(|byte| byte > b' ' && byte != 0x7f)
}

/// Asserts that a response of hyper's own is an error without a body.
fn check_librarys(answer: &Answer) {
    assert!(
        (400..500).contains(&answer.status) && answer.body.is_empty(),
        "{answer:?}"
    );
    assert!(
        answer
            .fields
            .iter()
            .all(|(name, _)| FIELDS.contains(&name.as_str())),
        "{answer:?}"
    );
}

fn count(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).filter(|window| *window == part).count()
}
