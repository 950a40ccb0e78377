//! Calling the operator's webhook as Standard Webhooks has it (<https://www.standardwebhooks.com>). What a call says is not
//! decided here.

mod endpoint;
mod signature;

pub use endpoint::{Call, Endpoint, Times};
