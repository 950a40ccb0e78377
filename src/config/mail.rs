//! `[mail]`: how mail is sent.

use std::env;
use std::path::{Path, PathBuf};

use rustls_pki_types::CertificateDer;
use serde::Deserialize;

use super::endpoint::Endpoint;
use super::secret::{self, Secret};
use super::toml_file::{FileError, TomlDocument};
use super::values::{Line, MailAddress};
use crate::base::files::regular_file;
use crate::base::text::mail_address::Address;
use crate::base::text::origin::ascii_advice;

/// The environment variable for the password.
const PASSWORD_VARIABLE: &str = "TAUBENABWEHR_MAIL_PASSWORD";

/// The name of the password among the service manager's credentials.
const PASSWORD_CREDENTIAL: &str = "mail-password";

/// How mail is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailSettings {
    /// The mail server.
    pub server: MailServer,
    /// The credentials; `None` sends without authentication.
    pub login: Option<Login>,
    /// The only root certificates to trust for the server; `None` trusts the system's.
    pub roots: Option<Vec<CertificateDer<'static>>>,
    /// The sender of all mail.
    pub from: Sender,
}

/// Credentials for the mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// The user name.
    pub username: String,
    /// The password.
    pub password: Secret<String>,
}

/// A mail server for submission.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct MailServer {
    /// A host name or an IP address; IPv6 without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
}

impl MailServer {
    /// A warning if the port does not fit the encryption.
    pub fn doubt(&self) -> Option<String> {
        let port = self.port;
        match (self.encryption, port) {
            (Encryption::StartTls | Encryption::StartTlsIfOffered, 465) => Some(format!(
                "`mail.server` names port {port}, where servers speak TLS at once; write smtps://"
            )),
            (Encryption::Tls, 25 | 587) => Some(format!(
                "`mail.server` names port {port}, where servers begin without TLS; write smtp://, which goes over to TLS by STARTTLS"
            )),
            _ => None,
        }
    }
}

/// How a connection to a mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// `smtps://`: implicit TLS.
    Tls,
    /// `smtp://`: STARTTLS is required.
    StartTls,
    /// `smtp://` to a loopback address: STARTTLS if the server offers it.
    StartTlsIfOffered,
}

/// The sender: `Name <address>`, or only the address.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Sender {
    /// The display name.
    pub name: Option<String>,
    /// The address.
    pub address: Address,
}

/// The `[mail]` table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MailTable {
    server: MailServer,
    username: Option<Line>,
    pub(super) password_file: Option<PathBuf>,
    ca_file: Option<PathBuf>,
    from: Sender,
}

impl MailTable {
    /// Reads the files that the table names.
    ///
    /// # Errors
    /// When a file cannot be used, or either user name or password is missing.
    pub(super) fn load(&self, document: &TomlDocument) -> Result<MailSettings, FileError> {
        Ok(MailSettings {
            server: self.server.clone(),
            login: self.login(document)?,
            roots: self.roots(document)?,
            from: self.from.clone(),
        })
    }

    fn login(&self, document: &TomlDocument) -> Result<Option<Login>, FileError> {
        const KEY: &str = "mail.password_file";
        let read = |path: &PathBuf| secret::read(KEY, document, &document.resolve(path));
        let in_file = self.password_file.as_ref().map(read).transpose()?;
        let Some(username) = &self.username else {
            return match in_file {
                Some(_) => Err(document.wrong(KEY, "`mail.password_file` needs `mail.username`")),
                None => Ok(None),
            };
        };
        let variable = env::var(PASSWORD_VARIABLE)
            .ok()
            .filter(|password| !password.is_empty());
        let credential = || {
            let directory = env::var_os("CREDENTIALS_DIRECTORY")?;
            secret::read_line(&Path::new(&directory).join(PASSWORD_CREDENTIAL)).ok()
        };
        let given = variable.map(Secret::new).or(in_file).or_else(credential);
        let Some(password) = given else {
            let message = format!(
                "`mail.username` needs a password: set `mail.password_file`, {PASSWORD_VARIABLE} or the service \
                 manager's credential `{PASSWORD_CREDENTIAL}`"
            );
            return Err(document.wrong("mail.username", &message));
        };
        Ok(Some(Login {
            username: username.to_string(),
            password,
        }))
    }

    fn roots(&self, document: &TomlDocument) -> Result<Option<Vec<CertificateDer<'static>>>, FileError> {
        let Some(path) = &self.ca_file else {
            return Ok(None);
        };
        let path = document.resolve(path);
        let read = regular_file::read_authorities(&path).map_err(|error| {
            let message = format!("`mail.ca_file`: cannot use {}: {error}", path.display());
            document.wrong("mail.ca_file", &message)
        });
        read.map(Some)
    }
}

impl TryFrom<String> for MailServer {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || {
            format!(
                "must look like \"smtp://mail.example.de:587\" or \"smtps://mail.example.de:465\"; the user's name and \
                 password have keys of their own{}",
                ascii_advice(&text)
            )
        };
        let endpoint = Endpoint::parse(&text).ok_or_else(wrong)?;
        // The default ports are those of RFC 8314 for mail submission.
        let (encryption, default_port) = match endpoint.scheme.as_str() {
            "smtps" => (Encryption::Tls, 465),
            "smtp" if endpoint.is_loopback() => (Encryption::StartTlsIfOffered, 587),
            "smtp" => (Encryption::StartTls, 587),
            _ => return Err(wrong()),
        };
        if !matches!(endpoint.uri.path(), "" | "/") || endpoint.uri.query().is_some() || text.contains('#') {
            return Err(wrong());
        }
        Ok(Self {
            port: endpoint.port.unwrap_or(default_port),
            host: endpoint.host,
            encryption,
        })
    }
}

impl TryFrom<String> for Sender {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || {
            let advice = ascii_advice(&text);
            format!("must look like \"Taubenabwehr Hamburg <anfrage@example.de>\"{advice}")
        };
        let text = text.trim();
        if text.chars().any(char::is_control) {
            return Err(wrong());
        }
        let (name, address) = match text.split_once('<') {
            Some((name, address)) => (name.trim(), address.strip_suffix('>').ok_or_else(wrong)?),
            None => ("", text),
        };
        // Unquote a name in quotation marks.
        let name = name
            .strip_prefix('"')
            .and_then(|name| name.strip_suffix('"'))
            .unwrap_or(name);
        if name.contains(['"', '\\', '<', '>']) {
            return Err(wrong());
        }
        let address = MailAddress::try_from(address.to_owned()).map_err(|_| wrong())?;
        Ok(Self {
            name: Some(name.trim())
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            address: Address::parse(&address).map_err(|_| wrong())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_say_how_they_are_protected() {
        use Encryption::{StartTls, StartTlsIfOffered, Tls};
        for (text, host, port, encryption) in [
            ("smtp://mail.example.de", "mail.example.de", 587, StartTls),
            ("smtp://mail.example.de:25/", "mail.example.de", 25, StartTls),
            ("smtps://mail.example.de", "mail.example.de", 465, Tls),
            ("smtps://[::1]", "::1", 465, Tls),
            ("smtp://127.0.0.1:2525", "127.0.0.1", 2525, StartTlsIfOffered),
            ("smtp://localhost", "localhost", 587, StartTlsIfOffered),
        ] {
            let server = MailServer::try_from(text.to_owned()).unwrap();
            assert_eq!(
                (&*server.host, server.port, server.encryption),
                (host, port, encryption)
            );
        }
        for wrong in [
            "mail.example.de",
            "http://mail.example.de",
            "smtp://user:geheim@mail.example.de",
            "smtp://mail.example.de/path",
            "smtp://mail.example.de/?tls=no",
            "smtp://mail.example.de#x",
        ] {
            let error = MailServer::try_from(wrong.to_owned()).unwrap_err();
            assert!(!error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn senders_have_an_address_and_may_have_a_name() {
        for (text, name, address) in [
            ("a@example.de", None, "a@example.de"),
            ("<a@example.de>", None, "a@example.de"),
            (
                "Müller & Söhne <a@example.de>",
                Some("Müller & Söhne"),
                "a@example.de",
            ),
            (
                "\"Müller, Bau\" <a@example.de>",
                Some("Müller, Bau"),
                "a@example.de",
            ),
        ] {
            let sender = Sender::try_from(text.to_owned()).unwrap();
            assert_eq!(
                (sender.name.as_deref(), &*sender.address.to_string()),
                (name, address)
            );
        }
        for wrong in [
            "",
            "a",
            "A <a>",
            "A <a@example.de",
            "A a@example.de",
            "A <a@example.de> b",
            "A <<a@example.de>",
            "A\r\nBcc: b@example.de <a@example.de>",
            "a@exämple.de",
            "a@example.de, b@example.de",
        ] {
            assert!(Sender::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
