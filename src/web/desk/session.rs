//! Access to the desk: which hosts and sites requests may come from, login with a code from `taubenabwehr desk`, and logout. The
//! session cookie contains nothing but the session's token.

use std::net::{IpAddr, Ipv6Addr};

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Response, StatusCode};
use serde_json::json;

use super::Work;
use super::answer::{FIRST, known};
use crate::base::metrics::Refusal;
use crate::base::text::origin::without_port;
use crate::site::http::response::Body;
use crate::site::private_path::DESK_LOGIN;
use crate::site::templates::DeskPage;
use crate::store::{DESK_LONG_SESSION_TIME, DESK_SESSION_TIME};
use crate::web::api_error::ApiError;
use crate::web::posted::Fields;
use crate::web::{App, Encrypted, RequestContext, target};

/// The page with the findings of `doctor`.
pub const HEALTH: [&str; 1] = ["zustand"];

/// The path that ends a session.
pub const LOGOUT: [&str; 1] = ["abmelden"];

/// The path that has a login link mailed, and then says so.
pub const MAILED_LINK: [&str; 1] = ["anmeldelink"];

/// Name of the session cookie. With the prefix that is used over TLS, browsers keep it for this host and path alone.
const NAME: &str = "taubenabwehr-desk";
const SECURE_NAME: &str = "__Host-taubenabwehr-desk";

/// Maximum number of cookies of this name that are tried. A browser sends at most one per level of the path.
const MOST: usize = 16;

/// Whether the request's host is an IP address, localhost or the desk's own name. With DNS rebinding, a foreign page can point
/// its own host name at this machine, and the browser would then treat the desk as part of that page. Over TLS the certificate
/// proves the name.
pub fn is_for_desk(app: &App, parts: &Parts) -> bool {
    if parts.extensions.get::<Encrypted>().is_some() {
        return true;
    }
    let Some(host) = target::host(parts) else {
        return false;
    };
    let host = without_port(host);
    host.eq_ignore_ascii_case("localhost") || is_address(host) || host.eq_ignore_ascii_case(app.origin.host())
}

fn is_address(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(host) => host.parse::<Ipv6Addr>().is_ok(),
        None => host.parse::<IpAddr>().is_ok(),
    }
}

/// Whether a GET comes from the desk or the operator, or follows a link to a page without side effects. Cookies are sent to all
/// ports of a host, so other sites on it can cause requests.
pub fn is_from_desk(parts: &Parts, path: &[&str]) -> bool {
    let says = |name, value| target::says(&parts.headers, name, value);
    let is_foreign = says("sec-fetch-site", "cross-site") || says("sec-fetch-site", "same-site");
    let is_link = says("sec-fetch-mode", "navigate") && says("sec-fetch-dest", "document");
    // `doctor` logs in at the mail server and calls the webhook.
    !is_foreign || (is_link && path != HEALTH)
}

/// Asks for a click, so that link scanners do not use up the code.
pub fn ask(work: &Work, code: &str) -> Response<Body> {
    // The template escapes the code, whatever was sent.
    let data = json!({ "action": format!("{DESK_LOGIN}{code}") });
    work.page(DeskPage::Login, &data)
}

/// Has a login link mailed to the operator, or says that it was. The response is always the same, so it reveals nothing.
///
/// # Errors
/// When no mail is sent to the operator.
pub async fn mail_link(work: &Work, is_requested: bool) -> Result<Response<Body>, ApiError> {
    if !work.can_mail_link() {
        return Err(ApiError::not_found());
    }
    if !is_requested {
        let data = json!({ "kind": "link_mailed", "reason": "", "back": FIRST, "can_mail": false });
        return Ok(work.page(DeskPage::Message, &data));
    }
    match work.store().mail_desk_link().await {
        Ok(true) => tracing::info!("a login link is mailed, as requested at the desk"),
        Ok(false) => {}
        Err(_) => tracing::error!("no login link can be mailed: the store does not answer"),
    }
    Ok(work.see(&format!("/{}", MAILED_LINK.concat()), []))
}

/// Starts a session: a long one on a device that should stay logged in.
pub async fn begin(
    work: &Work,
    request: &RequestContext<'_>,
    code: &str,
    sent: &Fields,
) -> Result<Response<Body>, ApiError> {
    let (app, parts) = (request.app, request.parts);
    let lifetime = match sent.value("stay") {
        Some(_) => DESK_LONG_SESSION_TIME,
        None => DESK_SESSION_TIME,
    };
    let Some(session) = work.store().begin_desk_session(code, lifetime).await? else {
        tracing::warn!("a wrong code was tried at the desk");
        app.count_guess(request.client)?;
        return Err(known(StatusCode::NOT_FOUND, "wrong_code"));
    };
    tracing::info!("somebody has logged in at the desk");
    let cookie = cookie(&session, lifetime.as_secs(), is_secure(app, parts));
    let mut response = work.see(FIRST, []);
    response.headers_mut().extend(cookie);
    Ok(response)
}

/// The error of a request without a session. Browsers withhold the cookie when a link on another site leads here, such as one in
/// the operator's webmail; the page then reloads itself, which sends the cookie.
pub fn missing(parts: &Parts) -> ApiError {
    let error = known(StatusCode::FORBIDDEN, "logged_out").refusal(Refusal::LoggedOut);
    let is_link = parts.method == Method::GET && target::says(&parts.headers, "sec-fetch-site", "cross-site");
    let address = parts.uri.path_and_query().map_or("/", PathAndQuery::as_str);
    // Browsers interpret some characters in ways that would lead elsewhere.
    let is_plain = address
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"/-?=&".contains(&byte));
    match HeaderValue::try_from(format!("0;url={address}")) {
        Ok(again) if is_link && is_plain => error.header(header::REFRESH, again),
        _ => error,
    }
}

/// Ends a session.
pub async fn end(work: &Work, session: &str) -> Result<Response<Body>, ApiError> {
    work.store().end_desk_session(session).await?;
    tracing::info!("somebody has logged out at the desk");
    // Clear both names, since the session may have started with or without TLS.
    let ended = [true, false].map(|is_secure| cookie("", 0, is_secure));
    let mut response = work.see(FIRST, []);
    response.headers_mut().extend(ended.into_iter().flatten());
    Ok(response)
}

/// Candidate session tokens of a request. Without TLS, a program on another port of this host can set a cookie of this name for a
/// longer path, which browsers send first.
pub fn of<'a>(app: &App, parts: &'a Parts) -> impl Iterator<Item = &'a str> {
    // Over TLS, ignore the plain name: anyone on the network could have set it.
    let expected = name(is_secure(app, parts));
    let cookies = parts.headers.get_all(header::COOKIE).iter();
    cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .filter(move |(name, _)| *name == expected)
        .map(|(_, value)| value)
        .take(MOST)
}

/// Whether the browser's connection is encrypted, here or at the proxy that has the desk's address.
fn is_secure(app: &App, parts: &Parts) -> bool {
    app.origin.is_https() || parts.extensions.get::<Encrypted>().is_some()
}

fn name(is_secure: bool) -> &'static str {
    if is_secure { SECURE_NAME } else { NAME }
}

/// The header that sets the session cookie. Session tokens are ASCII, so it is never `None`.
fn cookie(value: &str, max_age: i64, is_secure: bool) -> Option<(HeaderName, HeaderValue)> {
    let (name, secure) = (name(is_secure), if is_secure { "; Secure" } else { "" });
    let cookie = format!("{name}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Strict{secure}");
    Some((header::SET_COOKIE, HeaderValue::try_from(cookie).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_names() {
        for address in [
            "127.0.0.1:8090",
            "127.0.0.1",
            "[::1]:8090",
            "[::1]",
            "192.0.2.1:1",
        ] {
            assert!(is_address(without_port(address)), "{address}");
        }
        for name in [
            "evil.example:8090",
            "127.0.0.1.evil.example",
            "[evil]",
            "",
            "0x7f.1",
        ] {
            assert!(!is_address(without_port(name)), "{name}");
        }
    }
}
