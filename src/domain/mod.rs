//! The rules of the business, as values: no clock, no file, no network.

pub mod commission;
pub mod inquiry;
pub mod ledger;
pub mod matching;
pub mod newsletter;
pub mod reckoning;
pub mod referral;
