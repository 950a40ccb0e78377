//! How inquiries are handled, according to the configuration.

use std::num::NonZeroU32;
use std::sync::Arc;

use jiff::SignedDuration;

use super::message::DigestPeriod;
use crate::domain::commission::Percent;
use crate::domain::matching::{Firm, FirmRotation};

/// How inquiries are handled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlingPolicy {
    /// The firms to ask, in the order of the configuration.
    pub firms: Arc<[Firm]>,
    /// How many firms may accept an inquiry.
    pub offers: usize,
    /// How long a firm has to answer.
    pub answer_within: SignedDuration,
    /// The maximum number of inquiries passed on to firms within 24 hours per client, mail address or telephone number; `None` for
    /// no limit.
    pub passed_on_per_day: Option<NonZeroU32>,
    /// The number of the operator's mailboxes. Each gets its own mail, so that a full one does not hold up the others.
    pub operator_mailboxes: u8,
    /// Whether the operator gets webhooks.
    pub webhook: bool,
    /// Whether the operator gets a mail about each acceptance.
    pub operator_accepted: bool,
    /// How often the operator gets a digest; `None` for never.
    pub digest: Option<DigestPeriod>,
    /// Whether visitors get mail.
    pub visitor_mail: bool,
    /// The VAT rate on what firms owe.
    pub vat: Percent,
}

impl Default for HandlingPolicy {
    /// No referral: inquiries stay in the store until an operator exports them.
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

/// The policy and the history of requests, as the store's writer needs them for changes.
#[derive(Default)]
pub struct MatchingState {
    /// How inquiries are handled.
    pub policy: Arc<HandlingPolicy>,
    /// The firms in the order of their turns.
    pub rotation: FirmRotation,
    /// Whether a server is running that follows a policy. Without one, commands leave what they begin to the next server.
    pub is_serving: bool,
}

impl MatchingState {
    /// Replaces the policy.
    pub fn set_policy(&mut self, policy: Arc<HandlingPolicy>) {
        self.rotation.firms = Arc::clone(&policy.firms);
        self.policy = policy;
        self.is_serving = true;
    }
}
