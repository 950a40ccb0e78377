//! What instances share to have certificates: the account, certificates, the lease of whoever orders, and challenges under way.

use std::time::Duration;

use tokio::time::timeout;

use crate::store::map::{EngineError, EntryKind, Span, View, collect};
use crate::store::tx::Tx;
use crate::store::values::{millis, number};
use crate::store::{Store, Unavailable};

/// Begins the names of challenges; the token ends them.
const CHALLENGE: &str = "challenge:";

/// A change of what is kept by a name.
pub enum AcmeChange {
    /// Keeps something in place of what was kept.
    Put(Vec<u8>),
    /// Takes a lease, or takes one's own anew; it ends by itself after a time.
    Lease([u8; 16], Duration),
    /// Gives the lease back.
    EndLease([u8; 16]),
    /// Has every instance answer the challenge whose token is the name, for some time.
    Publish(String, Duration),
}

/// How long callers wait for what instances share.
const SHARED_DEADLINE: Duration = Duration::from_secs(2);

impl Store {
    /// Returns what instances share by a name; `None` if that is nothing.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn shared(&self, name: String) -> Result<Option<Vec<u8>>, Unavailable> {
        soon(self.read(move |view| kept(view, &name))).await
    }

    /// Changes what instances share by a name; returns whether that was made: of a lease, whether nobody else has it.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn change_shared(&self, name: String, change: AcmeChange) -> Result<bool, Unavailable> {
        soon(self.write(move |tx| tx.change_acme(&name, &change))).await
    }

    /// Returns the challenges that every instance is to answer now, token and response.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn challenges(&self) -> Result<Vec<(String, String)>, Unavailable> {
        let now = millis(self.now());
        soon(self.read(move |view| challenges(view, now))).await
    }
}

/// Waits only a little, for callers that can go on without an answer.
async fn soon<T>(call: impl Future<Output = Result<T, Unavailable>>) -> Result<T, Unavailable> {
    timeout(SHARED_DEADLINE, call).await.unwrap_or(Err(Unavailable))
}

impl Tx<'_> {
    /// Changes what is kept by a name; returns whether that was made: of a lease, whether nobody else has it.
    ///
    /// # Errors
    /// When what is kept cannot be read.
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

/// Reads what is kept by a name; `None` if nothing is.
pub fn kept(view: &dyn View, name: &str) -> Result<Option<Vec<u8>>, EngineError> {
    Ok(noted(view, name)?.map(|(_, content)| content))
}

/// As [`kept`], with the time.
fn noted(view: &dyn View, name: &str) -> Result<Option<(u64, Vec<u8>)>, EngineError> {
    let value = view.get(EntryKind::Acme, name.as_bytes())?;
    value.as_deref().map(parts).transpose()
}

/// Reads the challenges that are to be answered at a time, token and response.
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

/// A time, when it ends or was changed, and what is kept.
fn value(time: u64, content: &[u8]) -> Vec<u8> {
    [time.to_be_bytes().as_slice(), content].concat()
}

fn parts(value: &[u8]) -> Result<(u64, Vec<u8>), EngineError> {
    let damaged = EngineError::Damaged("what is kept for certificates cannot be read");
    let (time, content) = value.split_at_checked(8).ok_or(damaged)?;
    Ok((number(time)?, content.to_vec()))
}
