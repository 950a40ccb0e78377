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
    /// Tries a delivery now that waits for later, has failed or is held.
    pub async fn retry(&self, id: DeliveryId) -> Result<Retried, CallError> {
        // One of the newsletter has no inquiry.
        if !self.store.retry_subscription(id).await? {
            let retry = Change::Retry(Some(id.number));
            self.store.update(id.inquiry, retry).await?;
        }
        Ok(Retried {
            deliveries: 1,
            ..Retried::default()
        })
    }

    /// Tries all deliveries of an inquiry now that wait for later, have failed or are held.
    pub async fn retry_inquiry(&self, id: Uuid) -> Result<Retried, CallError> {
        let record = self.store.record(id).await?;
        let record = record.ok_or(Refusal::NotFailed)?;
        Ok(Retried {
            deliveries: self.retry_record(&record).await?,
            ..Retried::default()
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
