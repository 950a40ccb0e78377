//! Limits the connections of the process and of each client, across all listeners.

use std::net::IpAddr;
use std::sync::Arc;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::limits::Limits;
use crate::base::logging::LogThrottle;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::concurrency::{Concurrency, Permit};

/// File descriptors for everything else. The store, the event queue, the standard streams and the control socket take about 15, and
/// each running command one or two. Without this reserve, an attack could block the operator's export.
const RESERVED: u64 = 64;

/// The connections of all listeners together.
#[derive(Debug)]
pub struct ConnectionLimits {
    /// The configured limits.
    pub limits: Limits,
    connections: Arc<Concurrency>,
    refusals: LogThrottle,
}

impl ConnectionLimits {
    /// Creates the limits, and raises the file descriptor limit of the process to match.
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

    /// Admits a connection from `peer`, or returns `None` if that client has too many. A trusted proxy is counted like any other
    /// client but never refused. Waits while the process is at its limit: further clients wait in the kernel's backlog, where they
    /// cost nothing, so under load visitors get a short delay instead of an error.
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

    /// The number of open connections.
    pub fn open(&self) -> u64 {
        u64::try_from(self.connections.taken()).unwrap_or(u64::MAX)
    }
}

/// Raises the file descriptor limit to cover this many connections, and returns how many it covers. Each connection needs one
/// descriptor, and the default limit is 1024.
fn raise_descriptor_limit(connections: usize) -> usize {
    let needed =
        u64::try_from(connections).map_or(u64::MAX, |connections| connections.saturating_add(RESERVED));
    let limit = getrlimit(Resource::Nofile);
    // `None` means unlimited.
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
