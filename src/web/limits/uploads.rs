//! Limits what photos take while they are on their way, memory and time of a processor, by what each has cost already: the upload that has
//! held most memory for longest makes room, and the network whose photos have taken the least time is next.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::client_ip::ClientNetwork;
use super::daily_share::DailyShare;
use super::{ClientCounts, ClientPermit};

/// What is reserved at once for what comes in, in bytes.
pub const STEP: usize = 256 << 10;

/// What all uploads may take together, in steps: four of the largest files.
const STEPS: usize = 192;

/// Uploads of one client at once: one of a visitor, and one of somebody behind the same address.
const MAX_PER_CLIENT: usize = 2;

/// How long an upload waits until it may begin, and a photo until it is decoded.
pub const TURN: Duration = Duration::from_secs(25);

/// How long an upload waits for memory.
const ROOM: Duration = Duration::from_secs(10);

/// How long an upload is left alone: one of 3 MB takes as long at 5 megabits a second.
const UNDISTURBED: Duration = Duration::from_secs(5);

/// How long a photo is decoded while a network waits that has used less: longer than any takes that a camera has made. Then it makes room,
/// and begins anew.
const SLICE: Duration = Duration::from_secs(4);

/// What decoding has taken is counted by this, and those who wait look again after it: time passes without a change.
const UNIT: Duration = Duration::from_millis(100);

/// What the photos of one network may take of the decoder in a day, in [`UNIT`]s: three minutes, which 300 photos of 12
/// megapixels take on a slow machine.
const DAILY: u16 = 1800;

/// What uploads share.
#[derive(Debug)]
pub struct Uploads {
    clients: Arc<ClientCounts>,
    state: Mutex<State>,
    /// Wakes all that wait for anything in here.
    changed: Notify,
    decoded: DailyShare,
}

#[derive(Debug)]
struct State {
    free: usize,
    next_id: u64,
    /// Without those that were evicted.
    uploads: HashMap<u64, Usage>,
    last_evicted: Instant,
    /// The uploads that wait for the decoder, in order of arrival.
    waiting: Vec<(u64, ClientNetwork)>,
    is_decoding: bool,
}

/// The memory of an upload, in steps.
#[derive(Debug)]
struct Usage {
    began: Instant,
    steps: usize,
    /// Step-milliseconds until [`Self::changed`].
    cost: u128,
    changed: Instant,
    evicted: Arc<Notify>,
}

/// The right to one upload.
#[derive(Debug)]
pub struct Upload<'a> {
    uploads: &'a Uploads,
    id: u64,
    client: ClientNetwork,
    evicted: Arc<Notify>,
    permit: Option<ClientPermit>,
}

/// [`STEP`] bytes of memory.
#[derive(Debug)]
pub struct Reserved<'a> {
    uploads: &'a Uploads,
    id: u64,
}

/// The right to decode one photo.
#[derive(Debug)]
pub struct Turn<'a> {
    uploads: &'a Uploads,
    client: ClientNetwork,
    since: Instant,
}

/// A place among those who wait for the decoder.
struct Waiting<'a> {
    uploads: &'a Uploads,
    id: u64,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            clients: ClientCounts::new(MAX_PER_CLIENT),
            state: Mutex::new(State {
                free: STEPS,
                next_id: 0,
                uploads: HashMap::new(),
                last_evicted: Instant::now(),
                waiting: Vec::new(),
                is_decoding: false,
            }),
            changed: Notify::new(),
            decoded: DailyShare::new(DAILY),
        }
    }
}

impl Uploads {
    /// Returns the right to one upload and [`STEP`] bytes of memory, as soon as the client has few enough under way; `None` if that takes
    /// longer than [`TURN`].
    pub async fn begin(&self, client: ClientNetwork) -> Option<(Upload<'_>, Reserved<'_>)> {
        let begun = timeout(TURN, async {
            let permit = self.ready(|_| self.clients.acquire(client)).await;
            let evicted = Arc::new(Notify::new());
            let id = self.ready(|state| state.begin(&evicted)).await;
            (permit, evicted, id)
        });
        let (permit, evicted, id) = begun.await.ok()?;
        let upload = Upload {
            uploads: self,
            id,
            client,
            evicted,
            permit: Some(permit),
        };
        Some((upload, Reserved { uploads: self, id }))
    }

    /// Waits until something is ready.
    async fn ready<T>(&self, mut look: impl FnMut(&mut State) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            if let Some(found) = look(&mut self.state.lock()) {
                return found;
            }
            let _ = timeout(UNIT, changed).await;
        }
    }

    /// Seconds of the decoder that the client's network has used. Less than one is nothing, so that five photos of a visitor are as good
    /// as one.
    fn used(&self, client: ClientNetwork) -> u64 {
        (UNIT * self.decoded.add(client, 0).into()).as_secs()
    }
}

impl State {
    /// Returns who is next: of those who have used least, who came last. Many who come together are more likely to want the decoder than
    /// the photos.
    fn next(&self, uploads: &Uploads) -> Option<u64> {
        let order = |(id, client): &&(u64, ClientNetwork)| (uploads.used(*client), Reverse(*id));
        self.waiting.iter().min_by_key(order).map(|(id, _)| *id)
    }

    /// Begins an upload when there is memory for it.
    fn begin(&mut self, evicted: &Arc<Notify>) -> Option<u64> {
        self.next_id += 1;
        self.take_step(self.next_id)?;
        let now = Instant::now();
        let usage = Usage {
            began: now,
            steps: 1,
            cost: 0,
            changed: now,
            evicted: Arc::clone(evicted),
        };
        self.uploads.insert(self.next_id, usage);
        Some(self.next_id)
    }

    /// Takes a step for an upload, or asks the one that has cost most to make room; `Some(false)` if that is the same.
    fn take_step(&mut self, id: u64) -> Option<bool> {
        let now = Instant::now();
        if self.free > 0 {
            self.free -= 1;
            if let Some(usage) = self.uploads.get_mut(&id) {
                usage.add(1, now);
            }
            return Some(true);
        }
        let old = self
            .uploads
            .iter()
            .filter(|(_, usage)| now - usage.began >= UNDISTURBED);
        let (most, _) = old.max_by_key(|(_, usage)| usage.cost(now))?;
        let most = *most;
        if most == id {
            return Some(false);
        }
        // Its memory is free in a moment, which may be enough for all who wait.
        if now - self.last_evicted >= UNIT
            && let Some(usage) = self.uploads.remove(&most)
        {
            usage.evicted.notify_one();
            self.last_evicted = now;
        }
        None
    }
}

impl Usage {
    fn cost(&self, now: Instant) -> u128 {
        self.cost + (now - self.changed).as_millis() * self.steps as u128
    }

    fn add(&mut self, steps: isize, now: Instant) {
        self.cost = self.cost(now);
        self.changed = now;
        self.steps = self.steps.saturating_add_signed(steps);
    }
}

impl<'a> Upload<'a> {
    /// Reserves [`STEP`] bytes of memory; `None` if there are none for [`ROOM`], or if this upload has cost the most.
    pub async fn reserve(&self) -> Option<Reserved<'a>> {
        let taken = timeout(ROOM, self.uploads.ready(|state| state.take_step(self.id)));
        taken.await.is_ok_and(|taken| taken).then(|| Reserved {
            uploads: self.uploads,
            id: self.id,
        })
    }

    /// Completes when this upload has to make room for others.
    pub async fn evicted(&self) {
        self.evicted.notified().await;
    }

    /// Returns whether the client's network has time of the decoder left on this day.
    pub fn has_time(&self) -> bool {
        self.uploads.decoded.add(self.client, 0) < DAILY
    }

    /// Waits for the turn to decode a photo, until then at most.
    pub async fn turn(&self, until: Instant) -> Option<Turn<'a>> {
        let uploads = self.uploads;
        let id = {
            let mut state = uploads.state.lock();
            state.next_id += 1;
            let id = state.next_id;
            state.waiting.push((id, self.client));
            id
        };
        let _waiting = Waiting { uploads, id };
        let turn = uploads.ready(|state| {
            let is_next = !state.is_decoding && state.next(uploads) == Some(id);
            is_next.then(|| state.is_decoding = true)
        });
        timeout_at(until, turn).await.ok().map(|()| Turn {
            uploads,
            client: self.client,
            since: Instant::now(),
        })
    }
}

impl Turn<'_> {
    /// Completes when this has taken long and a network waits that has used less.
    pub async fn outranked(&self) {
        sleep_until(self.since + SLICE).await;
        let uploads = self.uploads;
        let outranked = uploads.ready(|state| {
            let used = uploads.used(self.client) + self.since.elapsed().as_secs();
            let mut waiting = state.waiting.iter();
            waiting
                .any(|(_, client)| uploads.used(*client) < used)
                .then_some(())
        });
        outranked.await;
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let units = self.since.elapsed().as_millis() / UNIT.as_millis();
        self.uploads
            .decoded
            .add(self.client, u16::try_from(units).unwrap_or(u16::MAX));
        self.uploads.state.lock().is_decoding = false;
        self.uploads.changed.notify_waiters();
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.uploads.state.lock().waiting.retain(|(id, _)| *id != self.id);
        self.uploads.changed.notify_waiters();
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut state = self.uploads.state.lock();
        state.free += 1;
        if let Some(usage) = state.uploads.get_mut(&self.id) {
            usage.add(-1, Instant::now());
        }
        drop(state);
        self.uploads.changed.notify_waiters();
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        self.uploads.state.lock().uploads.remove(&self.id);
        self.permit = None;
        self.uploads.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::time::advance;

    use super::*;

    fn client(number: u32) -> ClientNetwork {
        ClientNetwork::of(Ipv4Addr::from_bits(number).into())
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_held_most_for_longest_makes_room() {
        let uploads = Uploads::default();
        let (large, first) = uploads.begin(client(1)).await.unwrap();
        let (small, second) = uploads.begin(client(2)).await.unwrap();
        let mut held = vec![first];
        for _ in 0..STEPS - 6 {
            held.push(large.reserve().await.unwrap());
        }
        let mut few = vec![second];
        for _ in 0..4 {
            few.push(small.reserve().await.unwrap());
        }
        advance(UNDISTURBED).await;
        assert!(large.reserve().await.is_none(), "it has cost the most itself");
        let (young, ()) = tokio::join!(uploads.begin(client(3)), async {
            large.evicted().await;
            held.clear();
        });
        let (young, third) = young.unwrap();
        for _ in 0..STEPS - 6 {
            held.push(young.reserve().await.unwrap());
        }
        // Nobody leaves, and the wait ends.
        assert!(young.reserve().await.is_none());
        drop((held, few, third, large, small, young));
        let state = uploads.state.lock();
        assert!(state.uploads.is_empty() && state.free == STEPS);
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
    async fn who_has_used_least_is_next_and_interrupts_what_takes_long() {
        let uploads = Uploads::default();
        let (greedy, other, late) = (
            uploads.begin(client(1)).await.unwrap().0,
            uploads.begin(client(2)).await.unwrap().0,
            uploads.begin(client(3)).await.unwrap().0,
        );
        let until = Instant::now() + TURN;
        let first = greedy.turn(until).await.unwrap();
        let order = Mutex::new(Vec::new());
        let note = async |upload: &Upload<'_>, name| {
            let turn = upload.turn(until).await.unwrap();
            order.lock().push(name);
            advance(UNIT).await;
            drop(turn);
        };
        tokio::join!(
            note(&greedy, "greedy"),
            note(&other, "other"),
            note(&late, "late"),
            async {
                first.outranked().await;
                assert_eq!(first.since.elapsed(), SLICE);
                drop(first);
            }
        );
        assert_eq!(*order.lock(), ["late", "other", "greedy"]);
        let held = other.turn(until).await;
        assert!(held.is_some() && greedy.turn(until).await.is_none());
        assert!(Instant::now() >= until && uploads.state.lock().waiting.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_has_so_much_time_of_each_day() {
        let uploads = Uploads::default();
        let (upload, _) = uploads.begin(client(1)).await.unwrap();
        let turn = upload.turn(Instant::now() + TURN).await.unwrap();
        advance(UNIT * u32::from(DAILY)).await;
        assert!(upload.has_time());
        drop(turn);
        assert!(!upload.has_time());
        assert!(uploads.begin(client(2)).await.unwrap().0.has_time());
    }
}
