//! How many mails and webhooks there are, for the operator's monitoring.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::metrics::DeliveryCounts;
use crate::referral::{Delivery, DeliveryState};
use crate::store::{Store, TimeRange, Unavailable};

/// How long counting may take. Who collects metrics waits for ten seconds as a rule.
const TIME: Duration = Duration::from_secs(8);

/// For how many times as long as it took to count the deliveries they are not counted again: all inquiries are read for
/// it, which takes a second for some 300,000, and must not keep a machine busy.
const REST: u32 = 50;

/// The states in the order in which they are shown.
const STATES: [&str; 5] = ["waiting", "delivered", "failed", "cancelled", "held"];

/// The deliveries as they were last counted.
#[derive(Debug, Default)]
pub struct Census(Mutex<Option<Counted>>);

#[derive(Debug)]
struct Counted {
    tally: Tally,
    at: Instant,
    took: Duration,
}

#[derive(Debug, Clone, Default)]
struct Tally {
    states: [u64; STATES.len()],
    oldest_waiting: Option<Timestamp>,
}

impl Census {
    /// Returns how many deliveries there are, counted now unless that was done a moment ago; `None` if the store does not
    /// answer in time.
    pub async fn deliveries(&self, store: &Store) -> Option<DeliveryCounts> {
        let counted = async {
            let mut last = self.0.lock().await;
            let is_recent = |last: &Counted| last.at.elapsed() < last.took * REST;
            if let Some(last) = last.as_ref().filter(|last| is_recent(last)) {
                return Ok(last.tally.counts());
            }
            let started = Instant::now();
            let tally = count(store).await?;
            let counts = tally.counts();
            *last = Some(Counted {
                tally,
                at: Instant::now(),
                took: started.elapsed(),
            });
            Ok(counts)
        };
        timeout(TIME, counted)
            .await
            .ok()
            .and_then(Result::<_, Unavailable>::ok)
    }
}

async fn count(store: &Store) -> Result<Tally, Unavailable> {
    let mut tally = Tally::default();
    let mut dossiers = store.snapshot().await?.into_dossiers(TimeRange::default());
    while let Some(dossier) = dossiers.next().await? {
        dossier
            .referral
            .deliveries
            .iter()
            .for_each(|delivery| tally.add(delivery));
    }
    let mut subscriptions = store.subscriptions().await?;
    while let Some(subscription) = subscriptions.next().await? {
        tally.add(&subscription.delivery);
    }
    Ok(tally)
}

impl Tally {
    fn add(&mut self, delivery: &Delivery) {
        let states = STATES.iter().zip(&mut self.states);
        for (_, count) in states.filter(|(state, _)| **state == delivery.state.id()) {
            *count += 1;
        }
        if matches!(delivery.state, DeliveryState::Waiting(_)) {
            let oldest = self.oldest_waiting.unwrap_or(delivery.since);
            self.oldest_waiting = Some(oldest.min(delivery.since));
        }
    }

    /// Returns the numbers as of now: what waits grows older without being counted.
    fn counts(&self) -> DeliveryCounts {
        let age = self
            .oldest_waiting
            .map(|since| Timestamp::now().duration_since(since).as_millis());
        DeliveryCounts {
            states: STATES.into_iter().zip(self.states).collect(),
            oldest_waiting_ms: age.and_then(|age| u64::try_from(age).ok()).unwrap_or(0),
        }
    }
}
