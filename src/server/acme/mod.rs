//! Certificates from an ACME CA such as Let's Encrypt: the account, orders, challenges by HTTP-01 (RFC 8555) and TLS-ALPN-01
//! (RFC 8737), and renewal.

mod account;
mod cache;
mod challenge;
mod client;
mod failure;
mod keeper;
mod order;
mod schedule;

pub use cache::AcmeCache;
pub use keeper::Keeper;
pub use schedule::FIRST_PAUSE;
