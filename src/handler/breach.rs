//! No other site may learn from the length of a compressed page what stands in it (BREACH, CVE-2013-3587).
//!
//! Such an attack makes the visitor's browser ask for a page again and again, each time with another guess in it. Browsers
//! say in `Sec-Fetch-Site` who asks, and here no page of theirs holds both a secret and what a foreign address brings. Those
//! too old to say so get pages uncompressed when they come from elsewhere.

use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;
use hyper::http::uri::Authority;

use super::https::Encrypted;
use super::target;

/// Makes a request that might be part of such an attack ask for an uncompressed answer.
pub fn prevent(parts: &mut Parts) {
    if parts.extensions.get::<Encrypted>().is_some() && comes_from_elsewhere(parts) {
        parts.headers.remove(header::ACCEPT_ENCODING);
    }
}

fn comes_from_elsewhere(parts: &Parts) -> bool {
    let headers: &HeaderMap = &parts.headers;
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
