//! Limits what photos take while they are on their way: memory, and time of a processor.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::client_ip::ClientNetwork;
use super::{ClientCounts, ClientPermit};

/// What is reserved at once for a file that comes in, in bytes.
pub const STEP: usize = 256 << 10;

/// What all files that come in may take together, in steps: three of the largest, or a hundred that a browser has made smaller.
const STEPS: usize = 36_000_000 / STEP;

/// Uploads of one client at once: one of a visitor, and one of somebody behind the same address.
const MAX_PER_CLIENT: usize = 2;

/// What uploads share.
#[derive(Debug)]
pub struct Uploads {
    clients: Arc<ClientCounts>,
    steps: Arc<Semaphore>,
    /// Held while a picture is decoded: one at a time.
    decoding: Arc<Semaphore>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            clients: ClientCounts::new(MAX_PER_CLIENT),
            steps: Arc::new(Semaphore::new(STEPS)),
            decoding: Arc::new(Semaphore::new(1)),
        }
    }
}

impl Uploads {
    /// Returns the right to one upload, unless the client has too many under way.
    pub fn begin(&self, client: ClientNetwork) -> Option<ClientPermit> {
        self.clients.acquire(client)
    }

    /// Reserves [`STEP`] bytes of memory, unless all of it is in use. Nobody waits for it: two that have half of what they need would
    /// wait for each other.
    pub fn reserve(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.steps).try_acquire_owned().ok()
    }

    /// Waits for the turn to decode a picture.
    pub async fn decoding(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.decoding).acquire_owned().await.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn no_client_and_no_crowd_takes_more_than_there_is() {
        let uploads = Uploads::default();
        let client = |number| ClientNetwork::of(Ipv4Addr::from_bits(number).into());
        let held: Vec<_> = (0..MAX_PER_CLIENT)
            .map(|_| uploads.begin(client(1)).unwrap())
            .collect();
        assert!(uploads.begin(client(1)).is_none());
        assert!(uploads.begin(client(0x0a00_0000)).is_some());
        drop(held);
        assert!(uploads.begin(client(1)).is_some());

        let held: Vec<_> = (0..STEPS).map(|_| uploads.reserve().unwrap()).collect();
        assert!(uploads.reserve().is_none());
        drop(held);
        assert!(uploads.reserve().is_some());
    }
}
