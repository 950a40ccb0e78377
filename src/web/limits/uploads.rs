//! Limits what photos take while they are on their way, memory and time of a processor, by what each has cost already: the upload that has
//! held most memory for longest makes room, and the network whose photos will have taken the least time is next.

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

/// What is held at once for what comes in, in bytes.
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

/// How long it takes at most until the memory of an upload that makes room is free.
const LEAVE_TIME: Duration = Duration::from_millis(100);

/// What the smallest photo is expected to take of a processor, and how many bytes more take a millisecond: those of cameras take less, but
/// on a slow machine.
const SMALLEST: Duration = Duration::from_millis(100);
const BYTES_PER_MILLISECOND: usize = 10_000;

/// How many times what was expected of it a photo may take while a network waits that has used less. Then it makes room and begins anew,
/// expected to take twice as much, so that those that take long are decoded in the end.
const EXCESS: u32 = 3;

/// How often those who wait look again.
const LOOK: Duration = Duration::from_millis(20);

/// What decoding has taken of a processor is counted by this, and a part of it as a whole.
const UNIT: Duration = Duration::from_millis(10);

/// What the photos of one network may take of a processor in a day, in [`UNIT`]s: three minutes, which 300 photos of 12
/// megapixels take on a slow machine.
const DAILY: NonZeroU32 = NonZeroU32::new(18_000).unwrap();

/// What uploads share.
#[derive(Debug)]
pub struct Uploads {
    clients: Arc<Concurrency>,
    state: Mutex<State>,
    /// What networks have used of the decoder.
    decoded: RateLimit,
}

#[derive(Debug)]
struct State {
    next_id: u64,
    uploads: HashMap<u64, Held>,
    last_evicted: Instant,
}

/// What an upload takes.
#[derive(Debug)]
struct Held {
    client: ClientNetwork,
    began: Instant,
    /// Its memory in steps.
    steps: usize,
    /// Whether it was told to make room.
    is_evicted: bool,
    decoder: Decoder,
}

/// What an upload has of the decoder.
#[derive(Debug, Default)]
enum Decoder {
    /// Nothing.
    #[default]
    None,
    /// It waits for its turn, to decode a photo that is expected to take so much.
    Waits(Duration),
    /// It has its turn, since this time.
    Works(Instant),
}

/// The right to one upload.
#[derive(Debug)]
pub struct Upload<'a> {
    uploads: &'a Uploads,
    id: u64,
    client: ClientNetwork,
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
    /// Returns the right to one upload with one step of memory, as soon as the client has few enough under way; `None` if that takes longer
    /// than [`TURN`].
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

    /// Waits until something is ready.
    async fn ready<T>(&self, mut look: impl FnMut(&mut State) -> Option<T>) -> T {
        loop {
            if let Some(found) = look(&mut self.state.lock()) {
                return found;
            }
            sleep(LOOK).await;
        }
    }

    /// Returns what the client's network will have used of a processor once it has used so much more. By the clock, a small photo takes as
    /// long as a large one on a busy machine. Less than the smallest is nothing, so that a visitor's second photo is as good as the first.
    fn used_with(&self, client: ClientNetwork, more: Duration) -> Duration {
        let used = UNIT * self.decoded.used(client.site());
        SMALLEST * u32::try_from(used.as_millis() / SMALLEST.as_millis()).unwrap_or(u32::MAX) + more
    }
}

/// Returns what a file of so many bytes is expected to take of a processor. Bytes that are no picture make it wait for longer, and a small
/// one that takes long is interrupted soon.
pub fn expected(bytes: usize) -> Duration {
    SMALLEST + Duration::from_millis(u64::try_from(bytes / BYTES_PER_MILLISECOND).unwrap_or(u64::MAX))
}

impl State {
    fn free(&self) -> usize {
        let held: usize = self.uploads.values().map(|held| held.steps).sum();
        STEPS.saturating_sub(held)
    }

    /// Begins an upload when there is memory for it.
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

    /// Has an upload hold so many steps, when there is memory for it; `Some(false)` if it has cost the most itself.
    fn hold(&mut self, id: u64, steps: usize) -> Option<bool> {
        let free = self.free();
        let held = self.uploads.get_mut(&id)?;
        if steps <= held.steps + free {
            held.steps = steps;
            return Some(true);
        }
        (!self.make_room(Some(id))).then_some(false)
    }

    /// Tells the upload that has held most for longest to make room; `false` if that is the one that asks for it.
    fn make_room(&mut self, asking: Option<u64>) -> bool {
        let now = Instant::now();
        let old = self.uploads.iter_mut();
        let old = old.filter(|(_, held)| !held.is_evicted && now - held.began >= UNDISTURBED);
        let most = old.max_by_key(|(_, held)| (now - held.began).as_millis() * held.steps as u128);
        match most {
            Some((id, _)) if Some(*id) == asking => return false,
            // Its memory is free in a moment, which may be enough for all who wait.
            Some((_, held)) if now - self.last_evicted >= LEAVE_TIME => {
                held.is_evicted = true;
                self.last_evicted = now;
            }
            _ => {}
        }
        true
    }

    /// Returns who wait for the decoder, each with what its photo is expected to take.
    fn waiting(&self) -> impl Iterator<Item = (u64, ClientNetwork, Duration)> {
        self.uploads.iter().filter_map(|(id, held)| match held.decoder {
            Decoder::Waits(expected) => Some((*id, held.client, expected)),
            _ => None,
        })
    }

    /// Returns who is next: whose network will have used least then. Of equals, who came last: many who come together are more likely to
    /// want the decoder than the photos.
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

    /// Returns how many steps of memory it holds.
    pub fn steps(&self) -> usize {
        self.held(|held| held.steps)
    }

    /// Holds so many steps of memory; returns false if there are none for [`ROOM`], or if this upload has cost the most.
    pub async fn hold(&self, steps: usize) -> bool {
        let held = self.uploads.ready(|state| state.hold(self.id, steps));
        timeout(ROOM, held).await.unwrap_or(false)
    }

    /// Gives up memory and turn, so that nobody waits for an upload that was refused.
    pub fn give_up(&self) {
        self.end_turn(None);
        self.held(|held| held.steps = 0);
    }

    /// Completes when this upload has to make room for others.
    pub async fn evicted(&self) {
        let is_out = |state: &mut State| state.uploads.get(&self.id)?.is_evicted.then_some(());
        self.uploads.ready(is_out).await;
    }

    /// Returns whether the client's network has time of the decoder left on this day.
    pub fn has_time(&self) -> bool {
        self.uploads.decoded.used(self.client.site()) < DAILY.get()
    }

    /// Waits for the turn to decode a photo that is expected to take so much of a processor, until then at most. Returns whether it has
    /// come, and then lasts until it is ended.
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

    /// Returns whether this upload ends its turn after so much time of a processor, since that is much more than what was expected and
    /// another network waits that has used less.
    pub fn is_outranked(&self, expected: Duration, took: Duration) -> bool {
        let used = self.uploads.used_with(self.client, took);
        let state = self.uploads.state.lock();
        took >= expected * EXCESS
            && state.waiting().any(|(_, other, expected)| {
                other.site() != self.client.site() && self.uploads.used_with(other, expected) < used
            })
    }

    /// Ends the turn of this upload, which has taken so much of a processor, as much as the time that it lasted unless that is known; or
    /// its wait for one.
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
        // Nobody leaves, and the wait ends.
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

    /// Has photos decoded that come in this order while another one is, and returns the order in which they were.
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
        // By the clock it took long, since the machine is busy.
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
