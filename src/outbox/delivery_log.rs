//! What operators read of deliveries in the log. It names deliveries, never persons.

use std::mem;

use crate::domain::referral::{DeliveryId, Outcome};

/// Sums up what happens, so that neither a mail server that is away for a day nor many wrong addresses fill the log.
#[derive(Debug, Default)]
pub struct DeliveryLog {
    delivered: u64,
    retried: Failures,
    failed: Failures,
}

/// Failures since the last summary, of which the first is logged at once.
#[derive(Debug, Default)]
struct Failures {
    count: u64,
    last: Option<(DeliveryId, String)>,
}

impl Failures {
    /// Adds one; returns true for the first.
    fn add(&mut self, delivery: DeliveryId, reason: &str) -> bool {
        self.count += 1;
        let is_first = self.count == 1;
        self.last = (!is_first).then(|| (delivery, reason.to_owned()));
        is_first
    }
}

impl DeliveryLog {
    /// Notes an attempt.
    pub fn note(&mut self, delivery: DeliveryId, kind: &str, outcome: &Outcome) {
        match outcome {
            Outcome::Delivered => self.delivered += 1,
            Outcome::Retry { reason, .. } => {
                if self.retried.add(delivery, reason) {
                    tracing::warn!(%delivery, kind, "not delivered, and tried again: {reason}");
                }
            }
            Outcome::Failed { reason, .. } | Outcome::Refused { reason, .. } => {
                if self.failed.add(delivery, reason) {
                    tracing::error!(%delivery, kind, "given up: {reason}; see `taubenabwehr deliveries`");
                }
            }
        }
    }

    /// Logs what has gathered since the last time, and how many confirmations of withdrawals were not sent since too many waited.
    pub fn sum_up(&mut self, dropped: u64) {
        let Self {
            delivered,
            retried,
            failed,
        } = mem::take(self);
        if delivered > 0 {
            tracing::info!(delivered, "mails and webhooks were delivered");
        }
        if let Some((delivery, reason)) = retried.last {
            let retried = retried.count;
            tracing::warn!(retried, %delivery, "not delivered, and tried again; the last one: {reason}");
        }
        if let Some((delivery, reason)) = failed.last {
            let failed = failed.count;
            tracing::error!(failed, %delivery, "given up; the last one: {reason}; see `taubenabwehr deliveries`");
        }
        if dropped > 0 {
            tracing::warn!(
                dropped,
                "withdrawals are not confirmed by mail, since too many waited for the mail server"
            );
        }
    }
}
