//! Business rules as plain values: no clock, no files, no network.

pub mod commission;
pub mod inquiry;
pub mod ledger;
pub mod matching;
pub mod newsletter;
pub mod reckoning;
pub mod referral;
