//! How many connections the process and each client may have. Made once, and shared by all listeners.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::file_descriptors;
use super::limits::{IDLE_BEFORE_LEAVING, Limits};
use crate::base::logging::LogThrottle;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::seat::Seat;
use crate::web::limits::{ClientCounts, ClientPermit};

/// The connections of all listeners together.
#[derive(Debug)]
pub struct ConnectionLimits {
    /// The limits of a single connection, and the numbers that the rest is made from.
    pub limits: Limits,
    allowed: usize,
    slots: Arc<Semaphore>,
    clients: Arc<ClientCounts>,
    seats: Mutex<Seats>,
    refusals: LogThrottle,
    failures: LogThrottle,
}

/// The connections that can be asked to make room.
#[derive(Debug)]
struct Seats {
    taken: HashMap<u64, Arc<Seat>>,
    next: u64,
}

/// The right of a client to a connection.
#[derive(Debug)]
pub struct Admission {
    /// `None` for a trusted proxy that has more than a client may have.
    _client: Option<ClientPermit>,
}

/// The right to a connection, held until it ends.
#[derive(Debug)]
pub struct ConnectionPermit {
    limits: Arc<ConnectionLimits>,
    number: u64,
    /// The place of the connection.
    pub seat: Arc<Seat>,
    _slot: OwnedSemaphorePermit,
    _admission: Admission,
}

impl ConnectionLimits {
    /// Creates the limits, and raises the process's limit of file descriptors to fit them.
    pub fn new(limits: Limits) -> Self {
        let allowed = file_descriptors::raise_limit(limits.connections);
        if allowed < limits.connections {
            tracing::warn!(
                "the system allows this process {allowed} connections at once instead of {}; raise its limit of open \
                 files",
                limits.connections
            );
        }
        Self {
            limits,
            allowed,
            slots: Arc::new(Semaphore::new(allowed)),
            clients: ClientCounts::new(limits.per_client),
            seats: Mutex::new(Seats {
                // As large as it gets: what grows in a crowd would stay where the crowd was, and keep its memory from the
                // system.
                taken: HashMap::with_capacity(allowed),
                next: 0,
            }),
            refusals: LogThrottle::default(),
            failures: LogThrottle::default(),
        }
    }

    /// Admits a connection from `peer`, or returns `None` if that client has too many. A trusted proxy is counted like
    /// any other client, but never refused.
    pub fn admit(&self, peer: IpAddr, is_proxy: bool) -> Option<Admission> {
        let client = self.clients.acquire(ClientNetwork::of(peer));
        if client.is_none() && !is_proxy {
            if self.refusals.is_due() {
                tracing::warn!(
                    "one client has {} connections, or those around it have more; further ones are closed (if it is your \
                     reverse proxy, name it with --trusted-proxy)",
                    self.limits.per_client
                );
            }
            return None;
        }
        Some(Admission { _client: client })
    }

    /// Waits until the process may have another connection: the one that is idle for longest makes room. When none is, further
    /// clients wait in the system's queue, where they cost this process nothing: in a crowd, a visitor gets the page a moment
    /// later instead of an error.
    pub async fn slot(
        self: &Arc<Self>,
        admission: Admission,
        is_proxy: bool,
    ) -> io::Result<ConnectionPermit> {
        let slot = loop {
            if let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
                break slot;
            }
            self.make_room();
            let slot = Arc::clone(&self.slots).acquire_owned();
            if let Ok(slot) = timeout(IDLE_BEFORE_LEAVING, slot).await {
                break slot.map_err(io::Error::other)?;
            }
        };
        let seat = Arc::new(if is_proxy {
            Seat::of_proxy()
        } else {
            Seat::default()
        });
        let mut seats = self.seats.lock();
        let number = seats.next;
        seats.next += 1;
        if seat.may_leave() {
            seats.taken.insert(number, Arc::clone(&seat));
        }
        Ok(ConnectionPermit {
            limits: Arc::clone(self),
            number,
            seat,
            _slot: slot,
            _admission: admission,
        })
    }

    fn make_room(&self) {
        let seats = self.seats.lock();
        let idle = seats
            .taken
            .values()
            .filter_map(|seat| Some((seat.idle_since()?, seat)));
        if let Some((since, seat)) = idle.min_by_key(|&(since, _)| since)
            && since.elapsed() >= IDLE_BEFORE_LEAVING
        {
            seat.leave_if_idle();
        }
    }

    /// Returns how many connections there are.
    pub fn open(&self) -> u64 {
        let open = self.allowed.saturating_sub(self.slots.available_permits());
        u64::try_from(open).unwrap_or(u64::MAX)
    }

    /// Logs, now and then, that the system refused a connection.
    pub fn log_failure(&self, error: &io::Error) {
        if self.failures.is_due() {
            tracing::warn!(%error, "a connection could not be accepted");
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.limits.seats.lock().taken.remove(&self.number);
    }
}
