//! Every operation on stored data, written once for all engines.
//!
//! An operation is pure. It names what it must read ([`ReadSet`]), the engine loads that ([`Prefetched`]), the operation changes it in
//! memory ([`Transaction`]) and lists what has changed ([`Changes`]), and the engine saves the changes of a whole batch in one
//! transaction. There is no clock, no file and no SQL here.

pub mod acceptance_record;
mod batch;
#[cfg(test)]
mod cases;
mod confirmation;
mod desk;
mod erase;
mod fact;
mod firm_asks;
mod holds;
mod ids;
mod insert;
mod keyed_request;
mod lease;
mod leases;
mod ledger;
mod note;
mod noted;
mod notice;
mod operation;
mod pause;
pub mod photo_record;
mod photos;
mod prefetched;
mod read_set;
pub mod record;
pub mod referral_record;
#[cfg(test)]
mod review_cases;
mod subscribe;
pub mod subscription_record;
mod tick;
mod transaction;
mod update;

pub use batch::{apply_all, read_set};
pub use confirmation::{LIMIT, MAX_MAILBOXES, Sent, counts_since};
pub use desk::{DeskChange, OfferDeskCode, SESSION_TIME, code_name, session_name};
pub use erase::Erase;
pub use fact::{Fact, is_copied};
pub use firm_asks::firm_asks;
pub use holds::Holds;
#[cfg(test)]
use holds::{Leased, LetGo};
pub use ids::{Id, Ids, first_since, time};
pub use insert::{Insert, Inserted};
pub use keyed_request::{KeyName, KeyedRequest, REMEMBERED, RequestTag};
pub use lease::{Delivering, Lease, LeasedBatch, LeasedDelivery, Renew};
pub use leases::Leases;
pub use ledger::{CloseMonth, NoteOutcome, acceptances_of};
pub use note::{Count, Note, NoteJudgement};
pub use operation::{ApplyError, Job, Operation, Pending, send_all};
pub use pause::Pause;
pub use photo_record::PhotoKey;
pub use photos::{AddPhotos, RemovePhoto};
pub use prefetched::{DueRows, InquiryEntry, KeyEntry, Prefetched, SubscriptionEntry};
pub use read_set::{CLOCK_AT_ONCE, ReadSet};
pub use subscribe::SubscriptionChange;
pub use tick::Tick;
pub use transaction::{Changes, Effects, Transaction, WriterState};
pub use update::Update;
