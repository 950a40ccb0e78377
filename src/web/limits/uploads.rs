//! Limits what photos take while they are on their way, memory and time of a processor, by what each has cost already: the upload that has
//! held most memory for longest makes room, and the network whose photos will have taken the least time is next.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout, timeout_at};

use super::client_ip::ClientNetwork;
use super::concurrency::{ClientPermit, Concurrency};
use super::daily_share::DailyShare;

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

/// What the smallest photo is expected to take of a processor, and how many bytes more take a millisecond: those of cameras take less, but
/// on a slow machine.
const SMALLEST: Duration = Duration::from_millis(100);
const BYTES_PER_MILLISECOND: usize = 10_000;

/// How many times what was expected of it a photo may take while a network waits that has used less. Then it makes room and begins anew,
/// expected to take twice as much, so that those that take long are decoded in the end.
const EXCESS: u32 = 3;

/// After this those who wait look again: time passes without a change.
const LOOK: Duration = Duration::from_millis(100);

/// What decoding has taken of a processor is counted by this, and a part of it as a whole.
const UNIT: Duration = Duration::from_millis(10);

/// What the photos of one network may take of a processor in a day, in [`UNIT`]s: three minutes, which 300 photos of 12
/// megapixels take on a slow machine.
const DAILY: u16 = 18_000;

/// What uploads share.
#[derive(Debug)]
pub struct Uploads {
    clients: Arc<Concurrency>,
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
    /// The photos that wait for the decoder, with what they are expected to take.
    waiting: Vec<(u64, ClientNetwork, Duration)>,
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
    expected: Duration,
    since: Instant,
    /// What it took of a processor; unless that is known, as long as it lasted.
    took: Option<Duration>,
}

/// A place among those who wait for the decoder.
struct Waiting<'a> {
    uploads: &'a Uploads,
    id: u64,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            clients: Concurrency::new(0, MAX_PER_CLIENT),
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
            let permit = self.ready(|_| self.clients.count(client)).await;
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
            let _ = timeout(LOOK, changed).await;
        }
    }

    /// Returns what the client's network will have used of a processor once it has used so much more. By the clock, a small photo takes as
    /// long as a large one on a busy machine. Less than the smallest is nothing, so that a visitor's second photo is as good as the first.
    fn used_with(&self, client: ClientNetwork, more: Duration) -> Duration {
        let smallest = u16::try_from(SMALLEST.as_millis() / UNIT.as_millis()).unwrap_or(1);
        SMALLEST * (self.decoded.add(client, 0) / smallest).into() + more
    }
}

/// Returns what a file of so many bytes is expected to take of a processor. Bytes that are no picture make it wait for longer, and a small
/// one that takes long is interrupted soon.
pub fn expected(bytes: usize) -> Duration {
    SMALLEST + Duration::from_millis(u64::try_from(bytes / BYTES_PER_MILLISECOND).unwrap_or(u64::MAX))
}

impl State {
    /// Returns who is next: whose network will have used least then. Of equals, who came last: many who come together are more likely to
    /// want the decoder than the photos.
    fn next(&self, uploads: &Uploads) -> Option<u64> {
        let order = |(id, client, expected): &&_| (uploads.used_with(*client, *expected), Reverse(*id));
        self.waiting.iter().min_by_key(order).map(|(id, ..)| *id)
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
        if now - self.last_evicted >= LOOK
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

    /// Waits for the turn to decode a photo that is expected to take so much of a processor, until then at most.
    pub async fn turn(&self, expected: Duration, until: Instant) -> Option<Turn<'a>> {
        let uploads = self.uploads;
        let id = {
            let mut state = uploads.state.lock();
            state.next_id += 1;
            let id = state.next_id;
            state.waiting.push((id, self.client, expected));
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
            expected,
            since: Instant::now(),
            took: None,
        })
    }
}

impl Turn<'_> {
    /// Returns whether this makes room after so much time of a processor, since it has taken long and another network waits that has used
    /// less.
    pub fn is_outranked(&self, took: Duration) -> bool {
        let used = self.uploads.used_with(self.client, took);
        let state = self.uploads.state.lock();
        let mut others = state.waiting.iter();
        took >= self.expected * EXCESS
            && others.any(|(_, client, expected)| {
                client.site() != self.client.site() && self.uploads.used_with(*client, *expected) < used
            })
    }

    /// Ends the turn, which has taken so much of a processor.
    pub fn end(mut self, took: Duration) {
        self.took = Some(took);
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let took = self.took.unwrap_or_else(|| self.since.elapsed());
        let units = took.as_millis().div_ceil(UNIT.as_millis());
        self.uploads
            .decoded
            .add(self.client, u16::try_from(units).unwrap_or(u16::MAX));
        self.uploads.state.lock().is_decoding = false;
        self.uploads.changed.notify_waiters();
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.uploads
            .state
            .lock()
            .waiting
            .retain(|(id, ..)| *id != self.id);
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

    use futures_util::stream::{FuturesUnordered, StreamExt};
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

    /// Has photos decoded that come in this order while another one is, and returns the order in which they were.
    async fn order<'a>(uploads: &Uploads, photos: &[(&'a str, &Upload<'_>, usize)]) -> Vec<&'a str> {
        let until = Instant::now() + TURN;
        let busy = uploads.begin(client(99)).await.unwrap().0;
        let running = busy.turn(SMALLEST, until).await.unwrap();
        let order = Mutex::new(Vec::new());
        let mut all: FuturesUnordered<_> = photos
            .iter()
            .map(async |(name, upload, bytes)| {
                let turn = upload.turn(expected(*bytes), until).await.unwrap();
                order.lock().push(*name);
                turn.end(UNIT);
            })
            .collect();
        tokio::join!(async { while all.next().await.is_some() {} }, async {
            tokio::task::yield_now().await;
            running.end(UNIT);
        });
        drop(all);
        order.into_inner()
    }

    #[tokio::test(start_paused = true)]
    async fn who_will_have_used_least_is_next() {
        let uploads = Uploads::default();
        let mut all = Vec::new();
        for number in 0..4 {
            all.push(uploads.begin(client(number)).await.unwrap().0);
        }
        let [greedy, visitor, other, late] = &all[..] else {
            panic!()
        };
        let until = Instant::now() + TURN;
        greedy.turn(SMALLEST, until).await.unwrap().end(SMALLEST * 3);
        // By the clock it took long, since the machine is busy.
        let turn = visitor.turn(SMALLEST, until).await.unwrap();
        advance(TURN / 2).await;
        turn.end(UNIT);
        let photos = [
            ("late", late, 12_000_000),
            ("visitor", visitor, 200_000),
            ("greedy", greedy, 6_000),
            ("other", other, 200_000),
        ];
        assert_eq!(
            order(&uploads, &photos).await,
            ["other", "visitor", "greedy", "late"]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn what_takes_long_makes_room_for_others() {
        let uploads = Uploads::default();
        let (first, second, other) = (
            uploads.begin(client(1)).await.unwrap().0,
            uploads.begin(client(1)).await.unwrap().0,
            uploads.begin(client(2)).await.unwrap().0,
        );
        let until = Instant::now() + TURN;
        let turn = first.turn(SMALLEST, until).await.unwrap();
        assert!(second.turn(SMALLEST, Instant::now() + LOOK).await.is_none());
        let (taken, ()) = tokio::join!(second.turn(SMALLEST, until), async {
            tokio::task::yield_now().await;
            assert!(!turn.is_outranked(SMALLEST * 9), "its own network waits");
            let (taken, ()) = tokio::join!(other.turn(SMALLEST, until), async {
                tokio::task::yield_now().await;
                assert!(!turn.is_outranked(SMALLEST), "it has taken what was expected");
                assert!(turn.is_outranked(SMALLEST * EXCESS));
                turn.end(SMALLEST * EXCESS);
            });
            drop(taken.unwrap());
        });
        drop(taken);
        assert!(uploads.state.lock().waiting.is_empty());
        let turn = first.turn(expected(12_000_000), until).await.unwrap();
        let (none, ()) = tokio::join!(other.turn(SMALLEST, Instant::now() + LOOK), async {
            tokio::task::yield_now().await;
            assert!(!turn.is_outranked(SMALLEST * 9), "a large one takes longer");
        });
        assert!(none.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_has_so_much_time_of_each_day() {
        let uploads = Uploads::default();
        let (upload, _) = uploads.begin(client(1)).await.unwrap();
        let turn = upload.turn(SMALLEST, Instant::now() + TURN).await.unwrap();
        advance(UNIT * u32::from(DAILY)).await;
        assert!(upload.has_time());
        drop(turn);
        assert!(!upload.has_time());
        assert!(uploads.begin(client(2)).await.unwrap().0.has_time());
    }
}
