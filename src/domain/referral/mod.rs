//! The referral of an inquiry to the operator and to firms: who was asked, what they answered, and what is still to be sent.
//! Everything here is pure; a store applies it in its transactions.

mod asked;
mod asking;
mod casework;
mod change;
pub mod confirmation_quota;
mod correcting;
mod delivery;
mod inquiry_codec;
mod message;
pub mod millis;
mod photos;
mod policy;
mod record;
#[expect(
    clippy::module_inception,
    reason = "the module is about referrals, this file about the referral"
)]
mod referral;
mod review;
mod review_name;
mod reviewing;
mod settle;
mod tokens;
mod withdraw;

pub use asked::{Answer, Asked, Pausing};
pub use casework::{Casework, Corrected, Note, note_text};
pub use change::{Change, Refusal, Transition};
pub use delivery::{
    Delivery, DeliveryCertainty, DeliveryId, DeliveryName, DeliveryState, Failure, Outcome, Round,
};
pub use message::{DigestPeriod, Due, Event, Lane, Message};
pub use photos::{MAX_PHOTOS, PhotoList, PhotoSize};
pub use policy::{HandlingPolicy, MatchingState};
pub use record::InquiryRecord;
pub use referral::{KEPT_AFTER_WITHDRAWAL, MAX_ADDITION, NewReferral, Referral, Revocation, State, Status};
pub use review::{
    MAX_REVIEW_NAME, MAX_REVIEW_TEXT, Review, ReviewFault, ReviewState, Stars, Verdict, suggested_name,
};
pub use review_name::{ReviewId, ReviewName};
pub use reviewing::FoundReview;
pub use tokens::{Secret, SignedToken, Token};
