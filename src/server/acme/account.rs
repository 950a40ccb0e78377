//! The ACME account: created once, kept across restarts, and recreated if the CA has forgotten it.

use instant_acme::{Account, Error, NewAccount};

use super::cache::{ACCOUNT, AcmeCache, CONTACT};
use super::client::Client;
use super::failure::AcmeFailure;
use crate::config::AcmeSettings;

/// The error type of a CA for an account that it does not know (RFC 8555, section 6.7).
const UNKNOWN_ACCOUNT: &str = "urn:ietf:params:acme:error:accountDoesNotExist";

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
    let account = if let Ok(credentials) = serde_json::from_slice(&cache.read(ACCOUNT).await?) {
        let account = builder.from_credentials(credentials).await?;
        if cache.read(CONTACT).await? == contacts.concat().as_bytes() {
            return Ok(account);
        }
        account.update_contacts(&contacts).await?;
        account
    } else {
        let new = NewAccount {
            contact: &contacts,
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let directory = &*settings.directory;
        let (account, credentials) = builder.create(&new, directory.to_owned(), None).await?;
        tracing::info!(directory, "made an account for certificates");
        // If this fails, the next order creates another account.
        let credentials = serde_json::to_vec(&credentials).unwrap_or_default();
        cache.write(ACCOUNT, credentials).await?;
        account
    };
    cache.write(CONTACT, contacts.concat().into_bytes()).await?;
    Ok(account)
}

/// Whether the CA no longer knows the account, or its key is damaged.
pub fn is_lost(failure: &AcmeFailure) -> bool {
    match failure {
        AcmeFailure::Directory(Error::Api(problem)) => problem.r#type.as_deref() == Some(UNKNOWN_ACCOUNT),
        AcmeFailure::Directory(Error::Crypto | Error::KeyRejected) => true,
        _ => false,
    }
}
