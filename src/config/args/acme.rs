//! The flags for ordering a certificate by ACME.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use rustls_pki_types::CertificateDer;

use crate::base::files::regular_file;
use crate::base::text::mail_address::Address;
use crate::config::endpoint::Endpoint;

/// The directory URL of Let's Encrypt.
const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

/// How the server orders its certificate.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct AcmeSettings {
    /// Domain to get a certificate for by ACME; may be given more than once. Accepts the directory's terms
    #[arg(
        id = "acme",
        long = "acme",
        value_name = "DOMAIN",
        value_delimiter = ',',
        value_parser = parse_domain
    )]
    pub domains: Vec<String>,

    /// Mail address that the directory may write to
    #[arg(id = "acme_contact", long = "acme-contact", value_name = "MAIL", value_parser = parse_contact)]
    pub contact: Option<Address>,

    /// Address of the ACME directory [default: Let's Encrypt]
    #[arg(
        id = "acme_directory",
        long = "acme-directory",
        value_name = "URL",
        value_parser = parse_directory,
        default_value = LETS_ENCRYPT,
        hide_default_value = true
    )]
    pub directory: String,

    /// Root certificates in PEM of a directory that has its own [default: the system's]
    #[arg(id = "acme_ca", long = "acme-ca", value_name = "FILE")]
    pub roots_file: Option<PathBuf>,
}

impl AcmeSettings {
    /// Reads the root certificates for the directory; `None` means the system's.
    ///
    /// # Errors
    /// When the file cannot be read, or contains no certificate.
    pub fn roots(&self) -> Result<Option<Vec<CertificateDer<'static>>>, String> {
        let read = |path: &PathBuf| {
            regular_file::read_authorities(path).map_err(|error| {
                let path = path.display();
                format!("cannot use {path}: {error}; give the directory's root in PEM with --acme-ca")
            })
        };
        self.roots_file.as_ref().map(read).transpose()
    }
}

/// Parses a host name that a certificate can be ordered for, into ASCII and lower case.
fn parse_domain(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    if text.starts_with("*.") {
        return Err(
            "a wildcard would need access to your name server; name each domain, such as www.example.de",
        );
    }
    if text.parse::<IpAddr>().is_ok() {
        return Err("give a domain and not an address, such as www.example.de");
    }
    idna::domain_to_ascii_strict(text)
        .map_err(|_| "give a domain without https:// and port, such as www.example.de")
}

/// Parses the contact address, which the directory gets as a `mailto:` URL.
fn parse_contact(text: &str) -> Result<Address, &'static str> {
    // Any other character would need escaping in the URL.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "!#$&'*+-/=_~.@".contains(c);
    let is_reachable = |address: &Address| {
        let address = address.to_string();
        address.chars().all(is_plain)
            && address
                .rsplit_once('@')
                .is_some_and(|(_, host)| host.contains('.'))
    };
    let address = Address::parse(text).ok().filter(is_reachable);
    address.ok_or("give a mail address, such as technik@example.de")
}

/// Parses the URL of an ACME directory.
fn parse_directory(text: &str) -> Result<String, &'static str> {
    match Endpoint::parse(text) {
        Some(endpoint) if endpoint.scheme == "https" => Ok(text.trim().to_owned()),
        _ => Err("give the https:// address of an ACME directory, such as \
                  https://acme-staging-v02.api.letsencrypt.org/directory"),
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
            assert_eq!(parse_domain(text).unwrap(), expected);
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
            let error = parse_domain(wrong).unwrap_err();
            assert!(error.contains("www.example.de"), "{wrong}: {error}");
        }
        let long = format!("{}.de", "a.".repeat(126));
        assert!(parse_domain(&long).is_err());
    }

    #[test]
    fn directories_are_reached_by_https() {
        for right in [
            "https://a.example/dir",
            "https://[::1]:14000/dir",
            "https://a.example",
        ] {
            assert_eq!(parse_directory(right).unwrap(), right);
        }
        for wrong in [
            "",
            "a.example",
            "http://a.example/dir",
            "https://",
            "https://u@a.example/",
            "/dir",
        ] {
            assert!(parse_directory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_contact_is_a_mail_address() {
        assert_eq!(
            parse_contact("technik@example.de").unwrap().to_string(),
            "technik@example.de"
        );
        for wrong in [
            "",
            "technik",
            "mailto:a@example.de?x",
            "a@example.de,b@example.de",
        ] {
            assert!(parse_contact(wrong).is_err(), "{wrong}");
        }
    }
}
