//! Login codes and sessions of the operator's desk, and its address. Each code and session is a fact: its name is a keyed digest,
//! its value the time when it expires. A digest cannot be used to log in, so reading the store does not open the desk.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};

use crate::domain::referral::Message;
use crate::store::map::{EngineError, EntryKind, View};
use crate::store::tx::Tx;
use crate::store::values::ids::{self, Id};
use crate::store::values::millis;
use crate::store::{Store, Unavailable, reads};

/// Prefix of the facts about login codes; followed by the digest.
const CODE: &str = "desk_code:";

/// Prefix of the facts about sessions; followed by the digest.
pub const SESSION: &str = "desk_session:";

/// Prefix of the facts about login links that were mailed; followed by a number. Their value is when they no longer count.
const LINK: &str = "desk_link:";

/// Prefix of the fact about the desk opened last; followed by its address.
const PLACE: &str = "desk_at:";

/// Lifetime of a login code: enough to carry it from the terminal to a browser, by hand if need be.
pub const CODE_TIME: SignedDuration = SignedDuration::from_mins(10);

/// Login links that are mailed within [`LINK_PERIOD`], to all clients of all instances together: anyone who can reach the desk
/// can request them, and they must not fill the operator's mailbox.
const LINKS: usize = 3;

const LINK_PERIOD: SignedDuration = SignedDuration::from_hours(1);

/// Lifetime of a session: a working day.
pub const SESSION_TIME: SignedDuration = SignedDuration::from_hours(12);

/// Lifetime of a session on a device that stays logged in.
pub const LONG_SESSION_TIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The fact that holds the end of a login code or a session.
pub fn entry_name(prefix: &str, digest: Id) -> String {
    format!("{prefix}{:032x}", u128::from_be_bytes(digest))
}

/// Length of a login code, which is valid for minutes: 128 bits cannot be guessed.
const CODE_BYTES: usize = 16;

/// Length of a session's token.
const SESSION_BYTES: usize = 32;

/// Separates these digests from others made with the same secret.
const PURPOSE: &[u8] = b"desk";

impl Store {
    /// Records the address of the desk, or that there is none.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_desk(&self, address: Option<String>) -> Result<(), Unavailable> {
        self.write(move |tx| tx.note_desk(address.as_deref())).await
    }

    /// Returns a new login code, valid once and for ten minutes, and the address of the desk if a server has recorded it.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn offer_desk_code(&self) -> Result<(String, Option<String>), Unavailable> {
        let code = random::<CODE_BYTES>()?;
        let digest = self.desk_digest(&code).await?;
        let address = self.write(move |tx| tx.offer_desk_code(digest)).await?;
        Ok((code, address))
    }

    /// The address of the desk if a server has recorded it.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn desk_address(&self) -> Result<Option<String>, Unavailable> {
        self.read(|view| desk_address(view)).await
    }

    /// Has a login link mailed to each of the operator's mailboxes; returns whether it was, since the number in an hour is limited.
    ///
    /// # Errors
    /// While the store cannot be read or written.
    pub async fn mail_desk_link(&self) -> Result<bool, Unavailable> {
        let now = self.now();
        // Requests beyond the limit must not fill the writer's queue.
        let is_free = self
            .read(move |view| Ok(free_link(view, millis(now))?.is_some()))
            .await?;
        Ok(is_free && self.write(move |tx| tx.mail_desk_link(now)).await?)
    }

    /// Starts a session; returns its token, or `None` for an invalid code.
    ///
    /// # Errors
    /// While the store cannot be read or written.
    pub async fn begin_desk_session(
        &self,
        code: &str,
        lifetime: SignedDuration,
    ) -> Result<Option<String>, Unavailable> {
        let code = self.desk_digest(code).await?;
        // Wrong guesses must not fill the writer's queue.
        if !self.lasts(entry_name(CODE, code)).await? {
            return Ok(None);
        }
        let session = random::<SESSION_BYTES>()?;
        let digest = self.desk_digest(&session).await?;
        let begin = move |tx: &mut Tx<'_>| tx.begin_desk_session(code, digest, lifetime);
        let is_known = self.write(begin).await?;
        Ok(is_known.then_some(session))
    }

    /// Whether a session is valid.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn has_desk_session(&self, session: &str) -> Result<bool, Unavailable> {
        self.lasts(entry_name(SESSION, self.desk_digest(session).await?))
            .await
    }

    /// Whether a code or a session has not expired.
    async fn lasts(&self, name: String) -> Result<bool, Unavailable> {
        let end = self.fact(name).await?;
        Ok(end.is_some_and(|end| end > self.now()))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn end_desk_session(&self, session: &str) -> Result<(), Unavailable> {
        let ended = entry_name(SESSION, self.desk_digest(session).await?);
        self.write(move |tx| tx.forget_entries(|name, _| name == ended))
            .await
            .map(drop)
    }

    /// Ends all sessions and invalidates all codes; returns the number of sessions.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn end_desk_sessions(&self) -> Result<u64, Unavailable> {
        self.write(|tx| tx.forget_entries(|_, _| true)).await
    }

    async fn desk_digest(&self, text: &str) -> Result<[u8; 16], Unavailable> {
        Ok(self.known_secret().await?.digest(PURPOSE, text))
    }
}

fn desk_address(view: &dyn View) -> Result<Option<String>, EngineError> {
    let facts = reads::facts(view)?;
    let mut places = facts.keys().filter_map(|name| name.strip_prefix(PLACE));
    Ok(places.next().map(str::to_owned))
}

/// The fact that will hold the next login link; `None` if [`LINKS`] were mailed within [`LINK_PERIOD`].
fn free_link(view: &dyn View, now: u64) -> Result<Option<String>, EngineError> {
    for number in 0..LINKS {
        let name = format!("{LINK}{number}");
        if reads::fact(view, &name)?.is_none_or(|end| end <= now) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

fn random<const BYTES: usize>() -> Result<String, Unavailable> {
    let bytes = ids::random::<BYTES>().map_err(|error| {
        tracing::error!("{error}");
        Unavailable
    })?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

impl Tx<'_> {
    /// Records the address of the desk; `None` if there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn note_desk(&mut self, address: Option<&str>) -> Result<(), EngineError> {
        self.remove_all(EntryKind::Facts, PLACE.as_bytes())?;
        if let Some(address) = address {
            self.note(format!("{PLACE}{address}"), Some(millis(self.now)));
        }
        Ok(())
    }

    /// Stores the digest of a login code; returns the address of the desk, if a server has recorded it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn offer_desk_code(&mut self, code: Id) -> Result<Option<String>, EngineError> {
        self.forget_ended_entries()?;
        self.note(entry_name(CODE, code), Some(self.end_of(CODE_TIME)));
        desk_address(self)
    }

    /// Has a login link, requested at a time, mailed to each of the operator's mailboxes; returns whether it was.
    ///
    /// # Errors
    /// When the store cannot be read, or the system provides no random bits.
    pub fn mail_desk_link(&mut self, requested_at: Timestamp) -> Result<bool, EngineError> {
        let Some(name) = free_link(self, millis(requested_at))? else {
            return Ok(false);
        };
        self.note(name, Some(self.end_of(LINK_PERIOD)));
        self.add_notice(Message::OperatorLogin, requested_at)?;
        Ok(true)
    }

    /// Starts a session if the code is valid, and uses up the code; returns whether it was valid.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn begin_desk_session(
        &mut self,
        code: Id,
        session: Id,
        lifetime: SignedDuration,
    ) -> Result<bool, EngineError> {
        self.forget_ended_entries()?;
        let is_known = reads::fact(self, &entry_name(CODE, code))?.is_some();
        if is_known {
            self.note(entry_name(CODE, code), None);
            self.note(entry_name(SESSION, session), Some(self.end_of(lifetime)));
        }
        Ok(is_known)
    }

    /// Removes codes and sessions that pass `is_meant`; returns the number of sessions.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn forget_entries(&mut self, is_meant: impl Fn(&str, u64) -> bool) -> Result<u64, EngineError> {
        let is_entry = |name: &str| name.starts_with(CODE) || name.starts_with(SESSION);
        let mut facts = reads::facts(self)?;
        facts.retain(|name, end| is_entry(name) && is_meant(name, *end));
        for name in facts.keys() {
            self.note(name.as_str(), None);
        }
        Ok(facts.keys().filter(|name| name.starts_with(SESSION)).count() as u64)
    }

    /// Removes expired codes and sessions, so that no more are kept than are created within a month.
    fn forget_ended_entries(&mut self) -> Result<(), EngineError> {
        let now = millis(self.now);
        self.forget_entries(|_, end| end <= now).map(drop)
    }

    /// When something that starts now ends.
    fn end_of(&self, time: SignedDuration) -> u64 {
        millis(self.now.saturating_add(time).unwrap_or(Timestamp::MAX))
    }
}
