//! The values of the flags about ACME, each checked where it is parsed.

use std::fmt;
use std::net::IpAddr;
use std::ops::Deref;
use std::str::FromStr;

use http::Uri;

/// Why a value of one of these flags is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AcmeFlagError(&'static str);

/// A host name that a certificate can be ordered for, in ASCII and lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Domain(String);

impl FromStr for Domain {
    type Err = AcmeFlagError;

    fn from_str(text: &str) -> Result<Self, AcmeFlagError> {
        let text = text.trim();
        if text.starts_with("*.") {
            let reason =
                "a wildcard would need access to your name server; name each domain, such as www.example.de";
            return Err(AcmeFlagError(reason));
        }
        if text.parse::<IpAddr>().is_ok() {
            return Err(AcmeFlagError(
                "give a domain and not an address, such as www.example.de",
            ));
        }
        let wrong = AcmeFlagError("give a domain without https:// and port, such as www.example.de");
        match idna::domain_to_ascii_strict(text) {
            Ok(name) => Ok(Self(name)),
            Err(_) => Err(wrong),
        }
    }
}

impl Deref for Domain {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A mail address for the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact(String);

impl FromStr for Contact {
    type Err = AcmeFlagError;

    fn from_str(text: &str) -> Result<Self, AcmeFlagError> {
        let text = text.trim();
        let wrong = AcmeFlagError("give a mail address, such as technik@example.de");
        // Other characters are special in a URL.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "!#$&'*+-/=_~.".contains(c);
        match text.split_once('@') {
            Some((name, domain))
                if !name.is_empty()
                    && name.chars().all(is_plain)
                    && domain.contains('.')
                    && domain.parse::<Domain>().is_ok_and(|ascii| &*ascii == domain) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(wrong),
        }
    }
}

impl Contact {
    /// Returns it as a URL.
    pub fn url(&self) -> String {
        format!("mailto:{}", self.0)
    }
}

/// The address of an ACME directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryUrl(String);

impl Default for DirectoryUrl {
    /// Let's Encrypt.
    fn default() -> Self {
        Self("https://acme-v02.api.letsencrypt.org/directory".to_owned())
    }
}

impl fmt::Display for DirectoryUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for DirectoryUrl {
    type Err = AcmeFlagError;

    fn from_str(text: &str) -> Result<Self, AcmeFlagError> {
        let text = text.trim();
        let wrong = "give the https:// address of an ACME directory, such as \
                     https://acme-staging-v02.api.letsencrypt.org/directory";
        let is_directory = |uri: &Uri| {
            let host = uri
                .authority()
                .filter(|authority| !authority.as_str().contains('@'));
            uri.scheme_str() == Some("https") && host.is_some_and(|host| !host.host().is_empty())
        };
        match text.parse::<Uri>() {
            Ok(uri) if is_directory(&uri) => Ok(Self(text.to_owned())),
            _ => Err(AcmeFlagError(wrong)),
        }
    }
}

impl Deref for DirectoryUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_names_in_ascii() {
        for (text, expected) in [
            ("www.example.de", "www.example.de"),
            (" WWW.Example.DE ", "www.example.de"),
            ("taubenabwehr-köln.de", "xn--taubenabwehr-kln-zwb.de"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(&*text.parse::<Domain>().unwrap(), expected);
        }
        for wrong in [
            "",
            "*.example.de",
            "192.0.2.1",
            "2001:db8::1",
            "https://example.de",
            "example.de:443",
            "example.de/",
            "exa mple.de",
            "-example.de",
            "a..de",
            "a@example.de",
        ] {
            let error = wrong.parse::<Domain>().unwrap_err().to_string();
            assert!(error.contains("www.example.de"), "{wrong}: {error}");
        }
        let long = format!("{}.de", "a.".repeat(126));
        assert!(long.parse::<Domain>().is_err());
    }

    #[test]
    fn directories_are_reached_by_https() {
        for right in [
            "https://a.example/dir",
            "https://[::1]:14000/dir",
            "https://a.example",
        ] {
            assert_eq!(&*right.parse::<DirectoryUrl>().unwrap(), right);
        }
        for wrong in [
            "",
            "a.example",
            "http://a.example/dir",
            "https://",
            "https://u@a.example/",
            "/dir",
        ] {
            assert!(wrong.parse::<DirectoryUrl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_contact_is_a_mail_address() {
        let contact: Contact = "technik@example.de".parse().unwrap();
        assert_eq!(contact.url(), "mailto:technik@example.de");
        for wrong in [
            "",
            "technik",
            "mailto:a@example.de?x",
            "a@example.de,b@example.de",
        ] {
            assert!(wrong.parse::<Contact>().is_err(), "{wrong}");
        }
    }
}
