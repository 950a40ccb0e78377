//! How many mails and webhooks there are, for the operator's monitoring.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::base::metrics::DeliveryCounts;
use crate::domain::referral::{Delivery, DeliveryState};
use crate::store::{Store, TimeRange, Unavailable};

/// How long to wait for the counts. Prometheus waits for ten seconds by default.
const TIME: Duration = Duration::from_secs(8);

/// The pause after a count, as a multiple of the time it took: all inquiries are read for
/// it, which takes a second for some 300,000, and must not keep a machine busy.
const REST: u32 = 50;

/// The deliveries as they were last counted.
#[derive(Debug)]
pub struct Census {
    state: Mutex<State>,
    /// How long a caller waits.
    time: Duration,
}

#[derive(Debug, Default)]
struct State {
    last: Option<Counted>,
    /// Continues even if the caller stops waiting; the next caller gets the result.
    counting: Option<JoinHandle<Result<Counted, Unavailable>>>,
}

#[derive(Debug)]
struct Counted {
    tally: Tally,
    at: Instant,
    took: Duration,
}

#[derive(Debug, Clone, Default)]
struct Tally {
    waiting: u64,
    delivered: u64,
    failed: u64,
    cancelled: u64,
    held: u64,
    oldest_waiting: Option<Timestamp>,
}

impl Default for Census {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            time: TIME,
        }
    }
}

impl Census {
    /// Returns how many deliveries there are, counted now unless that was done a moment ago, or is not done in time; `None` if
    /// they could not be counted yet.
    pub async fn deliveries(&self, store: &Arc<Store>) -> Option<DeliveryCounts> {
        let counted = timeout(self.time, self.counted(store)).await;
        counted.unwrap_or_else(|_| {
            let state = self.state.try_lock().ok()?;
            state.last.as_ref().map(|last| last.tally.counts())
        })
    }

    async fn counted(&self, store: &Arc<Store>) -> Option<DeliveryCounts> {
        let mut state = self.state.lock().await;
        let is_recent = |last: &&Counted| last.at.elapsed() < last.took * REST;
        if let Some(last) = state.last.as_ref().filter(is_recent) {
            return Some(last.tally.counts());
        }
        let counting = state
            .counting
            .get_or_insert_with(|| tokio::spawn(count(Arc::clone(store))));
        let counted = counting.await;
        state.counting = None;
        let counted = counted.ok()?.ok()?;
        let counts = counted.tally.counts();
        state.last = Some(counted);
        Some(counts)
    }
}

async fn count(store: Arc<Store>) -> Result<Counted, Unavailable> {
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut records = store.records(TimeRange::default()).await?;
    while let Some(record) = records.next().await? {
        record
            .referral
            .deliveries
            .iter()
            .for_each(|delivery| tally.add(delivery));
    }
    let mut subscriptions = store.subscriptions().await?;
    while let Some(subscription) = subscriptions.next().await? {
        tally.add(&subscription.delivery);
    }
    Ok(Counted {
        tally,
        at: Instant::now(),
        took: started.elapsed(),
    })
}

impl Tally {
    fn add(&mut self, delivery: &Delivery) {
        let count = match delivery.state {
            DeliveryState::Waiting(_) => &mut self.waiting,
            DeliveryState::Delivered(_) => &mut self.delivered,
            DeliveryState::Failed(_) => &mut self.failed,
            DeliveryState::Cancelled => &mut self.cancelled,
            DeliveryState::Suspended(_) => &mut self.held,
        };
        *count += 1;
        if delivery.state.is_waiting() {
            let oldest = self.oldest_waiting.unwrap_or(delivery.since);
            self.oldest_waiting = Some(oldest.min(delivery.since));
        }
    }

    /// Returns the numbers as of now: waiting deliveries grow older without another count.
    fn counts(&self) -> DeliveryCounts {
        let age = self
            .oldest_waiting
            .map(|since| Timestamp::now().duration_since(since).as_millis());
        DeliveryCounts {
            states: vec![
                ("waiting", self.waiting),
                ("delivered", self.delivered),
                ("failed", self.failed),
                ("cancelled", self.cancelled),
                ("held", self.held),
            ],
            oldest_waiting_ms: age.and_then(|age| u64::try_from(age).ok()).unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn counting_that_takes_longer_than_an_answer_may_ends_all_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(dir.path()).unwrap());
        let census = Census {
            time: Duration::ZERO,
            ..Census::default()
        };
        while census.deliveries(&store).await.is_none() {
            tokio::task::yield_now().await;
        }
    }
}
