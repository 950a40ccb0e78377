//! The limits of one client, and of all clients together. The limits of a body are in `web::body`, that
//! of a request's target in `web::target`.

use std::time::Duration;

/// Connections at once. A site of this kind has a few dozen visitors at a time. An idle connection costs about 12 KiB;
/// one with a full head, a full body and a full read-ahead buffer costs 88 KiB, so an attack takes at most 176 MiB
/// (measured in `tests/api/connection_limits.rs`).
pub const MAX_CONNECTIONS: usize = 2048;

/// Connections at once of one client (IPv4 address or IPv6 /64): an eighth of all, so that no single client can take the
/// site from the others. All clients of a /56 may have half as many more, those of a /48 twice as many, since both may be a
/// single customer. A browser opens six. That leaves room for 40 people behind one address, and for a reverse proxy
/// or a load test on the same machine that is not named as a trusted proxy. Trusted proxies have no such limit, since all
/// visitors come through them.
pub const MAX_CONNECTIONS_PER_CLIENT: usize = 256;

/// Time for the head of a request, from its first byte (on a new connection: from the moment it was opened). A head fits
/// into a few packets, and 15 s are enough even if several of them are lost.
pub const HEAD_TIME: Duration = Duration::from_secs(15);

/// How long a connection may stay idle after a response. A browser fetches the files of a page within seconds; for the
/// next page, a new connection costs one round trip.
pub const IDLE_TIME: Duration = Duration::from_secs(15);

/// The same for a trusted proxy: longer than proxies keep an idle connection (nginx 60 s, Caddy 120 s). Otherwise the
/// server could close one just when the proxy sends an inquiry on it, which the proxy may not send a second time.
pub const PROXY_IDLE_TIME: Duration = Duration::from_secs(150);

/// Time for a whole request, from the end of its head until the system has taken the last byte of the response: the body
/// (`web::body` gives it 10 s), the commit, and the response. The largest file, some 350 KB, takes 45 s at 64 kbit/s.
/// A client that reads more slowly, or not at all, holds a slot that another could use.
pub const REQUEST_TIME: Duration = Duration::from_mins(1);

/// Time for a client to send the rest of a body that was refused, so that it sees the response. 3 MB take this long at
/// 2.4 Mbit/s.
pub const LINGER_TIME: Duration = Duration::from_secs(10);

/// How much of such a body is read and thrown away.
pub const LINGER_BYTES: u64 = 16 * 1024 * 1024;

/// Largest head of a request: browsers send about 1 KiB, with large cookies of a shared domain up to 8 KiB.
pub const MAX_HEAD_BYTES: usize = 16 * 1024;

/// Fields in a head. Browsers send about 20, proxies add a few.
pub const MAX_HEAD_FIELDS: usize = 64;

/// Concurrent requests on an HTTP/2 connection. A browser fetches some ten files for a page. RFC 9113 advises against fewer than 100, but
/// each may hold a head of [`MAX_HEADER_LIST`], and a client that reads no response would hold as many.
pub const MAX_STREAMS: u32 = 32;

/// How many of those may have a body, which is kept until it is complete. A browser sends one form, and reports at the same time what it
/// shows.
pub const MAX_BODIES: usize = 4;

/// What may arrive of one request's body before it is read: twice the largest body, so that the sender never waits.
pub const STREAM_WINDOW: u32 = 32 * 1024;

/// What may arrive of all bodies of a connection before they are read: the largest. By HTTP/2 a client begins with 64 KiB; once
/// they are used up it has no more than this.
pub const CONNECTION_WINDOW: u32 = 16 * 1024;

/// What HTTP/2 counts for a head: each field costs 32 bytes more than its name and value.
pub const MAX_HEADER_LIST: u32 = 16 * 1024 + 64 * 32;

/// Requests that a client may cancel before they are handled, or send malformed, before the connection is closed. A
/// visitor who leaves a page at once cancels some ten.
pub const MAX_RESETS: usize = 50;

/// Requests that a client may cancel while they are answered, unless it let as many finish. Whoever does so again and
/// again wants the work, not the answers.
pub const MAX_CANCELLED: usize = 100;

/// What waits in one stream to be sent: twice what fits into a frame.
pub const STREAM_SEND_BUFFER: usize = 32 * 1024;

/// What is read ahead of one connection: twice the head, so that a client with a slightly larger one sees the response.
/// Closing with bytes unread would reset the connection.
pub const MAX_READ_AHEAD: usize = 2 * MAX_HEAD_BYTES;

/// The limits that tests set lower than they are in production.
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
