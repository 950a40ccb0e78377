//! Who may enter the operator's desk, and where it is. Each code and session is a fact about the store: its name is a keyed digest, its
//! value the time at which it ends. A digest opens nothing, so a reader of the store cannot enter.

use jiff::{SignedDuration, Timestamp};

use super::Operation;
use crate::store::map::{EngineError, Kind};
use crate::store::reads;
use crate::store::time::millis;
use crate::store::tx::Tx;
use crate::store::values::ids::Id;

/// Begins the names of facts about codes; the digest ends them.
const CODE: &str = "desk_code:";

/// Begins the names of facts about sessions, likewise.
const SESSION: &str = "desk_session:";

/// Begins the name of the fact about the desk that was opened last; its address ends it.
const PLACE: &str = "desk_at:";

/// How long a code works: time enough to carry it from the terminal to a browser, by hand if need be.
const CODE_TIME: SignedDuration = SignedDuration::from_mins(10);

/// How long a session lasts: a working day.
pub const SESSION_TIME: SignedDuration = SignedDuration::from_hours(12);

/// A change of who may enter.
pub enum DeskChange {
    /// A server has its desk at this address; `None` if there is none any more.
    Open(Option<String>),
    /// Somebody logs in.
    LogIn {
        /// The digest of the code, which works once.
        code: Id,
        /// That of the session that begins.
        session: Id,
    },
    /// A session ends.
    LogOut(Id),
    /// All sessions end, and no code works any more.
    EndAll,
}

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

impl Operation for DeskChange {
    /// How many sessions have begun or ended.
    type Reply = u64;

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<u64, EngineError> {
        tx.forget_ended_entries()?;
        Ok(match self {
            Self::Open(address) => {
                tx.forget_desk()?;
                if let Some(address) = address {
                    tx.note(format!("{PLACE}{address}"), Some(millis(tx.now)));
                }
                0
            }
            Self::LogIn { code, session } => {
                let code = code_name(*code);
                if reads::fact(tx, &code)?.is_none() {
                    return Ok(0);
                }
                tx.note(code, None);
                tx.note(session_name(*session), Some(tx.end_of(SESSION_TIME)));
                1
            }
            Self::LogOut(session) => {
                let session = session_name(*session);
                tx.forget_entries(|name, _| name == session)?
            }
            Self::EndAll => tx.forget_entries(|_, _| true)?,
        })
    }
}

/// Lets in whoever has the code of this digest.
pub struct OfferDeskCode(pub Id);

impl Operation for OfferDeskCode {
    /// Where the desk is, if a server has said so.
    type Reply = Option<String>;

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Option<String>, EngineError> {
        tx.forget_ended_entries()?;
        tx.note(code_name(self.0), Some(tx.end_of(CODE_TIME)));
        let facts = tx.facts()?;
        Ok(facts
            .keys()
            .find_map(|name| name.strip_prefix(PLACE))
            .map(str::to_owned))
    }
}

impl Tx<'_> {
    /// Returns when something ends that begins now.
    fn end_of(&self, time: SignedDuration) -> u64 {
        millis(self.now.saturating_add(time).unwrap_or(Timestamp::MAX))
    }

    /// Forgets what is over, so that no more is kept than was begun within a day.
    fn forget_ended_entries(&mut self) -> Result<(), EngineError> {
        let now = millis(self.now);
        self.forget_entries(|_, end| end <= now).map(drop)
    }

    /// Forgets where the desk was.
    fn forget_desk(&mut self) -> Result<(), EngineError> {
        self.remove_all(Kind::Facts, PLACE.as_bytes()).map(drop)
    }

    /// Forgets codes and sessions that are meant; returns how many sessions those were.
    fn forget_entries(&mut self, is_meant: impl Fn(&str, u64) -> bool) -> Result<u64, EngineError> {
        let is_entry = |name: &str| name.starts_with(CODE) || name.starts_with(SESSION);
        let facts = self.facts()?;
        let meant = facts
            .iter()
            .filter(|(name, end)| is_entry(name) && is_meant(name, **end));
        let names: Vec<String> = meant.map(|(name, _)| name.clone()).collect();
        let sessions = names.iter().filter(|name| name.starts_with(SESSION)).count();
        for name in names {
            self.note(name, None);
        }
        Ok(sessions as u64)
    }
}
