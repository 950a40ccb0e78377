//! How many connections the process and each client may have. Made once, and shared by all listeners.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::client_connections::{ClientConnections, ClientPermit};
use super::file_descriptors;
use super::limits::Limits;
use crate::client_ip::ClientNetwork;
use crate::logging::LogThrottle;

/// The connections of all listeners together.
#[derive(Debug)]
pub struct ConnectionLimits {
    /// The limits of a single connection, and the numbers that the rest is made from.
    pub limits: Limits,
    allowed: usize,
    slots: Arc<Semaphore>,
    clients: Arc<ClientConnections>,
    refusals: LogThrottle,
    failures: LogThrottle,
}

/// The right to a connection, held until it ends.
#[derive(Debug)]
pub struct ConnectionPermit {
    _slot: OwnedSemaphorePermit,
    /// `None` for a trusted proxy that has more connections than a client may have.
    _client: Option<ClientPermit>,
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
            clients: ClientConnections::new(limits.per_client),
            refusals: LogThrottle::default(),
            failures: LogThrottle::default(),
        }
    }

    /// Waits until the process may have another connection. Further clients wait in the system's queue, where they cost
    /// this process nothing: in a crowd, a visitor gets the page a moment later instead of an error.
    pub async fn slot(&self) -> io::Result<OwnedSemaphorePermit> {
        Arc::clone(&self.slots)
            .acquire_owned()
            .await
            .map_err(io::Error::other)
    }

    /// Admits a connection from `peer`, or returns `None` if that client has too many. A trusted proxy is counted like
    /// any other client, but never refused.
    pub fn admit(
        &self,
        slot: OwnedSemaphorePermit,
        peer: IpAddr,
        is_proxy: bool,
    ) -> Option<ConnectionPermit> {
        let client = self.clients.acquire(ClientNetwork::of(peer));
        if client.is_none() && !is_proxy {
            if self.refusals.is_due() {
                tracing::warn!(
                    "one client has {} connections; further ones are closed (if it is your reverse proxy, name it with \
                     --trusted-proxy)",
                    self.limits.per_client
                );
            }
            return None;
        }
        Some(ConnectionPermit {
            _slot: slot,
            _client: client,
        })
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
