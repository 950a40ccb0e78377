//! `[notify]`: how the operator is notified.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::Uri;
use serde::Deserialize;

use super::endpoint::Endpoint;
use super::secret::{self, Secret};
use super::toml_file::{FileError, TomlDocument};
use super::values::MailAddress;
use crate::base::text::origin::ascii_advice;
use crate::domain::referral::DigestPeriod;

/// The valid lengths of a webhook key in bytes, according to Standard Webhooks.
const KEY_LENGTH: RangeInclusive<usize> = 24..=64;

/// Limit of the operator's mailboxes, since every inquiry has a delivery for each.
const MAX_MAILBOXES: usize = 50;

/// How the operator is notified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotifySettings {
    /// The recipients of mail; may be empty.
    pub mail: Vec<String>,
    /// The webhook to call.
    pub webhook: Option<Webhook>,
    /// Whether to send a mail for each acceptance.
    pub accepted: bool,
    /// How often to send a digest by mail; `None` for never.
    pub digest: Option<DigestPeriod>,
}

impl Default for NotifySettings {
    fn default() -> Self {
        Self {
            mail: Vec::new(),
            webhook: None,
            accepted: true,
            digest: None,
        }
    }
}

/// A webhook: its URL, and the key that signs the calls.
#[derive(Clone, PartialEq, Eq)]
pub struct Webhook {
    /// An `https://` URL, or `http://` to a loopback address.
    pub url: Uri,
    /// The decoded signing key.
    pub key: Secret<Vec<u8>>,
}

/// Omits the path, which is often a secret.
impl fmt::Debug for Webhook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Webhook")
            .field("host", &self.url.host())
            .finish_non_exhaustive()
    }
}

/// The `[notify]` table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct NotifyTable {
    pub(super) mail: Vec<MailAddress>,
    webhook: Option<WebhookUrl>,
    pub(super) webhook_secret_file: Option<PathBuf>,
    accepted: Option<bool>,
    digest: Option<Digest>,
}

/// How often to send a digest.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Digest {
    Daily,
    Weekly,
    Off,
}

#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
struct WebhookUrl(Uri);

impl fmt::Debug for WebhookUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("WebhookUrl").field(&self.0.host()).finish()
    }
}

impl NotifyTable {
    /// Reads the secret file that the table names.
    ///
    /// # Errors
    /// When the file cannot be used, there are too many mailboxes, or only one of URL and secret is given.
    pub(super) fn load(&self, document: &TomlDocument) -> Result<NotifySettings, FileError> {
        if self.mail.len() > MAX_MAILBOXES {
            let message =
                format!("`notify.mail` may name at most {MAX_MAILBOXES} addresses; use a mailing list");
            return Err(document.wrong("notify.mail", &message));
        }
        Ok(NotifySettings {
            mail: self.mail.iter().map(ToString::to_string).collect(),
            webhook: self.webhook(document)?,
            accepted: self.accepted.unwrap_or(true),
            digest: match self.digest {
                Some(Digest::Daily) => Some(DigestPeriod::Daily),
                Some(Digest::Weekly) => Some(DigestPeriod::Weekly),
                Some(Digest::Off) | None => None,
            },
        })
    }

    fn webhook(&self, document: &TomlDocument) -> Result<Option<Webhook>, FileError> {
        const KEY: &str = "notify.webhook_secret_file";
        match (&self.webhook, &self.webhook_secret_file) {
            (None, None) => Ok(None),
            (Some(_), None) => {
                let message = "`notify.webhook` needs `notify.webhook_secret_file`, which signs its calls";
                Err(document.wrong("notify.webhook", message))
            }
            (None, Some(_)) => {
                Err(document.wrong(KEY, "`notify.webhook_secret_file` needs `notify.webhook`"))
            }
            (Some(url), Some(path)) => {
                let text = secret::read(KEY, document, &document.resolve(path))?;
                let key = decode(text.expose()).ok_or_else(|| {
                    let message = "`notify.webhook_secret_file`: the file must hold `whsec_` and the base64 of 24 to 64 \
                                   bytes, as Standard Webhooks has it";
                    document.wrong(KEY, message)
                })?;
                let url = url.0.clone();
                Ok(Some(Webhook { url, key }))
            }
        }
    }
}

fn decode(text: &str) -> Option<Secret<Vec<u8>>> {
    let key = BASE64_STANDARD.decode(text.strip_prefix("whsec_")?).ok()?;
    KEY_LENGTH.contains(&key.len()).then(|| Secret::new(key))
}

impl TryFrom<String> for WebhookUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let endpoint = Endpoint::parse(&text).filter(|_| !text.contains('#'));
        let endpoint = endpoint.ok_or_else(|| {
            let advice = ascii_advice(&text);
            format!("must look like \"https://crm.example.de/hook\", without a user name{advice}")
        })?;
        match endpoint.scheme.as_str() {
            "https" => Ok(Self(endpoint.uri)),
            "http" if endpoint.is_loopback() => Ok(Self(endpoint.uri)),
            _ => Err("must begin with https://; http:// is for loopback addresses only".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webhooks_are_encrypted_or_stay_here() {
        for right in [
            "https://crm.example.de/hook?a=b",
            "https://192.0.2.1:8443",
            "http://127.0.0.1:9000/hook",
            "http://[::1]/hook",
        ] {
            assert!(WebhookUrl::try_from(right.to_owned()).is_ok(), "{right}");
        }
        for wrong in [
            "http://crm.example.de/hook",
            "http://192.0.2.1/",
            "http://localhost.example.de/",
            "ftp://crm.example.de/",
            "crm.example.de",
            "https://user:geheim@crm.example.de/",
            "https://crm.example.de/#x",
        ] {
            let error = WebhookUrl::try_from(wrong.to_owned()).unwrap_err();
            assert!(!error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn keys_have_24_to_64_bytes() {
        for (length, is_valid) in [(0, false), (23, false), (24, true), (64, true), (65, false)] {
            let text = format!("whsec_{}", BASE64_STANDARD.encode(vec![7; length]));
            let key = decode(&text).map(|key| key.expose().len());
            assert_eq!(key, is_valid.then_some(length));
        }
        let plain = BASE64_STANDARD.encode([7; 32]);
        for wrong in [plain.clone(), format!("whsec_{plain}!"), format!("WHSEC_{plain}")] {
            assert_eq!(decode(&wrong), None);
        }
    }

    #[test]
    fn what_is_shown_holds_no_secret() {
        let webhook = Webhook {
            url: "https://crm.example.de/geheim".parse().unwrap(),
            key: Secret::new(vec![1; 24]),
        };
        let shown = format!("{webhook:?}");
        assert!(
            shown.contains("crm.example.de") && !shown.contains("geheim") && !shown.contains('1'),
            "{shown}"
        );
    }
}
