//! How many connections the process and each client may have. Made once, and shared by all listeners.

use std::net::IpAddr;
use std::sync::Arc;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::limits::Limits;
use crate::base::logging::LogThrottle;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::concurrency::{Concurrency, Permit};

/// File descriptors for everything else. The store, the event queue, the standard streams and the control socket take some
/// 15, and each running command takes one or two more. Without a reserve, an attack could keep the operator from an
/// export.
const RESERVED: u64 = 64;

/// The connections of all listeners together.
#[derive(Debug)]
pub struct ConnectionLimits {
    /// The limits of a single connection, and the numbers that the rest is made from.
    pub limits: Limits,
    connections: Arc<Concurrency>,
    refusals: LogThrottle,
}

impl ConnectionLimits {
    /// Creates the limits, and raises the process's limit of file descriptors to fit them.
    pub fn new(limits: Limits) -> Self {
        let allowed = raise_descriptor_limit(limits.connections);
        if allowed < limits.connections {
            tracing::warn!(
                "the system allows this process {allowed} connections at once instead of {}; raise its limit of open \
                 files",
                limits.connections
            );
        }
        Self {
            limits,
            connections: Concurrency::new(allowed, limits.per_client),
            refusals: LogThrottle::default(),
        }
    }

    /// Admits a connection from `peer`, or returns `None` if that client has too many. A trusted proxy is counted like
    /// any other client, but never refused. Waits until the process may have another connection: further clients wait in the
    /// system's queue, where they cost this process nothing, so that in a crowd a visitor gets the page a moment later instead
    /// of an error.
    pub async fn admit(&self, peer: IpAddr, is_proxy: bool) -> Option<Permit> {
        let client = self.connections.count(ClientNetwork::of(peer));
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
        self.connections.slot(client).await
    }

    /// Returns how many connections there are.
    pub fn open(&self) -> u64 {
        u64::try_from(self.connections.taken()).unwrap_or(u64::MAX)
    }
}

/// Raises the limit of file descriptors so that it covers this many connections, and returns how many it covers in the end. Each
/// connection needs one, and by default a process may have 1024.
fn raise_descriptor_limit(connections: usize) -> usize {
    let needed =
        u64::try_from(connections).map_or(u64::MAX, |connections| connections.saturating_add(RESERVED));
    let limit = getrlimit(Resource::Nofile);
    // `None` stands for no limit.
    let current = limit.current.unwrap_or(u64::MAX);
    let raised = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
    let wanted = Rlimit {
        current: Some(raised),
        ..limit
    };
    let is_raised = current < raised && setrlimit(Resource::Nofile, wanted).is_ok();
    let allowed = if is_raised { raised } else { current };
    usize::try_from(allowed.saturating_sub(RESERVED))
        .unwrap_or(connections)
        .clamp(1, connections)
}
