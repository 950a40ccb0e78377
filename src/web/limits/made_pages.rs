//! Limits how many pages that were made for one visitor may wait until they are read. All other bodies are shared by those who
//! ask for them, or a few hundred bytes long; these are a client's own, up to 180 KB each.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use hyper::Response;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::site::http::response::Body;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::seat::Seat;
use crate::web::limits::{ClientCounts, ClientPermit};

/// Such pages at once. The longest repeats a form of 16 KB in which every character is escaped by six, so all of them take at most
/// 45 MB. A page that is read at once counts for milliseconds.
const MAX_PAGES: usize = 256;

/// Of one client: an eighth, as of connections.
const MAX_PAGES_PER_CLIENT: usize = MAX_PAGES / 8;

/// Photos at once, of some 400 KB each.
const MAX_PHOTOS: usize = 64;

/// Of one client: those of two pages.
const MAX_PHOTOS_PER_CLIENT: usize = 2 * crate::domain::referral::MAX_PHOTOS + 2;

/// How long a page is there at least before it makes room for another one.
const KEPT_FOR: Duration = Duration::from_secs(1);

/// The pages that are there now.
#[derive(Debug)]
pub struct MadePages {
    most: usize,
    clients: Arc<ClientCounts>,
    places: Mutex<Places>,
}

#[derive(Debug, Default)]
struct Places {
    /// The oldest first.
    taken: BTreeMap<u64, Arc<Taken>>,
    next: u64,
}

/// When the page was begun, and the connection that it is for.
#[derive(Debug)]
struct Taken {
    since: Instant,
    seat: OnceLock<Arc<Seat>>,
}

/// The right to one page, held until it is taken.
#[derive(Debug)]
pub struct Place {
    pages: Arc<MadePages>,
    number: u64,
    taken: Arc<Taken>,
    _client: ClientPermit,
}

/// A page's bytes, with what is held as long as they are there.
struct Held(Bytes, #[expect(dead_code, reason = "held")] Place);

/// Marks a response that holds a place.
#[derive(Clone)]
struct Mark(Arc<Taken>);

impl MadePages {
    /// Returns the right to make a page for the client, unless too many of its pages are waiting. When those of all clients are
    /// too many, the connection that has left one untaken for longest makes room.
    pub fn place(self: &Arc<Self>, client: ClientNetwork) -> Option<Place> {
        let permit = self.clients.acquire(client)?;
        let mut places = self.places.lock();
        if places.taken.len() >= self.most {
            let mut old = places.taken.iter();
            let (oldest, seat) = old.find_map(|(&number, taken)| {
                let seat = taken.seat.get().filter(|_| taken.since.elapsed() >= KEPT_FOR)?;
                Some((number, Arc::clone(seat)))
            })?;
            seat.leave();
            places.taken.remove(&oldest);
        }
        let number = places.next;
        places.next += 1;
        let taken = Arc::new(Taken {
            since: Instant::now(),
            seat: OnceLock::new(),
        });
        places.taken.insert(number, Arc::clone(&taken));
        Some(Place {
            pages: Arc::clone(self),
            number,
            taken,
            _client: permit,
        })
    }
}

impl MadePages {
    /// Creates as many places for photos, which are larger.
    pub fn for_photos() -> Self {
        Self::of(MAX_PHOTOS, MAX_PHOTOS_PER_CLIENT)
    }

    fn of(most: usize, of_one: usize) -> Self {
        Self {
            most,
            clients: ClientCounts::new(of_one),
            places: Mutex::default(),
        }
    }
}

impl Default for MadePages {
    fn default() -> Self {
        Self::of(MAX_PAGES, MAX_PAGES_PER_CLIENT)
    }
}

impl Place {
    /// Holds the place for as long as the response's body is there.
    pub fn hold(self, response: Response<Body>) -> Response<Body> {
        if response.body().bytes().is_empty() {
            return response;
        }
        let mark = Mark(Arc::clone(&self.taken));
        let mut response = response.map(|body| Bytes::from_owner(Held(body.into_bytes(), self)).into());
        response.extensions_mut().insert(mark);
        response
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.pages.places.lock().taken.remove(&self.number);
    }
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Tells which connection the response goes to, if it holds a place.
pub fn seat(response: &mut Response<Body>, seat: &Arc<Seat>) {
    if let Some(Mark(taken)) = response.extensions_mut().remove()
        && seat.may_leave()
    {
        let _ = taken.seat.set(Arc::clone(seat));
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use hyper::{HeaderMap, StatusCode};

    use super::*;
    use crate::site::http::response;

    fn client(number: u32) -> ClientNetwork {
        ClientNetwork::of(Ipv4Addr::from_bits(number).into())
    }

    fn held(place: Place, at: &Arc<Seat>) -> Response<Body> {
        let mut response = place.hold(response::response(StatusCode::OK, HeaderMap::new(), "page"));
        seat(&mut response, at);
        response
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_has_room_again_when_its_page_is_gone() {
        let pages = Arc::new(MadePages::default());
        let at = Arc::<Seat>::default();
        let place = || pages.place(client(1));
        let mut responses: Vec<_> = (0..MAX_PAGES_PER_CLIENT)
            .map(|_| held(place().unwrap(), &at))
            .collect();
        tokio::time::advance(KEPT_FOR).await;
        assert!(place().is_none());
        assert!(pages.place(client(2)).is_some());
        assert_eq!(responses.pop().unwrap().into_body().into_bytes(), "page");
        assert!(place().is_some());
        // Nothing is held for what has no body.
        drop(
            place()
                .unwrap()
                .hold(response::empty(StatusCode::OK, HeaderMap::new())),
        );
        assert!(place().is_some());
        drop(responses);
        assert!(pages.places.lock().taken.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn the_page_that_was_left_for_longest_makes_room() {
        let pages = Arc::new(MadePages::default());
        let seats: Vec<Arc<Seat>> = (0..8).map(|_| Arc::default()).collect();
        let mut responses = Vec::new();
        // One of another client, by a proxy that others use as well.
        responses.push(held(
            pages.place(client(99)).unwrap(),
            &Arc::new(Seat::of_proxy()),
        ));
        for (number, at) in (0..).zip(&seats) {
            for _ in responses.len()..MAX_PAGES.min(responses.len() + MAX_PAGES_PER_CLIENT) {
                responses.push(held(pages.place(client(number)).unwrap(), at));
            }
        }
        assert!(pages.place(client(100)).is_none(), "all are new");
        tokio::time::advance(KEPT_FOR).await;
        let has_left = |at: &Seat| at.idle_since().is_none();
        assert!(!seats.iter().any(|at| has_left(at)));
        let more = pages.place(client(100)).unwrap();
        assert!(has_left(&seats[0]) && !seats[1..].iter().any(|at| has_left(at)));
        assert_eq!(pages.places.lock().taken.len(), MAX_PAGES);
        drop((responses, more));
        assert!(pages.places.lock().taken.is_empty());
    }
}
