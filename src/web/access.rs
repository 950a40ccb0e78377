//! The operator's view of requests: metrics, the access log, and an id that leads to a request's log line.

use std::net::IpAddr;
use std::time::Duration;

use hyper::header::{HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Response, StatusCode};
use ipnet::IpNet;
use uuid::Uuid;

use super::app::App;
use crate::base::logging::AccessLog;
use crate::base::metrics::{Refusal, RequestKind};
use crate::site::http::response::Body;
use crate::site::private_path;
use crate::web::limits::client_ip;

/// Longest segment of an unknown path that is logged. Tokens of private pages and codes of the desk are longer, in case a mail
/// program or a typo puts one there.
const MAX_SEGMENT: usize = 21;

/// Header with the id of a request, by which a visitor's question can be traced to a log line.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id accepted from a proxy. Proxies send UUIDs or similar; anything longer is not an id.
const MAX_REQUEST_ID: usize = 64;

/// Replaces a segment that is not logged.
const CUT: &str = "*";

/// Counts a request, and logs it if enabled. The response gets the request's id unless it is an ordinary page or file without a log
/// line: most responses are, and their ids would lead nowhere.
pub fn note(
    app: &App,
    peer: IpAddr,
    parts: &Parts,
    kind: RequestKind,
    time: Duration,
    response: &mut Response<Body>,
) {
    let status = response.status();
    let refusal = response.extensions_mut().remove::<Refusal>();
    app.metrics.count_request(kind, status.as_u16(), refusal, time);
    let is_ordinary = matches!(kind, RequestKind::Page | RequestKind::Asset)
        && !status.is_client_error()
        && !status.is_server_error();
    if is_ordinary && app.access_log == AccessLog::Off {
        return;
    }
    let id = request_id(&parts.headers, peer, &app.trusted_proxies);
    let request_id = id.to_str().unwrap_or_default();
    let (method, path) = (method(&parts.method), path(parts.uri.path(), kind, status));
    let bytes = match parts.method {
        Method::HEAD => 0,
        _ => response.body().len(),
    };
    let status = status.as_u16();
    // With the precision of microseconds.
    let duration_ms = f64::from(u32::try_from(time.as_micros()).unwrap_or(u32::MAX)) / 1000.0;
    match app.access_log {
        AccessLog::On => {
            tracing::info!(method, path, status, bytes, duration_ms, %request_id, "request");
        }
        AccessLog::Addresses => {
            let address = client_ip::client(peer, &parts.headers, &app.trusted_proxies);
            tracing::info!(method, path, status, bytes, duration_ms, %request_id, %address, "request");
        }
        // Health checks come every few seconds and report failures themselves.
        AccessLog::Off if status >= 500 && kind != RequestKind::Health && app.failed_requests.is_due() => {
            tracing::error!(method, path, status, %request_id, "a request failed");
        }
        AccessLog::Off => {}
    }
    response.headers_mut().insert(REQUEST_ID, id);
}

/// The id that a trusted proxy assigned, or a new one. Either is visible ASCII.
fn request_id(headers: &HeaderMap, peer: IpAddr, trusted: &[IpNet]) -> HeaderValue {
    let given = headers.get(REQUEST_ID).filter(|id| {
        let id = id.as_bytes();
        (1..=MAX_REQUEST_ID).contains(&id.len()) && id.iter().copied().all(is_plain)
    });
    match given {
        Some(id) if client_ip::is_trusted(peer, trusted) => id.clone(),
        // Consists of letters and digits, so this cannot fail.
        _ => HeaderValue::try_from(Uuid::now_v7().simple().to_string())
            .unwrap_or(HeaderValue::from_static("-")),
    }
}

/// Whether a byte is an unreserved character in the names of files on the web.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)
}

/// The name of a method. Unknown methods are cut, since clients could put anything there.
fn method(method: &Method) -> &str {
    match *method {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::DELETE
        | Method::OPTIONS
        | Method::PATCH
        | Method::TRACE
        | Method::CONNECT => method.as_str(),
        _ => CUT,
    }
}

/// The path without anything that may be a token or personal. Paths of the site are kept. In others, a segment is cut if it
/// follows the name of a private page, is long, or has characters unusual in the file names of websites.
fn path(path: &str, kind: RequestKind, status: StatusCode) -> String {
    let is_known = match kind {
        RequestKind::Page | RequestKind::Asset => !status.is_client_error(),
        RequestKind::Health => true,
        RequestKind::Api | RequestKind::Private | RequestKind::Other => false,
    };
    if is_known {
        return path.to_owned();
    }
    let mut is_private = false;
    let segments = path.split('/').map(|segment| {
        let is_cut = is_private && !private_path::is_word(segment);
        is_private |= private_path::begins(segment);
        if is_cut && !segment.is_empty() || segment.len() > MAX_SEGMENT || !segment.bytes().all(is_plain) {
            CUT
        } else {
            segment
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_gives_ids() {
        let proxy = "10.0.0.1".parse().unwrap();
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let id = |value: &'static str, trusted: &[IpNet]| {
            let headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::from_static(value))]);
            request_id(&headers, proxy, trusted)
        };
        let given = "7f6c-4d.A_9";
        assert_eq!(id(given, &trusted), given);
        assert_ne!(id(given, &[]), given);
        for wrong in ["", "a b", "a\"b", "anna@example.de", "x=1;y", LONG] {
            assert_ne!(id(wrong, &trusted), wrong);
        }
        let (one, other) = (id("", &trusted), id("", &trusted));
        assert_ne!(one, other);
        assert!(
            one.len() == 32 && one.as_bytes().iter().copied().all(is_plain),
            "{one:?}"
        );
    }

    const LONG: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    #[test]
    fn paths_lose_tokens_and_whatever_may_name_a_person() {
        let token = "BZr4x9Qm3kT7WvNc2LpY8sHd5FgJ1aEu0RiOoKbMnVtXz";
        let logged = |path: &str| super::path(path, RequestKind::Other, StatusCode::NOT_FOUND);
        for (path, expected) in [
            (format!("/anfrage/{token}"), "/anfrage/*"),
            (
                format!("/anfrage/{token}/zurueckziehen"),
                "/anfrage/*/zurueckziehen",
            ),
            (format!("/betrieb/{token}/"), "/betrieb/*/"),
            (
                format!("/betrieb/{token}/foto/2/klein"),
                "/betrieb/*/foto/*/klein",
            ),
            (
                format!("/newsletter/bestaetigen/{token}"),
                "/newsletter/bestaetigen/*",
            ),
            ("/newsletter/abmelden/kurz".to_owned(), "/newsletter/abmelden/*"),
            ("/Anfrage/kurz/mehr".to_owned(), "/Anfrage/*/*"),
            ("//betrieb//kurz".to_owned(), "//betrieb//*"),
            (format!("/{token}"), "/*"),
            (format!("/anfrage%2F{token}"), "/*"),
            ("/suche/anna@example.de".to_owned(), "/suche/*"),
            ("/suche/Anna%20Meier".to_owned(), "/suche/*"),
            ("/wp-login.php".to_owned(), "/wp-login.php"),
            ("/rest/v1/inquiries".to_owned(), "/rest/v1/inquiries"),
            ("/x/0123456789abcdefghijkl".to_owned(), "/x/*"),
            ("*".to_owned(), "*"),
            (String::new(), ""),
        ] {
            assert_eq!(logged(&path), expected, "{path}");
        }
        let page = "/blog/ein-sehr-langer-name-einer-seite-ueber-tauben";
        assert_eq!(super::path(page, RequestKind::Page, StatusCode::OK), page);
    }
}
