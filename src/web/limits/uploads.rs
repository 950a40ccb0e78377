//! Limits the memory and processor time of photo uploads. When memory is short, the upload that has held the most for longest is
//! evicted; the next photo to decode is that of the network that will then have used the least processor time.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::client_ip::ClientNetwork;
use super::concurrency::{ClientPermit, Concurrency};
use super::rate_limit::{DAY, RateLimit};

/// Unit of upload memory, in bytes.
pub const STEP: usize = 256 << 10;

/// Memory of all uploads together, in steps: enough for four of the largest files.
const STEPS: usize = 192;

/// Concurrent uploads of one client: a visitor's, and that of another person behind the same address.
const MAX_PER_CLIENT: usize = 2;

/// How long an upload waits to begin, and a photo to be decoded.
pub const TURN: Duration = Duration::from_secs(25);

/// How long an upload waits for memory.
const ROOM: Duration = Duration::from_secs(10);

/// How long an upload is safe from eviction: the time that 3 MB take at 5 Mbit/s.
const UNDISTURBED: Duration = Duration::from_secs(5);

/// The longest time until an evicted upload's memory is free.
const LEAVE_TIME: Duration = Duration::from_millis(100);

/// Expected processor time of the smallest photo, and the number of further bytes that take a millisecond. Camera photos take less,
/// except on slow machines.
const SMALLEST: Duration = Duration::from_millis(100);
const BYTES_PER_MILLISECOND: usize = 10_000;

/// How many times its expected processor time a photo may take while a network that has used less is waiting. Beyond that, it is
/// interrupted and queued again with twice the expected time, so that slow photos are eventually decoded as well.
const EXCESS: u32 = 3;

/// Polling interval of waiting uploads.
const LOOK: Duration = Duration::from_millis(20);

/// Unit of accounting for processor time; rounded up.
const UNIT: Duration = Duration::from_millis(10);

/// Processor time per network and day, in [`UNIT`]s: three minutes, enough for 300 photos of 12 megapixels on a slow machine.
const DAILY: NonZeroU32 = NonZeroU32::new(18_000).unwrap();

/// The state shared by all uploads.
#[derive(Debug)]
pub struct Uploads {
    clients: Arc<Concurrency>,
    state: Mutex<State>,
    /// Processor time that networks have used.
    decoded: RateLimit,
}

#[derive(Debug)]
struct State {
    next_id: u64,
    uploads: HashMap<u64, Held>,
    last_evicted: Instant,
}

/// The resources of an upload.
#[derive(Debug)]
struct Held {
    client: ClientNetwork,
    began: Instant,
    /// Its memory, in steps.
    steps: usize,
    /// Whether it was told to make room.
    is_evicted: bool,
    decoder: Decoder,
}

/// The state of an upload at the decoder.
#[derive(Debug, Default)]
enum Decoder {
    /// It does not need the decoder.
    #[default]
    None,
    /// It waits for its turn to decode a photo with this expected processor time.
    Waits(Duration),
    /// It has had its turn since this time.
    Works(Instant),
}

/// An admitted upload, which ends on drop.
#[derive(Debug)]
pub struct Upload<'a> {
    uploads: &'a Uploads,
    id: u64,
    /// The client that sends it.
    pub client: ClientNetwork,
    _permit: ClientPermit,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            clients: Concurrency::new(STEPS, MAX_PER_CLIENT),
            state: Mutex::new(State {
                next_id: 0,
                uploads: HashMap::new(),
                last_evicted: Instant::now(),
            }),
            decoded: RateLimit::new(DAY, DAILY),
        }
    }
}

impl Uploads {
    /// Admits an upload with one step of memory, once the client has few enough others. `None` if that takes longer than [`TURN`].
    pub async fn begin(&self, client: ClientNetwork) -> Option<Upload<'_>> {
        let begun = timeout(TURN, async {
            let permit = self.ready(|_| self.clients.count(client)).await;
            (self.ready(|state| state.begin(client)).await, permit)
        });
        let (id, permit) = begun.await.ok()?;
        Some(Upload {
            uploads: self,
            id,
            client,
            _permit: permit,
        })
    }

    /// Polls until `look` finds something.
    async fn ready<T>(&self, mut look: impl FnMut(&mut State) -> Option<T>) -> T {
        loop {
            if let Some(found) = look(&mut self.state.lock()) {
                return found;
            }
            sleep(LOOK).await;
        }
    }

    /// Processor time that the client's network will have used after `more`. Wall time would be misleading, since a small photo
    /// takes as long as a large one on a busy machine. Past usage is rounded down to multiples of [`SMALLEST`], so that a visitor's
    /// second photo ranks like the first.
    fn used_with(&self, client: ClientNetwork, more: Duration) -> Duration {
        let used = UNIT * self.decoded.used(client.site());
        SMALLEST * u32::try_from(used.as_millis() / SMALLEST.as_millis()).unwrap_or(u32::MAX) + more
    }
}

/// Expected processor time of a file with this many bytes. Padding a file only makes it wait longer, and a small file that takes
/// long is soon interrupted.
pub fn expected(bytes: usize) -> Duration {
    SMALLEST + Duration::from_millis(u64::try_from(bytes / BYTES_PER_MILLISECOND).unwrap_or(u64::MAX))
}

impl State {
    fn free(&self) -> usize {
        let held: usize = self.uploads.values().map(|held| held.steps).sum();
        STEPS.saturating_sub(held)
    }

    /// Admits an upload if there is memory for it.
    fn begin(&mut self, client: ClientNetwork) -> Option<u64> {
        if self.free() == 0 {
            self.make_room(None);
            return None;
        }
        self.next_id += 1;
        let held = Held {
            client,
            began: Instant::now(),
            steps: 1,
            is_evicted: false,
            decoder: Decoder::None,
        };
        self.uploads.insert(self.next_id, held);
        Some(self.next_id)
    }

    /// Sets an upload's memory if there is enough. `Some(false)` if this upload itself is the one to evict.
    fn hold(&mut self, id: u64, steps: usize) -> Option<bool> {
        let free = self.free();
        let held = self.uploads.get_mut(&id)?;
        if steps <= held.steps + free {
            held.steps = steps;
            return Some(true);
        }
        (!self.make_room(Some(id))).then_some(false)
    }

    /// Evicts the upload that has held the most for longest. `false` if that is the one asking.
    fn make_room(&mut self, asking: Option<u64>) -> bool {
        let now = Instant::now();
        let old = self.uploads.iter_mut();
        let old = old.filter(|(_, held)| !held.is_evicted && now - held.began >= UNDISTURBED);
        let most = old.max_by_key(|(_, held)| (now - held.began).as_millis() * held.steps as u128);
        match most {
            Some((id, _)) if Some(*id) == asking => return false,
            // Wait for the last eviction first: the memory it frees may be enough for all.
            Some((_, held)) if now - self.last_evicted >= LEAVE_TIME => {
                held.is_evicted = true;
                self.last_evicted = now;
            }
            _ => {}
        }
        true
    }

    /// The uploads waiting for the decoder, each with its expected processor time.
    fn waiting(&self) -> impl Iterator<Item = (u64, ClientNetwork, Duration)> {
        self.uploads.iter().filter_map(|(id, held)| match held.decoder {
            Decoder::Waits(expected) => Some((*id, held.client, expected)),
            _ => None,
        })
    }

    /// The upload whose network will have used the least processor time. Of equals, the latest: those that arrive in a flood are
    /// more likely aimed at the decoder.
    fn next(&self, uploads: &Uploads) -> Option<u64> {
        let order = |(id, client, expected): &_| (uploads.used_with(*client, *expected), Reverse(*id));
        self.waiting().min_by_key(order).map(|(id, ..)| id)
    }
}

impl Upload<'_> {
    fn held<T: Default>(&self, work: impl FnOnce(&mut Held) -> T) -> T {
        let held = &mut self.uploads.state.lock().uploads;
        held.get_mut(&self.id).map(work).unwrap_or_default()
    }

    /// The upload's memory, in steps.
    pub fn steps(&self) -> usize {
        self.held(|held| held.steps)
    }

    /// Sets the upload's memory. Returns false if none becomes free within [`ROOM`], or if this upload itself is the one to evict.
    pub async fn hold(&self, steps: usize) -> bool {
        let held = self.uploads.ready(|state| state.hold(self.id, steps));
        timeout(ROOM, held).await.unwrap_or(false)
    }

    /// Gives up memory and turn, so that others need not wait for a refused upload.
    pub fn give_up(&self) {
        self.end_turn(None);
        self.held(|held| held.steps = 0);
    }

    /// Completes when this upload is evicted.
    pub async fn evicted(&self) {
        let is_out = |state: &mut State| state.uploads.get(&self.id)?.is_evicted.then_some(());
        self.uploads.ready(is_out).await;
    }

    /// Whether the client's network has processor time left today.
    pub fn has_time(&self) -> bool {
        self.uploads.decoded.used(self.client.site()) < DAILY.get()
    }

    /// Waits for a turn to decode a photo with this expected processor time, giving up at `until`. Returns whether it got one,
    /// which then lasts until [`Self::end_turn`].
    pub async fn turn(&self, expected: Duration, until: Instant) -> bool {
        self.held(|held| held.decoder = Decoder::Waits(expected));
        let next = self.uploads.ready(|state| {
            let mut all = state.uploads.values();
            let is_busy = all.any(|held| matches!(held.decoder, Decoder::Works(_)));
            let next = state
                .next(self.uploads)
                .filter(|next| !is_busy && *next == self.id)?;
            state.uploads.get_mut(&next)?.decoder = Decoder::Works(Instant::now());
            Some(())
        });
        let has_turn = timeout_at(until, next).await.is_ok();
        if !has_turn {
            self.end_turn(None);
        }
        has_turn
    }

    /// Whether this upload should yield after `took` of processor time: that is far more than expected, and a network that has
    /// used less is waiting.
    pub fn is_outranked(&self, expected: Duration, took: Duration) -> bool {
        let used = self.uploads.used_with(self.client, took);
        let state = self.uploads.state.lock();
        took >= expected * EXCESS
            && state.waiting().any(|(_, other, expected)| {
                other.site() != self.client.site() && self.uploads.used_with(other, expected) < used
            })
    }

    /// Ends this upload's turn or its wait for one. `took` is the processor time used; if it is unknown, the elapsed time counts.
    pub fn end_turn(&self, took: Option<Duration>) {
        if let Decoder::Works(since) = self.held(|held| mem::take(&mut held.decoder)) {
            let took = took.unwrap_or_else(|| since.elapsed());
            let units = u32::try_from(took.as_millis().div_ceil(UNIT.as_millis())).unwrap_or(u32::MAX);
            self.uploads.decoded.add(self.client.site(), units);
        }
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        self.end_turn(None);
        self.uploads.state.lock().uploads.remove(&self.id);
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
        let large = uploads.begin(client(1)).await.unwrap();
        let small = uploads.begin(client(2)).await.unwrap();
        assert!(large.hold(STEPS - 5).await && small.hold(5).await);
        advance(UNDISTURBED).await;
        assert!(!large.hold(STEPS).await, "it has cost the most itself");
        let (young, ()) = tokio::join!(uploads.begin(client(3)), async {
            large.evicted().await;
            drop(large);
        });
        let young = young.unwrap();
        assert!(young.hold(STEPS - 5).await);
        // No upload ends, so the wait times out.
        assert!(!young.hold(STEPS - 4).await);
        drop((small, young));
        let state = uploads.state.lock();
        assert!(state.uploads.is_empty() && state.free() == STEPS);
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

    /// Queues photos in this order while another is being decoded, and returns the order in which they are decoded.
    async fn order<'a>(uploads: &Uploads, photos: &[(&'a str, &Upload<'_>, usize)]) -> Vec<&'a str> {
        let until = Instant::now() + TURN;
        let busy = uploads.begin(client(99)).await.unwrap();
        assert!(busy.turn(SMALLEST, until).await);
        let order = Mutex::new(Vec::new());
        let mut all: FuturesUnordered<_> = photos
            .iter()
            .map(async |(name, upload, bytes)| {
                assert!(upload.turn(expected(*bytes), until).await);
                order.lock().push(*name);
                upload.end_turn(Some(UNIT));
            })
            .collect();
        tokio::join!(async { while all.next().await.is_some() {} }, async {
            tokio::task::yield_now().await;
            busy.end_turn(Some(UNIT));
        });
        drop(all);
        order.into_inner()
    }

    #[tokio::test(start_paused = true)]
    async fn who_will_have_used_least_is_next() {
        let uploads = Uploads::default();
        let mut all = Vec::new();
        for number in 0..4 {
            all.push(uploads.begin(client(number)).await.unwrap());
        }
        let [greedy, visitor, other, late] = &all[..] else {
            panic!()
        };
        let until = Instant::now() + TURN;
        assert!(greedy.turn(SMALLEST, until).await);
        greedy.end_turn(Some(SMALLEST * 3));
        // It took long by the clock, since the machine is busy.
        assert!(visitor.turn(SMALLEST, until).await);
        advance(TURN / 2).await;
        visitor.end_turn(Some(UNIT));
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
            uploads.begin(client(1)).await.unwrap(),
            uploads.begin(client(1)).await.unwrap(),
            uploads.begin(client(2)).await.unwrap(),
        );
        let until = Instant::now() + TURN;
        assert!(first.turn(SMALLEST, until).await);
        assert!(!second.turn(SMALLEST, Instant::now() + LOOK).await);
        let (is_taken, ()) = tokio::join!(second.turn(SMALLEST, until), async {
            tokio::task::yield_now().await;
            assert!(
                !first.is_outranked(SMALLEST, SMALLEST * 9),
                "its own network waits"
            );
            let (is_taken, ()) = tokio::join!(other.turn(SMALLEST, until), async {
                tokio::task::yield_now().await;
                assert!(
                    !first.is_outranked(SMALLEST, SMALLEST),
                    "it has taken what was expected"
                );
                assert!(first.is_outranked(SMALLEST, SMALLEST * EXCESS));
                first.end_turn(Some(SMALLEST * EXCESS));
            });
            assert!(is_taken);
            other.end_turn(None);
        });
        assert!(is_taken);
        second.end_turn(None);
        assert!(uploads.state.lock().waiting().next().is_none());
        let large = expected(12_000_000);
        assert!(first.turn(large, until).await);
        let (is_taken, ()) = tokio::join!(other.turn(SMALLEST, Instant::now() + LOOK), async {
            tokio::task::yield_now().await;
            assert!(
                !first.is_outranked(large, SMALLEST * 9),
                "a large one takes longer"
            );
        });
        assert!(!is_taken);
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_has_so_much_time_of_each_day() {
        let uploads = Uploads::default();
        let upload = uploads.begin(client(1)).await.unwrap();
        assert!(upload.turn(SMALLEST, Instant::now() + TURN).await);
        advance(UNIT * DAILY.get()).await;
        assert!(upload.has_time());
        upload.give_up();
        assert!(!upload.has_time());
        assert!(uploads.begin(client(2)).await.unwrap().has_time());
    }
}
