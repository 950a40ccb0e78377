//! Trying deliveries again.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::error::CallError;
use super::operations::Operations;
use crate::domain::referral::{Change, DeliveryId, DeliveryState, InquiryRecord, Refusal};
use crate::store::{TimeRange, UpdateError};

/// What goes on because the operator has said so.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Retried {
    /// Deliveries that are tried again.
    pub deliveries: u64,
    /// Inquiries that stood still since the store was restored.
    pub inquiries: u64,
}

impl Operations {
    /// Tries a delivery of an inquiry now that waits for later, has failed or is held; `None` for all of them. One of the newsletter has
    /// no inquiry.
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

    /// Tries all deliveries now that wait for later, have failed or are held, and lets go on what stands still after a restore.
    pub async fn retry_all(&self) -> Result<Retried, CallError> {
        let held_since = self.store.facts().await?.held_since;
        let mut retried = Retried::default();
        let mut records = self.store.records(TimeRange::default()).await?;
        while let Some(record) = records.next().await? {
            let stands_still = record.received_at() < held_since && record.referral.goes_on_by_clock();
            retried.inquiries += u64::from(stands_still);
            if record.referral.count(DeliveryState::can_be_retried) > 0 {
                retried.deliveries += match self.retry_record(&record).await {
                    // Nothing of it waits any more.
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

    /// Tries the deliveries of an inquiry; returns how many that has made due. Others may have been added or ended meanwhile.
    async fn retry_record(&self, record: &InquiryRecord) -> Result<u64, UpdateError> {
        let before = &record.referral.deliveries;
        let after = self.store.update(record.id, Change::Retry(None)).await?;
        let after = after.referral.deliveries.iter().enumerate();
        let retried = after.filter(|(at, after)| after.was_retried() && before.get(*at) != Some(*after));
        Ok(retried.count() as u64)
    }
}
