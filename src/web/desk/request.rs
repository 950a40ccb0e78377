//! What a request for the desk says: whom it is for, who has caused it, and the fields of its address or form.

use std::net::{IpAddr, Ipv6Addr};

use hyper::http::request::Parts;

use crate::base::text::origin::without_port;
use crate::web::{App, Encrypted, target};

/// Where `doctor` says what it found.
pub const HEALTH: [&str; 1] = ["zustand"];

/// Whether the request names an address, this machine, or the desk's own address. A page elsewhere can have a name of its own lead to this
/// machine (DNS rebinding); the browser then takes the desk for a part of that page. Over TLS the certificate proves the name.
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

/// Whether a GET comes from a page of the desk or from the operator, or follows a link to a page that only shows something. Browsers
/// send the cookie along to other ports of a host, so other sites can cause requests.
pub fn is_from_desk(parts: &Parts, path: &[&str]) -> bool {
    let says = |name, value| target::says(&parts.headers, name, value);
    let is_foreign = says("sec-fetch-site", "cross-site") || says("sec-fetch-site", "same-site");
    let is_link = says("sec-fetch-mode", "navigate") && says("sec-fetch-dest", "document");
    // `doctor` logs in at the mail server and calls the webhook.
    !is_foreign || (is_link && path != HEALTH)
}

/// Writes an address with a query, if there is one.
pub fn address<'a>(path: &str, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    match query.extend_pairs(pairs).finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
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
