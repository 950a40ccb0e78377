//! Figures for the operator's summary mails, counted when a mail is sent. Memory use does not grow with the number of inquiries.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::domain::referral::{Answer, Asked, DeliveryState, InquiryRecord, State};
use crate::store::{Store, TimeRange, Unavailable};

/// How many suspected inquiries a mail lists: no more than people read.
const SHOWN: usize = 10;

/// The maximum age of a suspected inquiry in the mail.
const RECENT: SignedDuration = SignedDuration::from_hours(24);

/// The figures for the digest and the mail about suspected inquiries: the events of a period, and the number of inquiries in each
/// state at its end.
#[derive(Default, Serialize)]
pub struct DeliveryFigures {
    /// Inquiries received in the period.
    pub new: u64,
    /// Acceptances by firms in the period.
    pub accepted: u64,
    /// Inquiries waiting for an answer.
    pub pending: u64,
    /// Inquiries that no firm takes, except those marked as done by the operator.
    pub unmatched: u64,
    /// Inquiries held for the operator as suspected spam.
    pub suspected: u64,
    /// Mails and webhooks that were given up.
    pub failed: u64,
    /// The latest suspected inquiries of the last day, newest last.
    #[serde(skip)]
    pub latest_suspected: VecDeque<InquiryRecord>,
}

impl DeliveryFigures {
    /// Counts the events of a period, and the inquiries in each state at its end.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn count(store: &Store, since: Timestamp, until: Timestamp) -> Result<Self, Unavailable> {
        let mut figures = Self::default();
        let mut records = store.records(TimeRange::default()).await?;
        while let Some(record) = records.next().await? {
            figures.add(record, since, until);
        }
        let mut subscriptions = store.subscriptions().await?;
        while let Some(subscription) = subscriptions.next().await? {
            figures.failed += u64::from(subscription.delivery.state.is_failed());
        }
        Ok(figures)
    }

    fn add(&mut self, record: InquiryRecord, since: Timestamp, until: Timestamp) {
        let is_within = |time: Timestamp| time >= since && time < until;
        let referral = &record.referral;
        self.failed += referral.count(DeliveryState::is_failed) as u64;
        if referral.is_notice() {
            return;
        }
        self.new += u64::from(record.received_at().is_some_and(is_within));
        let accepted = referral.asked.iter().filter_map(Asked::accepted_at);
        self.accepted += accepted.filter(|at| is_within(*at)).count() as u64;
        if record.inquiry.is_none() {
            return;
        }
        let state = referral.state();
        let is_pending = referral.asked.iter().any(|asked| asked.answer == Answer::Pending);
        self.pending += u64::from(state != State::Suspected && is_pending);
        self.unmatched += u64::from(state == State::Unmatched && !referral.is_done());
        if state == State::Suspected {
            self.suspected += 1;
            self.show(record, until);
        }
    }

    fn show(&mut self, record: InquiryRecord, until: Timestamp) {
        let since = until.checked_sub(RECENT).ok();
        if record.received_at() < since {
            return;
        }
        if self.latest_suspected.len() == SHOWN {
            self.latest_suspected.pop_front();
        }
        self.latest_suspected.push_back(record);
    }
}
