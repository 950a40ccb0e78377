//! Who may enter the operator's desk. Each code and session is a fact about the store: its name is a keyed digest, its value the time at
//! which it ends. A digest opens nothing, so a reader of the store cannot enter.

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

/// How long a code works: time enough to carry it from the terminal to a browser, by hand if need be.
const CODE_TIME: SignedDuration = SignedDuration::from_mins(10);

/// How long a session lasts: a working day.
pub const SESSION_TIME: SignedDuration = SignedDuration::from_hours(12);

/// A change of who may enter.
pub enum DeskChange {
    /// Whoever has the code of this digest may log in with it.
    Offer(Id),
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
        let now = transaction.now;
        let until = |time: SignedDuration| Some(millis(now.saturating_add(time).unwrap_or(Timestamp::MAX)));
        // What is over is forgotten, so that no more is kept than was begun within a day.
        transaction.forget_entries(|_, end| end <= millis(now));
        Ok(match *self {
            Self::Offer(code) => {
                transaction.note(name(CODE, code), until(CODE_TIME));
                0
            }
            Self::LogIn { code, session } => {
                let code = name(CODE, code);
                if !transaction.rows.facts.contains_key(&code) {
                    return Ok(0);
                }
                transaction.note(code, None);
                transaction.note(session_name(session), until(SESSION_TIME));
                1
            }
            Self::LogOut(session) => {
                let session = session_name(session);
                transaction.forget_entries(|name, _| name == session)
            }
            Self::EndAll => transaction.forget_entries(|_, _| true),
        })
    }
}

impl Transaction<'_> {
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
