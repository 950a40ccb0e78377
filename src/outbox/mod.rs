//! Sending what is due: mails and webhooks, each until it has arrived or three days have passed. The store
//! decides what is to be sent, and remembers it; everything here may be killed at any point.

mod backoff;
mod census;
mod clock;
mod dispatcher;
mod farewells;
mod figures;
pub mod firm_changes;
pub mod mail;
mod mails;
pub mod sending;
pub mod webhook;
mod worker;

pub use census::Census;
pub use dispatcher::{OutboxSetup, RetryPace};
pub use farewells::{Farewell, Farewells};
pub use worker::start;
