//! For which names the desk answers. A page elsewhere can have a name of its own lead to this machine (DNS rebinding); the browser
//! then takes the desk for a part of that page.

use std::net::{IpAddr, Ipv6Addr};

use hyper::http::request::Parts;

use crate::base::text::origin::without_port;
use crate::web::{App, Encrypted, target};

/// Returns whether the request names an address, this machine, or the desk's own address. By TLS the certificate stands for the name.
pub fn is_allowed(app: &App, parts: &Parts) -> bool {
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
