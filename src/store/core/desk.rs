//! Who may enter the operator's desk, and where it is. Each code and session is a fact about the store: its name is a keyed digest, its
//! value the time at which it ends. A digest opens nothing, so a reader of the store cannot enter.

use jiff::{SignedDuration, Timestamp};

use super::ids::Id;
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::referral::HandlingPolicy;
use crate::store::time::millis;

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

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        // The facts are read with whose turn it is; of two that use a code, one comes first.
        reads.turns = true;
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<u64, ApplyError> {
        transaction.forget_ended_entries();
        Ok(match self {
            Self::Open(address) => {
                transaction.forget_desk();
                if let Some(address) = address {
                    transaction.note(format!("{PLACE}{address}"), Some(millis(transaction.now)));
                }
                0
            }
            Self::LogIn { code, session } => {
                let code = code_name(*code);
                if !transaction.rows.facts.contains_key(&code) {
                    return Ok(0);
                }
                transaction.note(code, None);
                transaction.note(session_name(*session), Some(transaction.end_of(SESSION_TIME)));
                1
            }
            Self::LogOut(session) => {
                let session = session_name(*session);
                transaction.forget_entries(|name, _| name == session)
            }
            Self::EndAll => transaction.forget_entries(|_, _| true),
        })
    }
}

/// Lets in whoever has the code of this digest.
pub struct OfferDeskCode(pub Id);

impl Operation for OfferDeskCode {
    /// Where the desk is, if a server has said so.
    type Reply = Option<String>;

    fn read_set(&self, reads: &mut ReadSet, policy: &HandlingPolicy) {
        DeskChange::EndAll.read_set(reads, policy);
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Option<String>, ApplyError> {
        transaction.forget_ended_entries();
        transaction.note(code_name(self.0), Some(transaction.end_of(CODE_TIME)));
        let mut facts = transaction.rows.facts.keys();
        Ok(facts.find_map(|name| name.strip_prefix(PLACE)).map(str::to_owned))
    }
}

impl Transaction<'_> {
    /// Returns when something ends that begins now.
    fn end_of(&self, time: SignedDuration) -> u64 {
        millis(self.now.saturating_add(time).unwrap_or(Timestamp::MAX))
    }

    /// Forgets what is over, so that no more is kept than was begun within a day.
    fn forget_ended_entries(&mut self) {
        let now = millis(self.now);
        self.forget_entries(|_, end| end <= now);
    }

    /// Forgets where the desk was.
    fn forget_desk(&mut self) {
        let names = self.rows.facts.keys();
        let names: Vec<String> = names.filter(|name| name.starts_with(PLACE)).cloned().collect();
        for name in names {
            self.note(name, None);
        }
    }

    /// Forgets codes and sessions that are meant; returns how many sessions those were.
    fn forget_entries(&mut self, is_meant: impl Fn(&str, u64) -> bool) -> u64 {
        let is_entry = |name: &str| name.starts_with(CODE) || name.starts_with(SESSION);
        let facts = self.rows.facts.iter();
        let meant = facts.filter(|(name, end)| is_entry(name) && is_meant(name, **end));
        let names: Vec<String> = meant.map(|(name, _)| name.clone()).collect();
        let sessions = names.iter().filter(|name| name.starts_with(SESSION)).count();
        for name in names {
            self.note(name, None);
        }
        sessions as u64
    }
}
