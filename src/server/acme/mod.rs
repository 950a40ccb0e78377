//! Certificates from an authority that follows ACME (RFC 8555), such as Let's Encrypt: an account, orders, answers to its
//! checks by HTTP-01 (RFC 8555) and TLS-ALPN-01 (RFC 8737), and renewal.

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
