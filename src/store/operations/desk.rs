//! Who may enter the operator's desk, and where it is. Each code and session is a fact about the store: its name is a keyed digest, its
//! value the time at which it ends. A digest opens nothing, so a reader of the store cannot enter.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};

use crate::store::map::{EngineError, EntryKind};
use crate::store::tx::Tx;
use crate::store::values::ids::Id;
use crate::store::values::millis;
use crate::store::{Store, Unavailable, reads};

/// Begins the names of facts about codes; the digest ends them.
const CODE: &str = "desk_code:";

/// Begins the names of facts about sessions; the digest ends them, too.
const SESSION: &str = "desk_session:";

/// Begins the name of the fact about the desk that was opened last; its address ends it.
const PLACE: &str = "desk_at:";

/// How long a code works: time enough to carry it from the terminal to a browser, by hand if need be.
const CODE_TIME: SignedDuration = SignedDuration::from_mins(10);

/// How long a session lasts: a working day.
pub const SESSION_TIME: SignedDuration = SignedDuration::from_hours(12);

/// Returns the name of the fact that says until when a session lasts.
pub fn session_name(digest: Id) -> String {
    name(SESSION, digest)
}

/// Returns the name of the fact that says until when a code works.
fn code_name(digest: Id) -> String {
    name(CODE, digest)
}

fn name(prefix: &str, digest: Id) -> String {
    format!("{prefix}{:032x}", u128::from_be_bytes(digest))
}

/// Bytes of a code, which works for minutes: 128 bits cannot be guessed.
const CODE_BYTES: usize = 16;

/// Bytes of what a session is known by.
const SESSION_BYTES: usize = 32;

/// What digests are for.
const PURPOSE: &[u8] = b"desk";

impl Store {
    /// Notes where the desk is that was opened last, or that there is none any more.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_desk(&self, address: Option<String>) -> Result<(), Unavailable> {
        self.write(move |tx| tx.note_desk(address.as_deref())).await
    }

    /// Returns a new code that lets in whoever has it, once and within ten minutes, and where the desk is, if a server has noted it.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn offer_desk_code(&self) -> Result<(String, Option<String>), Unavailable> {
        let code = random::<CODE_BYTES>()?;
        let digest = self.desk_digest(&code).await?;
        let address = self.write(move |tx| tx.offer_desk_code(digest)).await?;
        Ok((code, address))
    }

    /// Begins a session; returns what it is known by, or `None` if the code does not work.
    ///
    /// # Errors
    /// While the store cannot be read or written.
    pub async fn begin_desk_session(&self, code: &str) -> Result<Option<String>, Unavailable> {
        let code = self.desk_digest(code).await?;
        // Whoever guesses must not fill the queue of those who write.
        if !self.lasts(code_name(code)).await? {
            return Ok(None);
        }
        let session = random::<SESSION_BYTES>()?;
        let digest = self.desk_digest(&session).await?;
        let is_known = self.write(move |tx| tx.begin_desk_session(code, digest)).await?;
        Ok(is_known.then_some(session))
    }

    /// Returns whether a session lasts.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn has_desk_session(&self, session: &str) -> Result<bool, Unavailable> {
        self.lasts(session_name(self.desk_digest(session).await?)).await
    }

    /// Returns whether a code or a session is not over.
    async fn lasts(&self, name: String) -> Result<bool, Unavailable> {
        let end = self.fact(name).await?;
        Ok(end.is_some_and(|end| end > self.now()))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn end_desk_session(&self, session: &str) -> Result<(), Unavailable> {
        let ended = session_name(self.desk_digest(session).await?);
        self.write(move |tx| tx.forget_entries(|name, _| name == ended))
            .await
            .map(drop)
    }

    /// Ends all sessions, and no code works any more; returns how many sessions those were.
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

fn random<const BYTES: usize>() -> Result<String, Unavailable> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "the system gives no random bits");
        Unavailable
    })?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

impl Tx<'_> {
    /// Notes where the desk is that was opened last; `None` if there is none any more.
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

    /// Accepts the code of this digest for one log-in; returns the address of the desk, if a server has noted it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn offer_desk_code(&mut self, code: Id) -> Result<Option<String>, EngineError> {
        self.forget_ended_entries()?;
        self.note(code_name(code), Some(self.end_of(CODE_TIME)));
        let facts = reads::facts(self)?;
        let mut places = facts.keys().filter_map(|name| name.strip_prefix(PLACE));
        Ok(places.next().map(str::to_owned))
    }

    /// Begins a session, of this digest, if the code works, which works once; returns whether it does.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn begin_desk_session(&mut self, code: Id, session: Id) -> Result<bool, EngineError> {
        self.forget_ended_entries()?;
        let is_known = reads::fact(self, &code_name(code))?.is_some();
        if is_known {
            self.note(code_name(code), None);
            self.note(session_name(session), Some(self.end_of(SESSION_TIME)));
        }
        Ok(is_known)
    }

    /// Forgets codes and sessions that are meant; returns how many sessions those were.
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

    /// Forgets what is over, so that no more is kept than was begun within a day.
    fn forget_ended_entries(&mut self) -> Result<(), EngineError> {
        let now = millis(self.now);
        self.forget_entries(|_, end| end <= now).map(drop)
    }

    /// Returns when something ends that begins now.
    fn end_of(&self, time: SignedDuration) -> u64 {
        millis(self.now.saturating_add(time).unwrap_or(Timestamp::MAX))
    }
}
