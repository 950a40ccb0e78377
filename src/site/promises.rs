//! What the texts of the site may promise, which depends on the configuration.

use std::num::NonZeroU32;

use serde::Serialize;

use crate::config::Handling;

/// What the site does, for texts that must not promise more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Promises {
    /// Inquiries are answered with success and not kept.
    pub demo: bool,
    /// The newsletter's form sends.
    pub newsletter: bool,
    /// What happens to an inquiry without the operator.
    pub handling: Handled,
}

/// What happens to an inquiry without the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Handled {
    /// Mails are sent.
    pub mail: bool,
    /// Firms are asked.
    pub firms: bool,
    /// Another system of the operator is called.
    pub webhook: bool,
    /// Inquiries are erased so many days after they were received; otherwise not by themselves.
    pub retention_days: Option<u32>,
}

impl Promises {
    /// Returns what a configuration allows to promise.
    pub fn of(handling: &Handling, is_demo: bool) -> Self {
        let has_mail = handling.mail.is_some();
        Self {
            demo: is_demo,
            newsletter: has_mail && !is_demo,
            handling: Handled {
                mail: has_mail,
                firms: !handling.firms.is_empty(),
                webhook: handling.notify.webhook.is_some(),
                retention_days: handling.retention.inquiries_days.map(NonZeroU32::get),
            },
        }
    }
}
