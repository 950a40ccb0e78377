//! What becomes of requests without TLS where there is TLS, and what responses say only by TLS.

use std::net::IpAddr;

use hyper::http::request::Parts;
use hyper::{Response, StatusCode};

use super::app::App;
use super::health;
use crate::site::http::headers::{self, Cache};
use crate::site::http::response::{self, Body};
use crate::web::HttpChallenges;
use crate::web::limits::client_ip;

/// Stands among the extensions of a request that came by TLS.
#[derive(Debug, Clone, Copy)]
pub struct Encrypted;

/// Returns the redirect that answers a request, if one does.
pub fn redirect(app: &App, peer: IpAddr, parts: &Parts) -> Option<Response<Body>> {
    let https = app.https.as_ref()?;
    let path = parts.uri.path();
    let is_exempt = path == health::PATH || HttpChallenges::is_challenge(path) || !path.starts_with('/');
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
