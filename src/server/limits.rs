//! Limits per client and for all clients together. The limits of a body are in `web::body`, that of a request target in
//! `web::target`.

use std::time::Duration;

/// Concurrent connections. A site of this kind has a few dozen visitors at a time. An idle connection costs about 12 KiB; one with
/// a full head, a full body and a full read-ahead buffer costs 88 KiB, so an attack takes at most 176 MiB (measured in
/// `tests/api/connection_limits.rs`).
pub const MAX_CONNECTIONS: usize = 2048;

/// Concurrent connections per client (IPv4 address or IPv6 /64): an eighth of the total, so that no single client can block the
/// site. All clients of a /56 together may have half as many more, those of a /48 twice as many, since either may be a single
/// customer. A browser opens six. That leaves room for 40 people behind one address, and for a reverse proxy or a load test on the
/// same machine that is not configured as a trusted proxy. Trusted proxies are exempt, since all visitors come through them.
pub const MAX_CONNECTIONS_PER_CLIENT: usize = 256;

/// Time for the head of a request, from its first byte (on a new connection: from when it was opened). A head fits into a few
/// packets, and 15 s suffice even if several of them are lost.
pub const HEAD_TIME: Duration = Duration::from_secs(15);

/// How long a connection may stay idle after a response. A browser fetches the files of a page within seconds; for the next page, a
/// new connection costs one round trip.
pub const IDLE_TIME: Duration = Duration::from_secs(15);

/// The idle time for a trusted proxy: longer than proxies keep an idle connection (nginx 60 s, Caddy 120 s). Otherwise the server
/// could close a connection just as the proxy sends an inquiry on it, which the proxy must not retry.
pub const PROXY_IDLE_TIME: Duration = Duration::from_secs(150);

/// Time for a whole request, from the end of its head until the system has taken the last byte of the response: the body
/// (`web::body` gives it 10 s), the commit, and the response. The largest file, about 350 KB, takes 45 s at 64 kbit/s. A slower
/// client occupies a slot that another could use.
pub const REQUEST_TIME: Duration = Duration::from_mins(1);

/// Time for a client to send the rest of a rejected body, so that it sees the response. 3 MB take this long at 2.4 Mbit/s.
pub const LINGER_TIME: Duration = Duration::from_secs(10);

/// How much of a rejected body is read and discarded.
pub const LINGER_BYTES: u64 = 16 * 1024 * 1024;

/// Maximum size of a request head: browsers send about 1 KiB, with large cookies of a shared domain up to 8 KiB.
pub const MAX_HEAD_BYTES: usize = 16 * 1024;

/// Maximum number of fields in a head. Browsers send about 20, proxies add a few.
pub const MAX_HEAD_FIELDS: usize = 64;

/// Concurrent requests on an HTTP/2 connection. A browser fetches about ten files for a page. RFC 9113 advises against fewer than
/// 100, but each may hold a head of [`MAX_HEADER_LIST`], and a client that reads no responses could tie up that many.
pub const MAX_STREAMS: u32 = 32;

/// How many of those may have a body, which is buffered until it is complete. A browser sends one form, and analytics reports at
/// the same time.
pub const MAX_BODIES: usize = 4;

/// Flow-control window of a stream: twice the largest body, so that the sender never waits.
pub const STREAM_WINDOW: u32 = 32 * 1024;

/// Flow-control window of a connection: the largest body. HTTP/2 clients start with 64 KiB; once those are used up, they get no
/// more than this.
pub const CONNECTION_WINDOW: u32 = 16 * 1024;

/// Maximum size of a head as HTTP/2 counts it: 32 bytes per field on top of its name and value.
pub const MAX_HEADER_LIST: u32 = 16 * 1024 + 64 * 32;

/// Requests that a client may cancel before they are handled, or send malformed, before the connection is closed. A visitor who
/// leaves a page right away cancels about ten.
pub const MAX_RESETS: usize = 50;

/// Requests that a client may cancel while they are answered, unless it let at least as many finish. A client that keeps doing so
/// wants to cause work, not to get responses.
pub const MAX_CANCELLED: usize = 100;

/// Send buffer of a stream: two frames.
pub const STREAM_SEND_BUFFER: usize = 32 * 1024;

/// Maximum read-ahead of a connection: twice the head, so that a client whose head is slightly too large sees the response. Closing
/// with unread bytes would reset the connection.
pub const MAX_READ_AHEAD: usize = 2 * MAX_HEAD_BYTES;

/// The limits that tests lower.
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
