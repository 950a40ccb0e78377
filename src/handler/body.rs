//! Reading a request's body within bounds of size and time.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body as _, Incoming};

/// Largest body, in bytes (contract, "HTTP": 413 over 16 KiB). An inquiry with all fields at their limits has 2 KiB.
pub const MAX_BODY: usize = 16 * 1024;

/// Time for the whole body. 16 KiB take a second even on a bad mobile connection; a slower sender is an attack.
const BODY_TIME: Duration = Duration::from_secs(10);

/// How much of a body that is too large is read and thrown away, so that a client that is still sending sees the answer
/// rather than a reset connection.
const MAX_DISCARDED: usize = 1024 * 1024;

/// Why there is no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyError {
    /// More than [`MAX_BODY`].
    TooLarge,
    /// Slower than [`BODY_TIME`].
    TooSlow,
    /// The connection ended, or the transfer coding is wrong.
    Broken,
}

/// Reads the whole body.
///
/// # Errors
/// See [`BodyError`].
pub async fn read(body: Incoming) -> Result<Bytes, BodyError> {
    tokio::time::timeout(BODY_TIME, collect(body))
        .await
        .unwrap_or(Err(BodyError::TooSlow))
}

async fn collect(mut body: Incoming) -> Result<Bytes, BodyError> {
    let announced = body.size_hint().lower();
    if announced > MAX_DISCARDED as u64 {
        return Err(BodyError::TooLarge);
    }
    let mut first: Option<Bytes> = None;
    let mut collected = BytesMut::new();
    let mut total = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| BodyError::Broken)?.into_data() else {
            continue;
        };
        total += data.len();
        if total > MAX_DISCARDED {
            return Err(BodyError::TooLarge);
        }
        if total > MAX_BODY {
            continue;
        }
        // Nearly every body comes in one piece, which is then used as it is.
        match first.take() {
            None if collected.is_empty() => first = Some(data),
            None => collected.extend_from_slice(&data),
            Some(start) => {
                // At once as much as may come: growing would take twice that.
                collected.reserve(MAX_BODY);
                collected.extend_from_slice(&start);
                collected.extend_from_slice(&data);
            }
        }
    }
    if total > MAX_BODY {
        return Err(BodyError::TooLarge);
    }
    Ok(first.unwrap_or_else(|| collected.freeze()))
}
