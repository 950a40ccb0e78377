//! Calls the operator's webhook by the Standard Webhooks specification (<https://www.standardwebhooks.com>). The content of calls
//! is decided elsewhere.

mod endpoint;

pub use endpoint::{STEP_TIME, WebhookEndpoint};
