//! What instances share beside inquiries: certificates, and challenges under way.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::Store;
use super::error::Unavailable;
use super::operations::{AcmeChange, ChangeAcme, challenges, kept};
use super::time::millis;

/// How long a call may take. Its callers can go on without an answer.
const TIME: Duration = Duration::from_secs(2);

/// The store of several instances. Clones use the same one.
#[derive(Clone)]
pub struct Shared(Arc<Store>);

impl Shared {
    pub(super) fn new(store: Arc<Store>) -> Self {
        Self(store)
    }

    /// Reads what is kept by a name; `None` if nothing is.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Unavailable> {
        let name = name.to_owned();
        in_time(self.0.read(move |view| kept(view, &name))).await
    }

    /// Keeps something by a name, in the place of what was kept.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn write(&self, name: &str, content: &[u8]) -> Result<(), Unavailable> {
        self.change(name, AcmeChange::Put(content.to_vec()))
            .await
            .map(drop)
    }

    /// Forgets what is kept by a name.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn remove(&self, name: &str) -> Result<(), Unavailable> {
        self.change(name, AcmeChange::Remove).await.map(drop)
    }

    /// Takes a lease of a name, or takes its own one anew; returns whether nobody else has it. It ends by itself after a time.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn lease(&self, name: &str, holder: &[u8; 16], time: Duration) -> Result<bool, Unavailable> {
        self.change(name, AcmeChange::Lease(*holder, time)).await
    }

    /// Gives a lease back.
    ///
    /// # Errors
    /// While the database does not answer; the lease then ends by itself.
    pub async fn end_lease(&self, name: &str, holder: &[u8; 16]) -> Result<(), Unavailable> {
        self.change(name, AcmeChange::EndLease(*holder)).await.map(drop)
    }

    /// Has every instance answer a challenge for some time.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn publish_challenge(
        &self,
        token: &str,
        response: &str,
        time: Duration,
    ) -> Result<(), Unavailable> {
        self.change(token, AcmeChange::Publish(response.to_owned(), time))
            .await
            .map(drop)
    }

    /// Returns the challenges that are to be answered now, token and response.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn challenges(&self) -> Result<Vec<(String, String)>, Unavailable> {
        let now = millis(self.0.now());
        in_time(self.0.read(move |view| challenges(view, now))).await
    }

    async fn change(&self, name: &str, change: AcmeChange) -> Result<bool, Unavailable> {
        let name = name.to_owned();
        in_time(self.0.write(ChangeAcme { name, change })).await
    }
}

async fn in_time<T>(call: impl Future<Output = Result<T, Unavailable>>) -> Result<T, Unavailable> {
    timeout(TIME, call).await.unwrap_or(Err(Unavailable))
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}
