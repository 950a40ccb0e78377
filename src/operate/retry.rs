//! Retrying deliveries.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::error::CallError;
use super::operations::Operations;
use crate::domain::referral::{Change, DeliveryId, DeliveryState, InquiryRecord, Refusal};
use crate::store::{TimeRange, UpdateError};

/// The result of a retry.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Retried {
    /// Deliveries that are tried again.
    pub deliveries: u64,
    /// Inquiries that resume after being held since a restore.
    pub inquiries: u64,
}

impl Operations {
    /// Retries a delivery of an inquiry that is waiting, has failed or is held; `None` for all deliveries of the inquiry. In the
    /// id of a newsletter's delivery, the subscription's key replaces the inquiry.
    pub async fn retry(&self, inquiry: Uuid, number: Option<u16>) -> Result<Retried, CallError> {
        let deliveries = if let Some(number) = number {
            let id = DeliveryId { inquiry, number };
            if !self.store.retry_subscription(id).await? {
                self.store.update(inquiry, Change::Retry(Some(number))).await?;
            }
            1
        } else {
            let record = self.store.record(inquiry).await?;
            self.retry_record(&record.ok_or(Refusal::NotFailed)?).await?
        };
        Ok(Retried {
            deliveries,
            inquiries: 0,
        })
    }

    /// Retries all deliveries that are waiting, have failed or are held, and resumes inquiries that were held since a restore.
    pub async fn retry_all(&self) -> Result<Retried, CallError> {
        let held_since = self.store.facts().await?.held_since;
        let mut retried = Retried::default();
        let mut records = self.store.records(TimeRange::default()).await?;
        while let Some(record) = records.next().await? {
            let stands_still = record.received_at() < held_since && record.referral.goes_on_by_clock();
            retried.inquiries += u64::from(stands_still);
            if record.referral.count(DeliveryState::can_be_retried) > 0 {
                retried.deliveries += match self.retry_record(&record).await {
                    // None of its deliveries can be retried any more.
                    Err(UpdateError::Refused(_)) => 0,
                    retried => retried?,
                };
            }
        }
        let mut subscriptions = self.store.subscriptions().await?;
        while let Some(subscription) = subscriptions.next().await? {
            if subscription.delivery.state.can_be_retried() {
                let id = subscription.delivery_id(self.store.subscription_key(&subscription.email));
                retried.deliveries += u64::from(self.store.retry_subscription(id).await?);
            }
        }
        if held_since.is_some() {
            self.store.go_on().await?;
        }
        Ok(retried)
    }

    /// Retries the deliveries of an inquiry, and returns how many of them became due. Others may have been added or ended in the
    /// meantime.
    async fn retry_record(&self, record: &InquiryRecord) -> Result<u64, UpdateError> {
        let before = &record.referral.deliveries;
        let after = self.store.update(record.id, Change::Retry(None)).await?;
        let after = after.referral.deliveries.iter().enumerate();
        let retried = after.filter(|(at, after)| after.was_retried() && before.get(*at) != Some(*after));
        Ok(retried.count() as u64)
    }
}
