//! Reads request bodies within limits of size and time.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body as _, Incoming};
use tokio::time::timeout;

/// Largest body, in bytes. An inquiry with all fields at their limits takes 2 KiB.
pub const MAX_BODY: usize = 16 * 1024;

/// Time limit of a whole body. Even a bad mobile connection sends 16 KiB in a second, so a slower client is an attacker.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The body of a request, which need not be read.
#[derive(Debug)]
pub struct RequestBody {
    incoming: Incoming,
    is_complete: bool,
}

/// Why a body could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It has more than [`MAX_BODY`] bytes.
    #[error("it is too large")]
    TooLarge,
    /// It took longer than 10 s or, when read in parts, one of them took too long.
    #[error("it is too slow")]
    TooSlow,
    /// The connection ended, or the transfer coding is invalid.
    #[error("it is broken")]
    Broken,
}

impl RequestBody {
    /// Wraps a body that has not been read.
    pub fn new(incoming: Incoming) -> Self {
        let is_complete = incoming.is_end_stream();
        Self {
            incoming,
            is_complete,
        }
    }

    /// Whether the whole body was read.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Waits up to `within` for the next part of the body. `None` after the last.
    pub async fn next(&mut self, within: Duration) -> Option<Result<Bytes, BodyError>> {
        loop {
            let frame = match timeout(within, self.incoming.frame()).await {
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(_))) => return Some(Err(BodyError::Broken)),
                Ok(None) => {
                    self.is_complete = true;
                    return None;
                }
                Err(_) => return Some(Err(BodyError::TooSlow)),
            };
            if let Ok(data) = frame.into_data() {
                return Some(Ok(data));
            }
        }
    }

    /// Reads the whole body.
    pub async fn read(&mut self) -> Result<Bytes, BodyError> {
        if self.incoming.size_hint().lower() > MAX_BODY as u64 {
            return Err(BodyError::TooLarge);
        }
        let whole = Limited::new(&mut self.incoming, MAX_BODY).collect();
        let whole = timeout(BODY_TIME, whole).await;
        let whole = whole.map_err(|_| BodyError::TooSlow)?.map_err(|error| {
            if error.is::<LengthLimitError>() {
                BodyError::TooLarge
            } else {
                BodyError::Broken
            }
        })?;
        self.is_complete = true;
        Ok(whole.to_bytes())
    }
}
