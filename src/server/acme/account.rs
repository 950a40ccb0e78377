//! The account at the directory: made once, kept across restarts, and made again where the directory has forgotten it.

use std::io;

use instant_acme::{Account, AccountCredentials, Error, NewAccount};
use serde::{Deserialize, Serialize};

use super::cache::{ACCOUNT, AcmeCache};
use super::client::Client;
use super::failure::AcmeFailure;
use crate::config::AcmeSettings;

/// How a directory answers for an account that it does not know (RFC 8555, section 6.7).
const UNKNOWN_ACCOUNT: &str = "urn:ietf:params:acme:error:accountDoesNotExist";

/// The file.
#[derive(Serialize, Deserialize)]
struct Stored {
    contact: Option<String>,
    #[serde(flatten)]
    credentials: AccountCredentials,
}

/// Returns the account that is kept, or makes one.
pub async fn open(
    client: &Client,
    settings: &AcmeSettings,
    cache: &AcmeCache,
) -> Result<Account, AcmeFailure> {
    let contact = contact(settings);
    let kept = cache.read(ACCOUNT).await?.unwrap_or_default();
    let Ok(stored) = serde_json::from_slice::<Stored>(&kept) else {
        return create(client, settings, cache).await;
    };
    let builder = Account::builder_with_http(Box::new(client.clone()));
    let account = builder.from_credentials(stored.credentials).await?;
    if stored.contact != contact {
        account.update_contacts(&urls(contact.as_ref())).await?;
        let stored: Stored = serde_json::from_slice(&kept).map_err(io::Error::from)?;
        write(cache, Stored { contact, ..stored }).await?;
    }
    Ok(account)
}

/// Returns whether the directory has forgotten the account.
pub fn is_forgotten(failure: &AcmeFailure) -> bool {
    match failure {
        AcmeFailure::Directory(Error::Api(problem)) => problem.r#type.as_deref() == Some(UNKNOWN_ACCOUNT),
        _ => false,
    }
}

/// Makes an account, in the place of any that is kept.
pub async fn create(
    client: &Client,
    settings: &AcmeSettings,
    cache: &AcmeCache,
) -> Result<Account, AcmeFailure> {
    let contact = contact(settings);
    let new = NewAccount {
        contact: &urls(contact.as_ref()),
        terms_of_service_agreed: true,
        only_return_existing: false,
    };
    let builder = Account::builder_with_http(Box::new(client.clone()));
    let directory = settings.directory.clone();
    let (account, credentials) = builder.create(&new, directory, None).await?;
    write(cache, Stored { contact, credentials }).await?;
    tracing::info!(
        directory = &*settings.directory,
        "made an account for certificates"
    );
    Ok(account)
}

async fn write(cache: &AcmeCache, stored: Stored) -> Result<(), AcmeFailure> {
    let stored = serde_json::to_vec_pretty(&stored).map_err(io::Error::from)?;
    cache.write(ACCOUNT, stored).await
}

fn contact(settings: &AcmeSettings) -> Option<String> {
    settings
        .contact
        .as_ref()
        .map(|contact| format!("mailto:{contact}"))
}

fn urls(contact: Option<&String>) -> Vec<&str> {
    contact.into_iter().map(String::as_str).collect()
}
