//! What is done with inquiries, from the configuration.

use std::num::NonZeroU32;
use std::sync::Arc;

use jiff::SignedDuration;

use super::message::DigestPeriod;
use crate::domain::commission::Percent;
use crate::domain::matching::{Firm, FirmRotation};

/// What is done with inquiries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlingPolicy {
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
    /// Whether the operator gets a mail about each acceptance.
    pub operator_accepted: bool,
    /// How often the operator's mailboxes get a digest; `None` for never.
    pub digest: Option<DigestPeriod>,
    /// Whether visitors get mail.
    pub visitor_mail: bool,
    /// The rate of value added tax on what firms owe.
    pub vat: Percent,
}

impl Default for HandlingPolicy {
    /// Nothing: inquiries lie in the store until an operator exports them.
    fn default() -> Self {
        Self {
            firms: Arc::new([]),
            offers: 3,
            answer_within: SignedDuration::from_hours(24),
            passed_on_per_day: None,
            operator_mailboxes: 0,
            webhook: false,
            operator_accepted: true,
            digest: None,
            visitor_mail: false,
            vat: Percent::USUAL_VAT,
        }
    }
}

/// The policy, and who was asked when: what the store's writer needs for its changes.
#[derive(Default)]
pub struct MatchingState {
    /// What is done with inquiries.
    pub policy: Arc<HandlingPolicy>,
    /// Whose turn it is.
    pub rotation: FirmRotation,
    /// Whether there is a server that follows a policy. Commands without one leave what they begin to the next.
    pub is_serving: bool,
}

impl MatchingState {
    /// Sets the policy for handling inquiries.
    pub fn set_policy(&mut self, policy: Arc<HandlingPolicy>) {
        self.rotation.firms = Arc::clone(&policy.firms);
        self.policy = policy;
        self.is_serving = true;
    }
}
