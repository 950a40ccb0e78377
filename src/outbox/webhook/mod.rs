//! Calling the operator's webhook by the Standard Webhooks specification (<https://www.standardwebhooks.com>). What a call says is not
//! decided here.

mod endpoint;
mod signature;

pub use endpoint::{Call, Endpoint, Times};
