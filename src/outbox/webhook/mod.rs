//! Calling the operator's webhook by the Standard Webhooks specification (<https://www.standardwebhooks.com>). A call's content is not
//! decided here.

mod endpoint;

pub use endpoint::{STEP_TIME, WebhookEndpoint};
