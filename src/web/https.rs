//! What differs by TLS: redirects of plain requests, headers, compression, and the challenges of an authority.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use hyper::header;
use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{Response, StatusCode};
use parking_lot::RwLock;

use super::app::App;
use super::{HEALTH, target};
use crate::base::text::origin::{Origin, without_default_port, without_port};
use crate::site::http::headers::{self, Cache};
use crate::site::http::response::{self, Body};
use crate::web::limits::client_ip;

/// Stands among the extensions of a request that came by TLS.
#[derive(Debug, Clone, Copy)]
pub struct Encrypted;

/// Returns the redirect that answers a request, if one does.
pub fn redirect(app: &App, peer: IpAddr, parts: &Parts) -> Option<Response<Body>> {
    let https = app.https.as_ref()?;
    let path = parts.uri.path();
    let is_exempt = path == HEALTH || HttpChallenges::is_challenge(path) || !path.starts_with('/');
    if is_exempt || is_encrypted(app, peer, parts) || !https.is_ready() {
        return None;
    }
    let path = parts.uri.path_and_query().map_or(path, |path| path.as_str());
    let location = format!("{}{path}", https.origin(&app.origin, parts));
    let response = response::redirect(StatusCode::PERMANENT_REDIRECT, &location, None);
    Some(app.complete(response, Cache::Revalidate))
}

/// Completes a response with what may be said only by TLS, or takes it away.
pub fn complete(app: &App, peer: IpAddr, parts: &Parts, response: &mut Response<Body>) {
    if parts.extensions.get::<Encrypted>().is_some() {
        headers::add_for_encrypted(response.headers_mut());
    } else if app.https.is_some() && !is_encrypted(app, peer, parts) {
        headers::remove_for_plain(response.headers_mut());
    }
}

/// Returns whether the visitor's side of the connection is encrypted, here or at a trusted proxy.
fn is_encrypted(app: &App, peer: IpAddr, parts: &Parts) -> bool {
    if parts.extensions.get::<Encrypted>().is_some() {
        return true;
    }
    // The last value is that of the nearest proxy; a client may have sent one before it.
    let forwarded = parts.headers.get_all("x-forwarded-proto").iter().next_back();
    let last = forwarded
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.rsplit(',').next());
    last.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
        && client_ip::is_trusted(peer, &app.trusted_proxies)
}

/// Makes a request ask for an uncompressed answer where another site could learn from its length what stands in a page (BREACH,
/// CVE-2013-3587). Such an attack makes the visitor's browser request a page again and again, each time with another guess in
/// its address. Current browsers name the kind of site that caused a request in `Sec-Fetch-Site`, and no page that they get
/// holds both a secret and a part of its address. Older browsers do not send that header.
pub fn avoid_compression(parts: &mut Parts) {
    if parts.extensions.get::<Encrypted>().is_some() && comes_from_elsewhere(parts) {
        parts.headers.remove(header::ACCEPT_ENCODING);
    }
}

fn comes_from_elsewhere(parts: &Parts) -> bool {
    let headers = &parts.headers;
    let Some(referrer) = headers.get(header::REFERER) else {
        return false;
    };
    let referrer = referrer
        .to_str()
        .ok()
        .and_then(|text| text.parse::<hyper::Uri>().ok());
    let from = referrer
        .as_ref()
        .and_then(|uri| uri.authority())
        .map(Authority::as_str);
    !headers.contains_key("sec-fetch-site")
        && !from.is_some_and(|from| target::host(parts).is_some_and(|host| from.eq_ignore_ascii_case(host)))
}

/// Where plain requests are sent, once there is a certificate.
pub struct HttpsRedirect {
    has_certificate: Arc<dyn Fn() -> bool + Send + Sync>,
    /// The port of the host that was asked for; `None` leads to the public address.
    port: Option<u16>,
}

impl HttpsRedirect {
    /// Sends requests to the public address, which the operator has named.
    pub fn to_public(has_certificate: Arc<dyn Fn() -> bool + Send + Sync>) -> Self {
        Self {
            has_certificate,
            port: None,
        }
    }

    /// Sends requests to another port of the same host.
    pub fn to_port(port: u16, has_certificate: Arc<dyn Fn() -> bool + Send + Sync>) -> Self {
        Self {
            has_certificate,
            port: Some(port),
        }
    }

    /// Returns whether the target can be reached.
    pub(super) fn is_ready(&self) -> bool {
        (self.has_certificate)()
    }

    /// Returns the origin that a request is sent to.
    pub(super) fn origin(&self, public: &Origin, parts: &Parts) -> String {
        match self.port.zip(target::host(parts)) {
            Some((port, host)) => {
                let authority = format!("{}:{port}", without_port(host));
                format!("https://{}", without_default_port(&authority, "https"))
            }
            // A client of HTTP/1.0 need not name a host.
            None => public.to_string(),
        }
    }
}

impl fmt::Debug for HttpsRedirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpsRedirect")
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

/// Where a directory asks (RFC 8555, section 8.3).
const PREFIX: &str = "/.well-known/acme-challenge/";

/// The answer to each token. Clones share one state.
#[derive(Debug, Clone, Default)]
pub struct HttpChallenges(Arc<RwLock<HashMap<String, String>>>);

impl HttpChallenges {
    /// Returns whether a path is one where a directory asks. It is never redirected.
    pub fn is_challenge(path: &str) -> bool {
        path.starts_with(PREFIX)
    }

    /// Returns the answer to a path; `None` unless a directory has been told to ask there.
    pub fn answer(&self, path: &str) -> Option<String> {
        let token = path.strip_prefix(PREFIX)?;
        self.0.read().get(token).cloned()
    }

    /// Answers a token from now on.
    pub fn set(&self, token: &str, answer: &str) {
        self.0.write().insert(token.to_owned(), answer.to_owned());
    }

    /// Answers it no more.
    pub fn remove(&self, token: &str) {
        self.0.write().remove(token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_answered_until_it_is_removed() {
        let challenges = HttpChallenges::default();
        let path = "/.well-known/acme-challenge/abc";
        assert!(HttpChallenges::is_challenge(path) && !HttpChallenges::is_challenge("/.well-known/"));
        assert_eq!(challenges.answer(path), None);
        challenges.set("abc", "abc.thumb");
        assert_eq!(challenges.answer(path).as_deref(), Some("abc.thumb"));
        for other in [
            "/.well-known/acme-challenge/",
            "/abc",
            "/.well-known/acme-challenge/abc/",
        ] {
            assert_eq!(challenges.answer(other), None, "{other}");
        }
        challenges.clone().remove("abc");
        assert_eq!(challenges.answer(path), None);
    }
}
