//! Limits what photos take while they are on their way: memory, and time of a processor. No network takes more than a third of either,
//! so that two of them leave room for others.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

use super::client_ip::ClientNetwork;
use super::{ClientCounts, ClientPermit};

/// What is reserved at once for what comes in, in bytes.
pub const STEP: usize = 256 << 10;

/// What the uploads of one network may take together, in steps: the largest file, and four photos that are finished before it.
const SHARE: usize = 64;

/// What all uploads may take together.
const STEPS: usize = 3 * SHARE;

/// Uploads of one client at once: one of a visitor, and one of somebody behind the same address.
const MAX_PER_CLIENT: usize = 2;

/// How long an upload waits until it may begin, and a photo until it is developed: longer than the one before it may take of a
/// processor.
pub const TURN: Duration = Duration::from_secs(25);

/// What uploads share.
#[derive(Debug)]
pub struct Uploads {
    clients: Arc<ClientCounts>,
    /// Wakes uploads that wait to begin when another one has ended.
    ended: Notify,
    /// Networks that one customer may have, while they have an upload under way.
    sites: Mutex<HashMap<ClientNetwork, Weak<Portion>>>,
    all: Portion,
}

/// What somebody has left: steps of memory, and the turn to decode.
#[derive(Debug)]
struct Portion {
    memory: Arc<Semaphore>,
    decoding: Arc<Semaphore>,
}

/// The right to one upload.
#[derive(Debug)]
pub struct Upload<'a> {
    uploads: &'a Uploads,
    site: ClientNetwork,
    portion: Arc<Portion>,
    permit: Option<ClientPermit>,
}

/// What is held of a network's portion, and of all.
pub type Held = [OwnedSemaphorePermit; 2];

impl Portion {
    fn new(steps: usize) -> Self {
        Self {
            memory: Arc::new(Semaphore::new(steps)),
            // One picture at a time.
            decoding: Arc::new(Semaphore::new(1)),
        }
    }

    fn reserve(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.memory).try_acquire_owned().ok()
    }

    async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.decoding).acquire_owned().await.ok()
    }
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            clients: ClientCounts::new(MAX_PER_CLIENT),
            ended: Notify::new(),
            sites: Mutex::default(),
            all: Portion::new(STEPS),
        }
    }
}

impl Uploads {
    /// Returns the right to one upload, as soon as the client has few enough under way; `None` if that takes longer than [`TURN`].
    pub async fn begin(&self, client: ClientNetwork) -> Option<Upload<'_>> {
        let permitted = timeout(TURN, async {
            loop {
                let ended = self.ended.notified();
                if let Some(permit) = self.clients.acquire(client) {
                    return permit;
                }
                ended.await;
            }
        });
        let permit = permitted.await.ok()?;
        let site = client.site();
        let mut sites = self.sites.lock();
        let portion = sites.get(&site).and_then(Weak::upgrade);
        let portion = portion.unwrap_or_else(|| Arc::new(Portion::new(SHARE)));
        sites.insert(site, Arc::downgrade(&portion));
        Some(Upload {
            uploads: self,
            site,
            portion,
            permit: Some(permit),
        })
    }
}

impl Upload<'_> {
    /// Reserves [`STEP`] bytes of memory, unless all of it, or all of the network's, is in use. Nobody waits for it: two that have half
    /// of what they need would wait for each other.
    pub fn reserve(&self) -> Option<Held> {
        Some([self.portion.reserve()?, self.uploads.all.reserve()?])
    }

    /// Waits for the turn to decode a picture, until then at most. Of one network only one picture waits among those of others.
    pub async fn turn(&self, until: Instant) -> Option<Held> {
        let turn = async { Some([self.portion.turn().await?, self.uploads.all.turn().await?]) };
        timeout_at(until, turn).await.ok().flatten()
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        let mut sites = self.uploads.sites.lock();
        // No address outlives its last upload.
        if Arc::strong_count(&self.portion) == 1 {
            sites.remove(&self.site);
        }
        drop(sites);
        self.permit = None;
        self.uploads.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(number: u32) -> ClientNetwork {
        ClientNetwork::of(Ipv4Addr::from_bits(number).into())
    }

    #[tokio::test(start_paused = true)]
    async fn no_network_and_no_crowd_takes_more_than_there_is() {
        let uploads = Uploads::default();
        let greedy = [
            uploads.begin(client(1)).await.unwrap(),
            uploads.begin(client(1)).await.unwrap(),
        ];
        let held: Vec<_> = (0..SHARE)
            .map(|number| greedy[number % 2].reserve().unwrap())
            .collect();
        assert!(greedy[0].reserve().is_none() && greedy[1].reserve().is_none());
        let (second, third) = (
            uploads.begin(client(2)).await.unwrap(),
            uploads.begin(client(3)).await.unwrap(),
        );
        let others: Vec<_> = (0..SHARE)
            .flat_map(|_| [second.reserve().unwrap(), third.reserve().unwrap()])
            .collect();
        let fourth = uploads.begin(client(4)).await.unwrap();
        assert!(fourth.reserve().is_none());
        drop(held);
        assert!(fourth.reserve().is_some() && second.reserve().is_none());
        drop((others, greedy, second, third, fourth));
        assert!(uploads.sites.lock().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_third_upload_waits_for_the_end_of_another() {
        let uploads = Uploads::default();
        let (first, second) = (uploads.begin(client(1)).await, uploads.begin(client(1)).await);
        assert!(
            uploads.begin(client(1)).await.is_none(),
            "it waits, but not for ever"
        );
        let (third, ()) = tokio::join!(uploads.begin(client(1)), async {
            tokio::task::yield_now().await;
            drop(first);
        });
        assert!(third.is_some() && second.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_many_pictures_waits_among_others_with_one() {
        let uploads = Uploads::default();
        let many = [
            uploads.begin(client(1)).await.unwrap(),
            uploads.begin(client(1)).await.unwrap(),
        ];
        let other = uploads.begin(client(2)).await.unwrap();
        let until = Instant::now() + TURN;
        let first = many[0].turn(until).await.unwrap();
        let order = Mutex::new(Vec::new());
        let note = async |upload: &Upload<'_>, name| {
            let turn = upload.turn(until).await.unwrap();
            order.lock().push(name);
            drop(turn);
        };
        tokio::join!(note(&many[1], "many"), note(&other, "other"), async {
            tokio::task::yield_now().await;
            drop(first);
        });
        assert_eq!(*order.lock(), ["other", "many"]);
        let held = other.turn(until).await;
        assert!(held.is_some() && many[0].turn(until).await.is_none());
        assert!(Instant::now() >= until);
    }
}
