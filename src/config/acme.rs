//! `--acme` and what belongs to it: certificates that the server orders itself.

use std::fs;
use std::net::IpAddr;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use http::Uri;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use super::values::{MailAddress, is_host_name};
use crate::cli::ServeArgs;

/// The longest name (RFC 1035).
const LONGEST_DOMAIN: usize = 253;

/// How the server orders its certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcmeSettings {
    /// The names that the certificate is for; at least one, none twice.
    pub domains: Vec<Domain>,
    /// Where the directory writes to when something is wrong.
    pub contact: Option<Contact>,
    /// The address of the directory.
    pub directory: DirectoryUrl,
    /// Holds the only roots that the directory's own certificate may lead to; absent: the system's.
    pub roots_file: Option<PathBuf>,
}

/// Why a value of these flags is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AcmeValueError(&'static str);

/// A host name that a certificate can be ordered for, in ASCII and lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Domain(String);

impl FromStr for Domain {
    type Err = AcmeValueError;

    fn from_str(text: &str) -> Result<Self, AcmeValueError> {
        let text = text.trim();
        if text.starts_with("*.") {
            let reason =
                "a wildcard would need access to your name server; name each domain, such as www.example.de";
            return Err(AcmeValueError(reason));
        }
        if text.parse::<IpAddr>().is_ok() {
            return Err(AcmeValueError(
                "give a domain and not an address, such as www.example.de",
            ));
        }
        let wrong = AcmeValueError("give a domain without https:// and port, such as www.example.de");
        match idna::domain_to_ascii(text) {
            Ok(name) if is_host_name(&name) && name.len() <= LONGEST_DOMAIN => Ok(Self(name)),
            _ => Err(wrong),
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
pub struct Contact(MailAddress);

impl FromStr for Contact {
    type Err = AcmeValueError;

    fn from_str(text: &str) -> Result<Self, AcmeValueError> {
        let address = MailAddress::try_from(text.to_owned());
        address
            .map(Self)
            .map_err(|_| AcmeValueError("give a mail address, such as technik@example.de"))
    }
}

impl Contact {
    /// Returns it as a URL.
    pub fn url(&self) -> String {
        format!("mailto:{}", &*self.0)
    }
}

/// The address of a directory: where an authority says what it offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryUrl(String);

impl FromStr for DirectoryUrl {
    type Err = AcmeValueError;

    fn from_str(text: &str) -> Result<Self, AcmeValueError> {
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
            _ => Err(AcmeValueError(wrong)),
        }
    }
}

impl Deref for DirectoryUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Why `--acme-ca` cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {path}: {reason}; give the directory's root in PEM with --acme-ca", path = path.display())]
pub struct AcmeRootsError {
    path: PathBuf,
    reason: String,
}

impl AcmeSettings {
    /// Takes the flags together; `None` without `--acme`.
    pub fn from_args(args: &ServeArgs) -> Option<Self> {
        let mut domains: Vec<Domain> = Vec::new();
        for domain in &args.acme {
            if !domains.contains(domain) {
                domains.push(domain.clone());
            }
        }
        (!domains.is_empty()).then(|| Self {
            domains,
            contact: args.acme_contact.clone(),
            directory: args.acme_directory.clone(),
            roots_file: args.acme_ca.clone(),
        })
    }

    /// Reads the roots of the directory; `None`: the system's.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn roots(&self) -> Result<Option<Vec<CertificateDer<'static>>>, AcmeRootsError> {
        self.roots_file.as_deref().map(read_roots).transpose()
    }
}

fn read_roots(path: &Path) -> Result<Vec<CertificateDer<'static>>, AcmeRootsError> {
    let unusable = |reason: String| AcmeRootsError {
        path: path.to_owned(),
        reason,
    };
    let text = fs::read(path).map_err(|error| unusable(error.to_string()))?;
    let roots: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    match roots {
        Ok(roots) if !roots.is_empty() => Ok(roots),
        _ => Err(unusable("it holds no certificate in PEM".to_owned())),
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
