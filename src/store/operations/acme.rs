//! State for certificates: the ACME account, the certificate and failed orders; where instances share a store, also the lease of the
//! one that orders, and pending challenges.

use std::time::Duration;

use tokio::time::timeout;

use crate::store::map::{EngineError, EntryKind, Span, View, collect};
use crate::store::tx::Tx;
use crate::store::values::{millis, number};
use crate::store::{Store, Unavailable};

/// Prefix of the names of challenges; followed by the token.
const CHALLENGE: &str = "challenge:";

/// A change of a shared entry.
pub enum AcmeChange {
    /// Stores a value, replacing the former one.
    Put(Vec<u8>),
    /// Takes a lease, or renews one's own; it expires by itself.
    Lease([u8; 16], Duration),
    /// Releases the lease.
    EndLease([u8; 16]),
    /// Makes every instance answer the challenge named by its token, for some time.
    Publish(String, Duration),
}

/// How long callers wait for shared state.
const SHARED_DEADLINE: Duration = Duration::from_secs(2);

impl Store {
    /// Reads a shared entry; `None` if there is none.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn shared(&self, name: String) -> Result<Option<Vec<u8>>, Unavailable> {
        let read = move |view: &dyn View| Ok(noted(view, &name)?.map(|(_, content)| content));
        soon(self.read(read)).await
    }

    /// Changes a shared entry; returns `false` if another instance holds the lease.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn change_shared(&self, name: String, change: AcmeChange) -> Result<bool, Unavailable> {
        soon(self.write(move |tx| tx.change_acme(&name, &change))).await
    }

    /// The token and response of each challenge to be answered now.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn challenges(&self) -> Result<Vec<(String, String)>, Unavailable> {
        let now = millis(self.now());
        soon(self.read(move |view| challenges(view, now))).await
    }
}

/// Waits only briefly, for callers that can continue without an answer.
async fn soon<T>(call: impl Future<Output = Result<T, Unavailable>>) -> Result<T, Unavailable> {
    timeout(SHARED_DEADLINE, call).await.unwrap_or(Err(Unavailable))
}

impl Tx<'_> {
    /// Changes a shared entry; returns `false` if another instance holds the lease.
    ///
    /// # Errors
    /// When the entry cannot be read.
    pub fn change_acme(&mut self, name: &str, change: &AcmeChange) -> Result<bool, EngineError> {
        let now = millis(self.now);
        let after = |time: &Duration| now.saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        match change {
            AcmeChange::Put(content) => self.put(EntryKind::Acme, name, value(now, content)),
            AcmeChange::Lease(holder, time) => {
                if noted(self, name)?.is_some_and(|(until, held)| until > now && held != holder) {
                    return Ok(false);
                }
                self.put(EntryKind::Acme, name, value(after(time), holder));
            }
            AcmeChange::EndLease(holder) => {
                if noted(self, name)?.is_some_and(|(_, held)| held == holder) {
                    self.remove(EntryKind::Acme, name);
                }
            }
            AcmeChange::Publish(response, time) => {
                let read = |key: &[u8], value: &[u8]| Ok((key.to_vec(), parts(value)?.0));
                let published: Vec<_> = collect(self, challenges_of(), read)?;
                for (key, _) in published.into_iter().filter(|(_, until)| *until <= now) {
                    self.remove(EntryKind::Acme, key);
                }
                let key = format!("{CHALLENGE}{name}");
                self.put(EntryKind::Acme, key, value(after(time), response.as_bytes()));
            }
        }
        Ok(true)
    }
}

/// Reads a shared entry with its time; `None` if there is none.
fn noted(view: &dyn View, name: &str) -> Result<Option<(u64, Vec<u8>)>, EngineError> {
    let value = view.get(EntryKind::Acme, name.as_bytes())?;
    value.as_deref().map(parts).transpose()
}

/// Reads the token and response of each challenge to be answered now.
pub fn challenges(view: &dyn View, now: u64) -> Result<Vec<(String, String)>, EngineError> {
    let published: Vec<_> = collect(view, challenges_of(), |key, value| {
        let (until, response) = parts(value)?;
        let token = key.get(CHALLENGE.len()..).unwrap_or_default();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok((until > now).then(|| (text(token), text(&response))))
    })?;
    Ok(published.into_iter().flatten().collect())
}

fn challenges_of() -> Span {
    Span::prefix(EntryKind::Acme, CHALLENGE.as_bytes())
}

/// Encodes an entry: when it expires or was changed, and its content.
fn value(time: u64, content: &[u8]) -> Vec<u8> {
    [time.to_be_bytes().as_slice(), content].concat()
}

fn parts(value: &[u8]) -> Result<(u64, Vec<u8>), EngineError> {
    let damaged = EngineError::Damaged("what is kept for certificates cannot be read");
    let (time, content) = value.split_at_checked(8).ok_or(damaged)?;
    Ok((number(time)?, content.to_vec()))
}
