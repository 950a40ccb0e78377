//! What one client, and all of them together, may take of the server. The limits of a body are in `handler::body`,
//! that of a request's target in `handler::target`.

use std::time::Duration;

/// Connections at once. A site of this kind has a few dozen visitors at a time. An idle one costs about 12 KiB; one with
/// a full head, a full body and as much read ahead as may be 88 KiB, so that an attack takes 176 MiB at most
/// (`tests/api/crowds.rs` measures it).
pub const MAX_CONNECTIONS: usize = 2048;

/// Connections at once of one client (IPv4 address or IPv6 /64), an eighth of all: one alone cannot take the site from
/// the others. A browser opens six, so that 40 people behind one address are borne, and so is a reverse proxy or a load
/// test on the same machine that nobody named a trusted proxy. Those that are named have no such limit: all visitors
/// come through them.
pub const MAX_CONNECTIONS_PER_CLIENT: usize = 256;

/// Time for the head of a request, from its first byte (of a new connection: from its opening). It fits into a few
/// packets; 15 s bear several that are lost.
pub const HEAD_TIME: Duration = Duration::from_secs(15);

/// How long a connection may stay idle after an answer. The files of a page are fetched within seconds; for the next
/// page a new connection costs one round trip.
pub const IDLE_TIME: Duration = Duration::from_secs(15);

/// The same for a trusted proxy: longer than proxies keep an idle connection (nginx 60 s, Caddy 120 s), so that none is
/// closed at the moment when it sends an inquiry on it, which it could not send again by itself.
pub const PROXY_IDLE_TIME: Duration = Duration::from_secs(150);

/// Time for a whole request, from the end of its head until the last byte of the answer has been taken by the system:
/// the body (`handler::body` gives it 10 s), the commit, and the answer. The largest file, some 350 KB, takes 45 s at
/// 64 kbit/s. Who reads slower, or not at all, holds a place that another could use.
pub const REQUEST_TIME: Duration = Duration::from_mins(1);

/// Largest head of a request: browsers send about 1 KiB, with large cookies of a shared domain up to 8 KiB.
pub const MAX_HEAD_BYTES: usize = 16 * 1024;

/// Fields in a head: browsers send about 20, proxies add a few.
pub const MAX_HEAD_FIELDS: usize = 64;

/// What is read ahead of one connection. Twice the head, so that whoever sends one that is a little too large is told
/// so: closing with bytes unread would reset the connection.
pub const MAX_READ_AHEAD: usize = 2 * MAX_HEAD_BYTES;

/// The limits that a test sets lower than an operator's server has them.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// [`MAX_CONNECTIONS`]
    pub connections: usize,
    /// [`MAX_CONNECTIONS_PER_CLIENT`]
    pub per_client: usize,
    /// [`HEAD_TIME`]
    pub head_time: Duration,
    /// [`IDLE_TIME`]
    pub idle_time: Duration,
    /// [`PROXY_IDLE_TIME`]
    pub proxy_idle_time: Duration,
    /// [`REQUEST_TIME`]
    pub request_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: MAX_CONNECTIONS,
            per_client: MAX_CONNECTIONS_PER_CLIENT,
            head_time: HEAD_TIME,
            idle_time: IDLE_TIME,
            proxy_idle_time: PROXY_IDLE_TIME,
            request_time: REQUEST_TIME,
        }
    }
}
