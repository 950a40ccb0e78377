//! Calling the operator's webhook as Standard Webhooks has it (<https://www.standardwebhooks.com>). What a call says is not
//! decided here.

mod endpoint;
mod secret;
mod url;

pub use endpoint::{Call, Endpoint, Times};
pub use secret::{Secret, WrongSecret};
pub use url::{WebhookUrl, WrongUrl};
