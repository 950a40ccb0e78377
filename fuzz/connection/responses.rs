//! A strict parser for responses, and the rules for every response.

use super::Client;

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    /// Names and values; names in lower case.
    pub fields: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// Whether the handler created the response. Those of hyper itself lack security headers.
    pub fn is_from_handler(&self) -> bool {
        self.field("x-content-type-options").is_some()
    }

    /// The value of a field. Panics if the field is repeated.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().filter(|(given, _)| given == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} is repeated in {self:?}");
        value
    }
}

/// All fields that the server sends. Any other was injected.
const FIELDS: [&str; 21] = [
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
    "speculation-rules",
    "strict-transport-security",
    "vary",
    "x-content-type-options",
    "x-request-id",
];

/// The security headers of every response of the handler.
const SECURITY_HEADERS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// A marker in the samples wherever a visitor types something.
const SECRET: &[u8] = b"Geheim";

/// Parses everything received for the sent bytes, and checks each response and their number. The last response to a client that
/// leaves may be truncated, and is then not returned.
pub fn read(mut received: &[u8], sent: &[u8], client: Client) -> Vec<Response> {
    // Only responses to HEAD have a content length without a body.
    let mut head_requests = count(sent, b"HEAD");
    let mut responses: Vec<Response> = Vec::new();
    let mut from_hyper = 0;
    while !received.is_empty() {
        let last = responses.last();
        assert!(
            last.is_none_or(|last| last.field("connection") != Some("close")),
            "something follows {last:?}"
        );
        let Some((mut response, rest)) = head(received) else {
            assert_eq!(client, Client::Leaves, "truncated head");
            break;
        };
        received = rest;
        if response.status == 100 {
            assert!(
                count(sent, b"100-") > 0 && response.fields.is_empty(),
                "{response:?}"
            );
            continue;
        }
        let length = response
            .field("content-length")
            .map(|length| length.parse().unwrap());
        assert!(
            length.is_some() || response.status == 304,
            "{response:?} has no length"
        );
        let length = length.unwrap_or(0);
        let lacks_body = length > 0 && (received.is_empty() || received.starts_with(b"HTTP/1."));
        if lacks_body {
            assert!(
                head_requests > 0 || client == Client::Leaves,
                "truncated body of {response:?}"
            );
            head_requests = head_requests.saturating_sub(1);
        } else {
            let Some((body, rest)) = received.split_at_checked(length) else {
                assert_eq!(
                    client,
                    Client::Leaves,
                    "only {} bytes for {response:?}",
                    received.len()
                );
                break;
            };
            response.body = body.to_vec();
            received = rest;
        }
        if response.is_from_handler() {
            check_from_handler(&response);
        } else {
            check_from_hyper(&response);
            from_hyper += 1;
        }
        responses.push(response);
    }
    // Every request has a version. Bytes without one get at most one response, which is the last.
    assert!(from_hyper <= 1, "{responses:?}");
    assert!(
        responses.len() - from_hyper <= count(sent, b"HTTP/1."),
        "{responses:?}"
    );
    responses
}

/// Parses the status line and the fields. Returns them with the remaining bytes.
fn head(bytes: &[u8]) -> Option<(Response, &[u8])> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let (head, rest) = bytes.split_at(end + 4);
    let text = std::str::from_utf8(&head[..end]).expect("the head is text");
    let mut lines = text.split("\r\n");
    let line = lines.next().unwrap();
    let status = line
        .strip_prefix("HTTP/1.1 ")
        .or_else(|| line.strip_prefix("HTTP/1.0 "));
    let status = status
        .and_then(|rest| rest.get(..3))
        .and_then(|digits| digits.parse().ok());
    let fields = lines.map(|line| {
        let (name, value) = line.split_once(": ").expect("every line is a field");
        assert!(!value.contains(|c: char| c.is_control()), "{line:?}");
        (name.to_ascii_lowercase(), value.to_owned())
    });
    let response = Response {
        status: status.expect("the status is a number"),
        fields: fields.collect(),
        body: Vec::new(),
    };
    Some((response, rest))
}

fn check_from_handler(response: &Response) {
    assert!(response.status < 500, "{response:?}");
    for (name, value) in &response.fields {
        assert!(FIELDS.contains(&name.as_str()), "{name}: {value}");
        // Panics if the field is repeated.
        response.field(name);
    }
    for (name, value) in SECURITY_HEADERS {
        assert_eq!(response.field(name), Some(value), "{response:?}");
    }
    for name in ["content-security-policy", "cache-control", "date"] {
        assert!(
            response.field(name).is_some_and(|value| !value.is_empty()),
            "no {name} in {response:?}"
        );
    }
    assert_eq!(
        matches!(response.status, 301 | 303),
        response.field("location").is_some(),
        "{response:?}"
    );
    if let Some(location) = response.field("location") {
        assert!(is_on_this_host(location), "{location}");
    }
    // Only the response to an accepted inquiry may contain the marker.
    if response.status != 201 {
        assert_eq!(
            count(&response.body, SECRET),
            0,
            "{:?}",
            String::from_utf8_lossy(&response.body)
        );
    }
}

/// Whether every browser resolves the location to a path on the same host.
pub fn is_on_this_host(location: &str) -> bool {
    location.starts_with('/')
        && !location.starts_with("//")
        && !location.starts_with("/\\")
        && location.bytes().all(|byte| byte > b' ' && byte != 0x7f)
}

/// Checks a response of hyper itself, which must be an error without a body.
fn check_from_hyper(response: &Response) {
    assert!(
        (400..500).contains(&response.status) && response.body.is_empty(),
        "{response:?}"
    );
    assert!(
        response
            .fields
            .iter()
            .all(|(name, _)| FIELDS.contains(&name.as_str())),
        "{response:?}"
    );
}

fn count(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).filter(|window| *window == part).count()
}
