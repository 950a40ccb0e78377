//! What instances share to have certificates: the account, certificates, the lease of whoever orders, and challenges under way.

use std::time::Duration;

use super::Operation;
use crate::store::map::{EngineError, Key, Kind, Span, View, Wanted, collect};
use crate::store::time::millis;
use crate::store::tx::Tx;
use crate::store::values::number;

/// Begins the names of challenges; the token ends them.
const CHALLENGE: &str = "challenge:";

/// A change of what is kept by a name.
pub enum AcmeChange {
    /// Keeps something in place of what was kept.
    Put(Vec<u8>),
    /// Forgets it.
    Remove,
    /// Takes a lease, or takes one's own anew; it ends by itself after a time.
    Lease([u8; 16], Duration),
    /// Gives the lease back.
    EndLease([u8; 16]),
    /// Has every instance answer the challenge whose token is the name, for some time.
    Publish(String, Duration),
}

/// A change that waits to be made.
pub struct ChangeAcme {
    /// The name.
    pub name: String,
    /// What becomes of it.
    pub change: AcmeChange,
}

impl ChangeAcme {
    fn key(&self) -> Key {
        match self.change {
            AcmeChange::Publish(..) => format!("{CHALLENGE}{}", self.name).into_bytes(),
            _ => self.name.clone().into_bytes(),
        }
    }
}

impl Operation for ChangeAcme {
    /// Whether it was made: of a lease, whether nobody else has it.
    type Reply = bool;

    fn wants(&self, wanted: &mut Wanted) {
        wanted.add(Kind::Acme, self.key());
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<bool, EngineError> {
        let key = self.key();
        let now = millis(tx.now);
        let after = |time: &Duration| now.saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let before = tx.get(Kind::Acme, &key)?;
        let before = before.as_deref().map(parts).transpose()?;
        match &self.change {
            AcmeChange::Put(content) => tx.put(Kind::Acme, key, value(now, content)),
            AcmeChange::Remove => tx.remove(Kind::Acme, key),
            AcmeChange::Lease(holder, time) => {
                if before.is_some_and(|(until, held)| until > now && held != holder) {
                    return Ok(false);
                }
                tx.put(Kind::Acme, key, value(after(time), holder));
            }
            AcmeChange::EndLease(holder) => {
                if before.is_some_and(|(_, held)| held == holder) {
                    tx.remove(Kind::Acme, key);
                }
            }
            AcmeChange::Publish(response, time) => {
                let until = value(after(time), response.as_bytes());
                let read = |key: &[u8], value: &[u8]| Ok((key.to_vec(), parts(value)?.0));
                let published: Vec<_> = collect(tx, challenges_of(), read)?;
                for (key, _) in published.into_iter().filter(|(_, until)| *until <= now) {
                    tx.remove(Kind::Acme, key);
                }
                tx.put(Kind::Acme, key, until);
            }
        }
        Ok(true)
    }
}

/// Reads what is kept by a name; `None` if nothing is.
pub fn kept(view: &(impl View + ?Sized), name: &str) -> Result<Option<Vec<u8>>, EngineError> {
    let value = view.get(Kind::Acme, name.as_bytes())?;
    value.map(|value| Ok(parts(&value)?.1.to_vec())).transpose()
}

/// Reads the challenges that are to be answered at a time, token and response.
pub fn challenges(view: &(impl View + ?Sized), now: u64) -> Result<Vec<(String, String)>, EngineError> {
    let published: Vec<_> = collect(view, challenges_of(), |key, value| {
        let (until, response) = parts(value)?;
        let token = key.get(CHALLENGE.len()..).unwrap_or_default();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok((until > now).then(|| (text(token), text(response))))
    })?;
    Ok(published.into_iter().flatten().collect())
}

fn challenges_of() -> Span {
    Span::prefix(Kind::Acme, CHALLENGE.as_bytes())
}

/// A time, when it ends or was changed, and what is kept.
fn value(time: u64, content: &[u8]) -> Vec<u8> {
    [time.to_be_bytes().as_slice(), content].concat()
}

fn parts(value: &[u8]) -> Result<(u64, &[u8]), EngineError> {
    let damaged = EngineError::Damaged("what is kept for certificates cannot be read");
    let (time, content) = value.split_at_checked(8).ok_or(damaged)?;
    Ok((number(time)?, content))
}
