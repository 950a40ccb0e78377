//! Where a webhook is.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use hyper::Uri;

use crate::sending::unbracketed;

/// The address of a webhook: `https://`, or `http://` to this machine.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookUrl {
    uri: Uri,
    host: String,
    is_https: bool,
}

/// Why an address cannot be a webhook's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongUrl {
    /// Not an address of the web.
    #[error("must be an https:// address, such as \"https://crm.example.de/hook\"")]
    Malformed,
    /// In the clear over the network.
    #[error("must begin with https://; http:// is only for an address of this machine, such as 127.0.0.1")]
    InTheClear,
    /// With a user name.
    #[error("must hold no user name or password; calls are signed")]
    UserName,
}

impl WebhookUrl {
    /// Returns the host, without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.uri
            .port_u16()
            .unwrap_or(if self.is_https { 443 } else { 80 })
    }

    /// Returns whether calls go through TLS.
    pub fn is_https(&self) -> bool {
        self.is_https
    }

    /// Returns what stands in the header `Host`.
    pub(super) fn authority(&self) -> &str {
        self.uri.authority().map_or("", |authority| authority.as_str())
    }

    /// Returns path and query.
    pub(super) fn target(&self) -> &str {
        self.uri.path_and_query().map_or("/", |target| target.as_str())
    }
}

impl FromStr for WebhookUrl {
    type Err = WrongUrl;

    fn from_str(text: &str) -> Result<Self, WrongUrl> {
        let uri: Uri = text.trim().parse().map_err(|_| WrongUrl::Malformed)?;
        let is_https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(WrongUrl::Malformed),
        };
        let host = unbracketed(uri.host().unwrap_or_default()).to_owned();
        let port_is_given = uri
            .authority()
            .is_some_and(|all| all.as_str().len() > all.host().len());
        if host.is_empty() {
            return Err(WrongUrl::Malformed);
        }
        if uri.authority().is_some_and(|all| all.as_str().contains('@')) {
            return Err(WrongUrl::UserName);
        }
        if port_is_given && uri.port_u16().is_none_or(|port| port == 0) {
            return Err(WrongUrl::Malformed);
        }
        if !is_https && !is_this_machine(&host) {
            return Err(WrongUrl::InTheClear);
        }
        Ok(Self { uri, host, is_https })
    }
}

impl fmt::Debug for WebhookUrl {
    /// Leaves path and query out: receivers put keys there.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "WebhookUrl({}:{})", self.host, self.port())
    }
}

fn is_this_machine(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_called_in_the_clear() {
        for (text, expected) in [
            ("https://crm.example.de/hook?key=1", Ok(("crm.example.de", 443))),
            ("https://crm.example.de:8443", Ok(("crm.example.de", 8443))),
            ("http://127.0.0.1:9000/", Ok(("127.0.0.1", 9000))),
            ("http://localhost/", Ok(("localhost", 80))),
            ("http://[::1]:9000/", Ok(("::1", 9000))),
            ("http://crm.example.de/hook", Err(WrongUrl::InTheClear)),
            ("http://192.168.0.1/hook", Err(WrongUrl::InTheClear)),
            ("http://localhost.example.de/", Err(WrongUrl::InTheClear)),
            ("https://user:word@crm.example.de/", Err(WrongUrl::UserName)),
            ("http://127.0.0.1@crm.example.de/", Err(WrongUrl::UserName)),
            ("https://crm.example.de:0/", Err(WrongUrl::Malformed)),
            ("https://crm.example.de:99999/", Err(WrongUrl::Malformed)),
            ("ftp://crm.example.de/", Err(WrongUrl::Malformed)),
            ("crm.example.de/hook", Err(WrongUrl::Malformed)),
            ("/hook", Err(WrongUrl::Malformed)),
            ("https:///hook", Err(WrongUrl::Malformed)),
            ("", Err(WrongUrl::Malformed)),
        ] {
            let parsed = text.parse::<WebhookUrl>();
            let seen = parsed.as_ref().map(|url| (url.host(), url.port()));
            assert_eq!(seen.map_err(|error| *error), expected, "{text}");
        }
    }
}
