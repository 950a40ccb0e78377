//! Sends mails and webhooks, and retries each for up to three days. The store decides what is sent and tracks its progress, so this
//! code may be killed at any point.

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
