//! The account at the directory: made once, kept over restarts, and made anew where the directory has forgotten it.

use std::io;

use instant_acme::{Account, AccountCredentials, Error, NewAccount};
use serde::{Deserialize, Serialize};

use super::client::Client;
use super::failure::Failure;
use super::files::ACCOUNT;
use super::kept::Kept;
use crate::acme_flags::Contact;
use crate::config::AcmeSettings;

/// What a directory answers that does not know an account (RFC 8555, section 6.7).
const UNKNOWN_ACCOUNT: &str = "urn:ietf:params:acme:error:accountDoesNotExist";

/// The file.
#[derive(Serialize, Deserialize)]
struct Stored {
    contact: Option<String>,
    #[serde(flatten)]
    credentials: AccountCredentials,
}

/// Returns the account that is kept, or makes one.
pub async fn open(client: &Client, settings: &AcmeSettings, kept: &Kept) -> Result<Account, Failure> {
    let contact = settings.contact.as_ref().map(Contact::url);
    let stored = kept.read(ACCOUNT).await?;
    let Some(stored) = stored.and_then(|bytes| serde_json::from_slice::<Stored>(&bytes).ok()) else {
        return create(client, settings, kept, contact).await;
    };
    let former = stored.contact;
    let builder = Account::builder_with_http(Box::new(client.clone()));
    let account = builder.from_credentials(stored.credentials).await?;
    if former != contact {
        account.update_contacts(&urls(contact.as_ref())).await?;
        rewrite_contact(kept, contact).await?;
    }
    Ok(account)
}

/// Returns whether the directory has forgotten the account.
pub fn is_forgotten(failure: &Failure) -> bool {
    match failure {
        Failure::Directory(Error::Api(problem)) => problem.r#type.as_deref() == Some(UNKNOWN_ACCOUNT),
        _ => false,
    }
}

async fn create(
    client: &Client,
    settings: &AcmeSettings,
    kept: &Kept,
    contact: Option<String>,
) -> Result<Account, Failure> {
    let new = NewAccount {
        contact: &urls(contact.as_ref()),
        terms_of_service_agreed: true,
        only_return_existing: false,
    };
    let builder = Account::builder_with_http(Box::new(client.clone()));
    let directory = settings.directory.to_string();
    let (account, credentials) = builder.create(&new, directory, None).await?;
    write(kept, Stored { contact, credentials }).await?;
    tracing::info!(
        directory = &*settings.directory,
        "made an account for certificates"
    );
    Ok(account)
}

async fn rewrite_contact(kept: &Kept, contact: Option<String>) -> Result<(), Failure> {
    let bytes = kept.read(ACCOUNT).await?;
    match bytes.and_then(|bytes| serde_json::from_slice::<Stored>(&bytes).ok()) {
        Some(stored) => write(kept, Stored { contact, ..stored }).await,
        None => Ok(()),
    }
}

async fn write(kept: &Kept, stored: Stored) -> Result<(), Failure> {
    let stored = serde_json::to_vec_pretty(&stored).map_err(io::Error::from)?;
    kept.write(ACCOUNT, stored).await
}

fn urls(contact: Option<&String>) -> Vec<&str> {
    contact.into_iter().map(String::as_str).collect()
}
