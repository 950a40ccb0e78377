//! Counts mails and webhooks for the operator's monitoring.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::base::metrics::DeliveryCounts;
use crate::domain::referral::Delivery;
use crate::store::{Store, TimeRange, Unavailable};

/// How long to wait for the counts. Prometheus times out after ten seconds by default.
const TIME: Duration = Duration::from_secs(8);

/// The pause after a count, as a multiple of its duration: a count reads all inquiries, which takes about a second per 300,000, and
/// must not keep the machine busy.
const REST: u32 = 50;

/// The most recent count of deliveries.
#[derive(Debug, Default)]
pub struct Census(Arc<Mutex<Option<Counted>>>);

#[derive(Debug)]
struct Counted {
    counts: DeliveryCounts,
    /// When the counts expire.
    until: Instant,
}

impl Census {
    /// Counts the deliveries, or returns a recent count; `None` if counting fails or takes too long.
    pub async fn deliveries(&self, store: &Arc<Store>) -> Option<DeliveryCounts> {
        self.within(TIME, store).await
    }

    async fn within(&self, time: Duration, store: &Arc<Store>) -> Option<DeliveryCounts> {
        if let Ok(mut last) = Arc::clone(&self.0).try_lock_owned()
            && last.as_ref().is_none_or(|last| last.until < Instant::now())
        {
            let store = Arc::clone(store);
            // Continues after the caller stops waiting, so that the next caller gets the result.
            tokio::spawn(async move { *last = count(&store).await.ok() });
        }
        let last = timeout(time, self.0.lock()).await.ok()?;
        last.as_ref().map(|last| last.counts.clone())
    }
}

async fn count(store: &Store) -> Result<Counted, Unavailable> {
    let started = Instant::now();
    let mut counts = DeliveryCounts::default();
    let mut records = store.records(TimeRange::default()).await?;
    while let Some(record) = records.next().await? {
        for delivery in &record.referral.deliveries {
            add(&mut counts, delivery);
        }
    }
    let mut subscriptions = store.subscriptions().await?;
    while let Some(subscription) = subscriptions.next().await? {
        add(&mut counts, &subscription.delivery);
    }
    let now = Instant::now();
    Ok(Counted {
        counts,
        until: now + (now - started) * REST,
    })
}

fn add(counts: &mut DeliveryCounts, delivery: &Delivery) {
    let state = delivery.state.id();
    *counts.states.entry(state).or_default() += 1;
    if delivery.state.is_waiting() {
        let oldest = counts.oldest_waiting.unwrap_or(delivery.since);
        counts.oldest_waiting = Some(oldest.min(delivery.since));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn counting_that_takes_longer_than_an_answer_may_ends_all_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(dir.path()).unwrap());
        let census = Census::default();
        while census.within(Duration::ZERO, &store).await.is_none() {
            tokio::task::yield_now().await;
        }
    }
}
