//! What is done with inquiries, from the configuration.

use std::num::NonZeroU32;
use std::sync::Arc;

use jiff::SignedDuration;

use crate::matching::{Firm, Roster};

/// What is done with inquiries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Whom to ask, in the order of the configuration.
    pub firms: Arc<[Firm]>,
    /// How many firms may accept an inquiry.
    pub offers: usize,
    /// How long a firm may take to answer.
    pub answer_within: SignedDuration,
    /// How many inquiries of one client, mail address or telephone number firms get within 24 hours; `None` for all.
    pub passed_on_per_day: Option<NonZeroU32>,
    /// How many mailboxes of the operator get mail, each a mail of its own: one that is full holds up no other.
    pub operator_mailboxes: u8,
    /// Whether the operator gets webhooks.
    pub webhook: bool,
    /// Whether visitors get mail.
    pub visitor_mail: bool,
}

impl Default for Plan {
    /// Nothing: inquiries lie in the store until an operator exports them.
    fn default() -> Self {
        Self {
            firms: Arc::new([]),
            offers: 3,
            answer_within: SignedDuration::from_hours(24),
            passed_on_per_day: None,
            operator_mailboxes: 0,
            webhook: false,
            visitor_mail: false,
        }
    }
}

/// The plan, and who was asked when: what the store's writer needs for its changes.
pub struct Desk {
    /// What is done with inquiries.
    pub plan: Arc<Plan>,
    /// Whose turn it is.
    pub roster: Roster,
    /// Whether there is a server that follows a plan. Commands without one leave what they begin to the next.
    pub is_serving: bool,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            plan: Arc::default(),
            roster: Roster::new(Arc::new([]), []),
            is_serving: false,
        }
    }
}
