//! What operators read of deliveries in the log. It names deliveries, never persons.

use crate::referral::{DeliveryId, Message, Outcome};

/// Sums up what happens, so that a mail server that is away for a day does not fill the log.
#[derive(Debug, Default)]
pub struct DeliveryLog {
    delivered: u64,
    retried: u64,
    last: Option<(DeliveryId, String)>,
}

impl DeliveryLog {
    /// Notes an attempt. What was given up is logged at once, and so is the first failure since the last summary.
    pub fn note(&mut self, delivery: DeliveryId, message: Message, outcome: &Outcome) {
        match outcome {
            Outcome::Delivered => self.delivered += 1,
            Outcome::Retry { reason, .. } if self.last.is_none() && self.retried == 0 => {
                tracing::warn!(%delivery, kind = message.id(), "not delivered, and tried again: {reason}");
                self.retried = 1;
            }
            Outcome::Retry { reason, .. } => {
                self.retried += 1;
                self.last = Some((delivery, reason.clone()));
            }
            Outcome::Failed { reason, .. } | Outcome::Refused { reason, .. } => {
                tracing::error!(%delivery, kind = message.id(), "given up: {reason}; see `taubenabwehr deliveries`");
            }
        }
    }

    /// Logs what has gathered since the last time.
    pub fn sum_up(&mut self) {
        let Self {
            delivered,
            retried,
            last,
        } = std::mem::take(self);
        if delivered > 0 {
            tracing::info!(delivered, "mails and webhooks were delivered");
        }
        if let Some((delivery, reason)) = last {
            tracing::warn!(retried, %delivery, "not delivered, and tried again; the last one: {reason}");
        }
    }
}
