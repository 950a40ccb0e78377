//! Certificates from an ACME CA (RFC 8555) such as Let's Encrypt: the account, orders, HTTP-01 (RFC 8555) and TLS-ALPN-01 (RFC
//! 8737) challenges, and renewal.

mod account;
mod cache;
mod challenge;
mod client;
mod failure;
mod keeper;
mod order;
mod schedule;

pub use cache::Place;
pub use failure::AcmeFailure;
pub use keeper::{Keeper, Setup};
pub use schedule::FIRST_PAUSE;
