//! Differences between TLS and plain requests: redirects, headers and compression.

use std::net::IpAddr;

use hyper::header;
use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{Response, StatusCode};

use super::app::App;
use super::plain_listener::Challenges;
use super::{HEALTH, target};
use crate::site::http::headers::{self, Cache};
use crate::site::http::response::{self, Body};
use crate::web::limits::client_ip;

/// Request extension that marks requests received over TLS.
#[derive(Debug, Clone, Copy)]
pub struct Encrypted;

/// The redirect to HTTPS, if the request needs one.
pub fn redirect(app: &App, peer: IpAddr, parts: &Parts) -> Option<Response<Body>> {
    let https = app.https.as_ref()?;
    let path = parts.uri.path();
    let is_exempt = path == HEALTH || Challenges::is_challenge(path) || !path.starts_with('/');
    if is_exempt || is_encrypted(app, peer, parts) || !(https.has_certificate)() {
        return None;
    }
    let path = parts.uri.path_and_query().map_or(path, |path| path.as_str());
    let location = format!("{}{path}", https.origin(&app.origin, parts));
    let response = response::redirect(StatusCode::PERMANENT_REDIRECT, &location, None);
    Some(app.complete(response, Cache::Revalidate))
}

/// Adds the headers that are valid only over TLS, or removes them.
pub fn complete(app: &App, peer: IpAddr, parts: &Parts, response: &mut Response<Body>) {
    if parts.extensions.get::<Encrypted>().is_some() {
        headers::add_for_encrypted(response.headers_mut());
    } else if app.https.is_some() && !is_encrypted(app, peer, parts) {
        headers::remove_for_plain(response.headers_mut());
    }
}

/// Whether the visitor's connection is encrypted, here or at a trusted proxy.
fn is_encrypted(app: &App, peer: IpAddr, parts: &Parts) -> bool {
    if parts.extensions.get::<Encrypted>().is_some() {
        return true;
    }
    // The last value is from the nearest proxy; earlier ones may be from the client.
    let forwarded = parts.headers.get_all("x-forwarded-proto").iter().next_back();
    let last = forwarded
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.rsplit(',').next());
    last.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
        && client_ip::is_trusted(peer, &app.trusted_proxies)
}

/// Requests an uncompressed response where another site could infer a page's content from its length (BREACH, CVE-2013-3587). In
/// such an attack, the site makes the visitor's browser request a page over and over, each time with a different guess in the
/// address. Current browsers name the kind of site that caused a request in `Sec-Fetch-Site`, and no page they get contains both a
/// secret and a part of its address. Older browsers do not send that header.
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
