//! An inquiry's way to the operator and to firms: who was asked, what they answered, and what is still to be sent
//! (contract, part two). Everything here is pure; a store applies it in its transactions.

mod asked;
mod begin;
mod change;
mod delivery;
mod dossier;
mod due;
mod message;
pub mod millis;
mod plan;
#[expect(
    clippy::module_inception,
    reason = "the module is about referrals, this file about the referral"
)]
mod referral;
mod settle;
mod tokens;
mod withdraw;

pub use asked::{Answer, Asked};
pub use change::{Change, Moment, Refusal};
pub use delivery::{Delivery, DeliveryId, DeliveryName, DeliveryState, Outcome, Reach, Round, Settling};
pub use dossier::Dossier;
pub use due::{Due, Lane};
pub use message::{Event, Mailbox, Message};
pub use plan::{Desk, Plan};
pub use referral::{KEPT_AFTER_WITHDRAWAL, MAX_ADDITION, NewReferral, Referral, State, Status};
pub use tokens::{Secret, SignedToken, Token};
