//! No other site may learn from the length of a compressed page what stands in it (BREACH, CVE-2013-3587).
//!
//! Such an attack makes the visitor's browser request a page again and again, each time with another guess in its address.
//! Current browsers name the kind of site that caused a request in `Sec-Fetch-Site`, and no page that they get holds both a secret
//! and a part of its address. Older browsers do not send that header: they get pages uncompressed when another site led to them.

use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;
use hyper::http::uri::Authority;

use super::https::Encrypted;
use super::target;

/// Makes a request that might be part of such an attack ask for an uncompressed answer.
pub fn apply(parts: &mut Parts) {
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
