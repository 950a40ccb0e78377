//! Trying deliveries again.

use std::sync::Arc;

use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::error::CallError;
use super::operations::Operations;
use super::records::RecordStream;
use crate::domain::referral::{Change, DeliveryId, DeliveryState, InquiryRecord, Refusal};
use crate::store::{Store, TimeRange, Unavailable, UpdateError};

/// How many changes are in flight at once: the store commits them together.
const AT_ONCE: usize = 64;

/// What goes on because the operator has said so.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Retried {
    /// Deliveries that are tried again.
    pub deliveries: u64,
    /// Inquiries that stood still since the store was restored.
    pub inquiries: u64,
}

impl Retried {
    fn of(deliveries: u64) -> Self {
        Self {
            deliveries,
            inquiries: 0,
        }
    }
}

impl Operations {
    /// Tries a delivery now that waits for later, has failed or is held.
    pub async fn retry(&self, id: DeliveryId) -> Result<Retried, CallError> {
        // One of the newsletter has no inquiry.
        if !self.store.retry_subscription(id).await? {
            let retry = Change::Retry(Some(id.number));
            self.store.update(id.inquiry, retry).await?;
        }
        Ok(Retried::of(1))
    }

    /// Tries all deliveries of an inquiry now that wait for later, have failed or are held.
    pub async fn retry_inquiry(&self, id: Uuid) -> Result<Retried, CallError> {
        let Some(before) = self.store.record(id).await? else {
            return Err(Refusal::NotFailed.into());
        };
        let after = self.store.update(id, Change::Retry(None)).await?;
        Ok(Retried::of(made_due(&before, &after)))
    }

    /// Tries all deliveries now that wait for later, have failed or are held, and lets go on what stands still after a restore.
    pub async fn retry_all(&self) -> Result<Retried, CallError> {
        retry_all(&self.store).await
    }
}

async fn retry_all(store: &Arc<Store>) -> Result<Retried, CallError> {
    let held_since = store.facts().await?.held_since;
    let records = RecordStream::of_range(store, TimeRange::default()).await?;
    let updates = records.into_stream().map_ok(|record| {
        let store = Arc::clone(store);
        async move {
            let stands_still = record.received_at() < held_since && record.referral.goes_on_by_clock();
            Ok(Retried {
                deliveries: retry_record(&store, &record).await?,
                inquiries: stands_still.into(),
            })
        }
    });
    let updates = updates.try_buffer_unordered(AT_ONCE);
    let mut retried = updates
        .try_fold(Retried::default(), async |sum, one| {
            Ok(Retried {
                deliveries: sum.deliveries + one.deliveries,
                inquiries: sum.inquiries + one.inquiries,
            })
        })
        .await?;
    retried.deliveries += retry_subscriptions(store).await?;
    if held_since.is_some() {
        store.go_on().await?;
    }
    Ok(retried)
}

async fn retry_record(store: &Store, record: &InquiryRecord) -> Result<u64, Unavailable> {
    if record.referral.count(DeliveryState::can_be_retried) == 0 {
        return Ok(0);
    }
    match store.update(record.id, Change::Retry(None)).await {
        Ok(after) => Ok(made_due(record, &after)),
        Err(UpdateError::Refused(_)) => Ok(0),
        Err(UpdateError::Unavailable(_)) => Err(Unavailable),
    }
}

/// Tries all mails of the newsletter now that wait for later, have failed or are held; returns their number.
async fn retry_subscriptions(store: &Store) -> Result<u64, Unavailable> {
    let mut subscriptions = store.subscriptions().await?;
    let mut count = 0;
    while let Some(subscription) = subscriptions.next().await? {
        if subscription.delivery.state.can_be_retried() {
            let id = subscription.delivery_id(store.subscription_key(&subscription.email));
            count += u64::from(store.retry_subscription(id).await?);
        }
    }
    Ok(count)
}

/// Returns how many deliveries an update has made due. Others may have been added or ended meanwhile.
fn made_due(before: &InquiryRecord, after: &InquiryRecord) -> u64 {
    let before = &before.referral.deliveries;
    let after = after.referral.deliveries.iter().enumerate();
    let retried = after.filter(|(at, after)| after.was_retried() && before.get(*at) != Some(*after));
    retried.count() as u64
}
