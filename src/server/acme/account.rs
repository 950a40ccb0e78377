//! The ACME account: created once, kept across restarts, and recreated if the CA has forgotten it.

use std::io;

use instant_acme::{Account, AccountCredentials, Error, NewAccount};
use serde::{Deserialize, Serialize};

use super::cache::{ACCOUNT, AcmeCache};
use super::client::Client;
use super::failure::AcmeFailure;
use crate::config::AcmeSettings;

/// The error type of a CA for an account that it does not know (RFC 8555, section 6.7).
const UNKNOWN_ACCOUNT: &str = "urn:ietf:params:acme:error:accountDoesNotExist";

/// Contents of the account file.
#[derive(Serialize, Deserialize)]
struct Stored {
    contact: Option<String>,
    #[serde(flatten)]
    credentials: AccountCredentials,
}

/// Loads the stored account, or creates one.
pub async fn open(
    client: &Client,
    settings: &AcmeSettings,
    cache: &AcmeCache,
) -> Result<Account, AcmeFailure> {
    let contact = settings.contact.as_ref();
    let contact = contact.map(|contact| format!("mailto:{contact}"));
    let contacts: Vec<&str> = contact.as_deref().into_iter().collect();
    let builder = Account::builder_with_http(Box::new(client.clone()));
    let kept = cache.read(ACCOUNT).await?.unwrap_or_default();
    let parse = || serde_json::from_slice::<Stored>(&kept).map_err(io::Error::from);
    let (account, credentials) = if let Ok(stored) = parse() {
        let account = builder.from_credentials(stored.credentials).await?;
        if stored.contact == contact {
            return Ok(account);
        }
        account.update_contacts(&contacts).await?;
        (account, parse()?.credentials)
    } else {
        let new = NewAccount {
            contact: &contacts,
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let directory = &*settings.directory;
        let made = builder.create(&new, directory.to_owned(), None).await?;
        tracing::info!(directory, "made an account for certificates");
        made
    };
    let stored = serde_json::to_vec_pretty(&Stored { contact, credentials }).map_err(io::Error::from)?;
    cache.write(ACCOUNT, stored).await?;
    Ok(account)
}

/// Whether the CA no longer knows the account.
pub fn is_forgotten(failure: &AcmeFailure) -> bool {
    match failure {
        AcmeFailure::Directory(Error::Api(problem)) => problem.r#type.as_deref() == Some(UNKNOWN_ACCOUNT),
        _ => false,
    }
}
