//! Who may enter the operator's desk, and where it is. Each code and session is a fact about the store: its name is a keyed digest, its
//! value the time at which it ends. A digest opens nothing, so a reader of the store cannot enter.

use jiff::{SignedDuration, Timestamp};

use crate::store::map::{EngineError, Kind};
use crate::store::reads;
use crate::store::time::millis;
use crate::store::tx::Tx;
use crate::store::values::ids::Id;

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
pub fn code_name(digest: Id) -> String {
    name(CODE, digest)
}

fn name(prefix: &str, digest: Id) -> String {
    format!("{prefix}{:032x}", u128::from_be_bytes(digest))
}

impl Tx<'_> {
    /// Notes where the desk is that was opened last; `None` if there is none any more.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn note_desk(&mut self, address: Option<&str>) -> Result<(), EngineError> {
        self.remove_all(Kind::Facts, PLACE.as_bytes())?;
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
