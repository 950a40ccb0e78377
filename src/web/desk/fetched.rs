//! Which GETs may be caused by other sites. Browsers send the cookie along to other ports of a host, and some pages do more than show
//! what is there.

use hyper::http::request::Parts;

use super::pages;

/// Returns whether a request may be answered: a page of the desk or the operator's own hand has caused it, or it follows a link to a page
/// that only shows something.
pub fn is_allowed(parts: &Parts, path: &[&str]) -> bool {
    let says = |name: &str, value: &str| {
        let header = parts.headers.get(name);
        header.is_some_and(|header| header.as_bytes().eq_ignore_ascii_case(value.as_bytes()))
    };
    let is_foreign = says("sec-fetch-site", "cross-site") || says("sec-fetch-site", "same-site");
    let is_link = says("sec-fetch-mode", "navigate") && says("sec-fetch-dest", "document");
    // `doctor` logs in at the mail server and calls the webhook.
    !is_foreign || (is_link && path != pages::HEALTH)
}
