//! The operations, by what they are about. A further one is one more type here and one more line in `server`.

mod asks;
mod change;
mod counts;
mod dossier;
mod newsletter;
mod upkeep;

pub use asks::{AsksLine, ReadAsks};
pub use change::{Changed, Release, Retry};
pub use counts::ReadCounts;
pub use dossier::{ReadDossier, Tokens};
pub use newsletter::{EndSubscription, FoundSubscription};
pub use upkeep::{BelieveClock, CheckRecords, FactsLine, NoteBackup, ReadFacts};
