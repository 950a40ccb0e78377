//! ACME state that survives restarts, in the store. With a store that instances share, one instance places orders at a time; all of
//! them answer challenges and serve the certificate.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use uuid::Uuid;

use crate::store::{AcmeChange, Store, Unavailable};
use crate::web::Challenges;

/// The account and its key.
pub const ACCOUNT: &str = "account.json";
/// The mail address that the CA has for the account.
pub const CONTACT: &str = "contact";
/// The certificate's key, the certificate and its chain, in PEM.
pub const CERTIFICATE: &str = "certificate.pem";
/// The record of failed attempts.
pub const FAILURES: &str = "failures.json";

/// The name of the lease that an instance holds while it places an order.
const LEASE: &str = "lease";

/// Covers one whole attempt. If an instance is killed, the others cannot order for this long.
const LEASE_TIME: Duration = Duration::from_mins(12);

/// How often an instance looks for published challenges.
const POLL: Duration = Duration::from_secs(1);

/// The pause between publishing challenges and asking the CA to check them: enough for every instance to have read them, unless the
/// store is slow.
const SPREAD: Duration = Duration::from_secs(3);

/// How long instances answer a challenge: slightly longer than the CA is polled for the result.
const PUBLISHED: Duration = Duration::from_mins(3);

/// The stored state for one CA.
#[derive(Debug)]
pub struct AcmeCache {
    store: Arc<Store>,
    /// The URL of the CA's directory, which begins the name of each entry.
    directory: String,
    /// Identifies this instance.
    holder: [u8; 16],
}

impl AcmeCache {
    /// The state for the CA with this directory.
    pub fn new(store: Arc<Store>, directory: &str) -> Self {
        Self {
            store,
            directory: directory.to_owned(),
            holder: Uuid::now_v7().into_bytes(),
        }
    }

    /// Reads an entry; empty if it does not exist.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn read(&self, name: &str) -> Result<Vec<u8>, Unavailable> {
        let read = self.store.shared(self.name(name)).await?;
        Ok(read.unwrap_or_default())
    }

    /// Replaces an entry.
    ///
    /// # Errors
    /// If the store does not answer; the previous contents are unchanged.
    pub async fn write(&self, name: &str, bytes: Vec<u8>) -> Result<(), Unavailable> {
        let put = AcmeChange::Put(bytes);
        self.store.change_shared(self.name(name), put).await.map(drop)
    }

    /// Acquires the right to order; `false` while another instance holds it.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn begin(&self) -> Result<bool, Unavailable> {
        if !self.store.is_shared() {
            return Ok(true);
        }
        let lease = AcmeChange::Lease(self.holder, LEASE_TIME);
        self.store.change_shared(self.name(LEASE), lease).await
    }

    /// Publishes the responses on every instance that the CA may ask.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn answer(
        &self,
        challenges: &Challenges,
        responses: Vec<(String, String)>,
    ) -> Result<(), Unavailable> {
        if !self.store.is_shared() {
            challenges.set(responses);
            return Ok(());
        }
        for (challenge, response) in responses {
            let publish = AcmeChange::Publish(response, PUBLISHED);
            self.store.change_shared(challenge, publish).await?;
        }
        sleep(SPREAD).await;
        Ok(())
    }

    /// Ends what [`Self::begin`] began, so that other instances may order.
    pub async fn end(&self, challenges: &Challenges) {
        if self.store.is_shared() {
            let end = AcmeChange::EndLease(self.holder);
            // Otherwise the lease expires by itself.
            let _ = self.store.change_shared(self.name(LEASE), end).await;
        } else {
            challenges.set([]);
        }
    }

    /// Picks up the responses that instances publish. Never returns.
    pub async fn follow(&self, challenges: &Challenges) {
        if !self.store.is_shared() {
            return pending().await;
        }
        loop {
            sleep(POLL).await;
            if let Ok(published) = self.store.challenges().await {
                challenges.set(published);
            }
        }
    }

    fn name(&self, name: &str) -> String {
        format!("{}/{name}", self.directory)
    }
}
