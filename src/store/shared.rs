//! What instances share beside inquiries: the account and certificates of ACME, the lease of whoever orders, and challenges under way.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;

use super::Store;
use super::error::Unavailable;
use super::map::{EngineError, Kind, Span, Value, View, collect};
use super::time::millis;
use super::tx::Tx;
use super::values::number;

/// How long a call may take. Its callers can go on without an answer.
const TIME: Duration = Duration::from_secs(2);

/// Begins the names of challenges; the token ends them.
const CHALLENGE: &str = "challenge:";

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
        let kept = move |view: &dyn View| Ok(kept(view, &name)?.map(|(_, content)| content));
        in_time(self.0.read(kept)).await
    }

    /// Keeps something by a name, in the place of what was kept.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn write(&self, name: &str, content: &[u8]) -> Result<(), Unavailable> {
        self.set(name, Some(content.to_vec())).await
    }

    /// Forgets what is kept by a name.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn remove(&self, name: &str) -> Result<(), Unavailable> {
        self.set(name, None).await
    }

    async fn set(&self, name: &str, content: Option<Vec<u8>>) -> Result<(), Unavailable> {
        let name = name.to_owned();
        self.change(move |tx| {
            match &content {
                Some(content) => tx.put(Kind::Acme, name.as_str(), timed(tx.now, content)),
                None => tx.remove(Kind::Acme, name.as_str()),
            }
            Ok(())
        })
        .await
    }

    /// Takes a lease of a name, or takes its own one anew; returns whether nobody else has it. It ends by itself after a time.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn lease(&self, name: &str, holder: &[u8; 16], time: Duration) -> Result<bool, Unavailable> {
        let (name, holder) = (name.to_owned(), *holder);
        self.change(move |tx| {
            let is_free =
                kept(tx, &name)?.is_none_or(|(until, held)| until <= millis(tx.now) || held == holder);
            if is_free {
                tx.put(Kind::Acme, name.as_str(), timed(after(tx.now, time), &holder));
            }
            Ok(is_free)
        })
        .await
    }

    /// Gives a lease back.
    ///
    /// # Errors
    /// While the database does not answer; the lease then ends by itself.
    pub async fn end_lease(&self, name: &str, holder: &[u8; 16]) -> Result<(), Unavailable> {
        let (name, holder) = (name.to_owned(), *holder);
        self.change(move |tx| {
            if kept(tx, &name)?.is_some_and(|(_, held)| held == holder) {
                tx.remove(Kind::Acme, name.as_str());
            }
            Ok(())
        })
        .await
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
        let (name, response) = (format!("{CHALLENGE}{token}"), response.to_owned());
        self.change(move |tx| {
            let now = millis(tx.now);
            let published = published(tx)?;
            for (token, ..) in published.iter().filter(|(_, until, _)| *until <= now) {
                tx.remove(Kind::Acme, format!("{CHALLENGE}{token}"));
            }
            let until = after(tx.now, time);
            tx.put(Kind::Acme, name.as_str(), timed(until, response.as_bytes()));
            Ok(())
        })
        .await
    }

    /// Returns the challenges that are to be answered now, token and response.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn challenges(&self) -> Result<Vec<(String, String)>, Unavailable> {
        let now = millis(self.0.now());
        let published = in_time(self.0.read(|view| published(view))).await?.into_iter();
        let current = published.filter(|(_, until, _)| *until > now);
        Ok(current.map(|(token, _, response)| (token, response)).collect())
    }

    async fn change<T: Send + 'static>(
        &self,
        change: impl FnMut(&mut Tx<'_>) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Unavailable> {
        in_time(self.0.write(change)).await
    }
}

/// Returns what is kept by a name, and the time that it was noted with.
fn kept(view: &(impl View + ?Sized), name: &str) -> Result<Option<(u64, Vec<u8>)>, EngineError> {
    let value = view.get(Kind::Acme, name.as_bytes())?;
    value.as_deref().map(parts).transpose()
}

/// Returns all challenges: token, end and response.
fn published(view: &(impl View + ?Sized)) -> Result<Vec<(String, u64, String)>, EngineError> {
    collect(
        view,
        Span::prefix(Kind::Acme, CHALLENGE.as_bytes()),
        |key, value| {
            let (until, response) = parts(value)?;
            let token = key.get(CHALLENGE.len()..).unwrap_or_default();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Ok((text(token), until, text(&response)))
        },
    )
}

/// What is kept: the time at which it ends or was changed, and the content.
fn timed(time: Timestamp, content: &[u8]) -> Value {
    [millis(time).to_be_bytes().as_slice(), content].concat()
}

fn parts(value: &[u8]) -> Result<(u64, Vec<u8>), EngineError> {
    let damaged = EngineError::Damaged("what is kept for certificates cannot be read");
    let (time, content) = value.split_at_checked(8).ok_or(damaged)?;
    Ok((number(time)?, content.to_vec()))
}

fn after(now: Timestamp, time: Duration) -> Timestamp {
    now.saturating_add(time).unwrap_or(Timestamp::MAX)
}

async fn in_time<T>(call: impl Future<Output = Result<T, Unavailable>>) -> Result<T, Unavailable> {
    timeout(TIME, call).await.unwrap_or(Err(Unavailable))
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}
