//! When firms were asked.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::control::operation::Operation;
use crate::matching::{Asks, FirmId};
use crate::store::{Store, Unavailable};

/// Reads what is remembered of each firm's asks.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadAsks {}

/// What is remembered of the asks of one firm.
#[derive(Debug, Serialize, Deserialize)]
pub struct AsksLine {
    firm: FirmId,
    asks: String,
}

impl Operation for ReadAsks {
    const PATH: &'static str = "/asks";
    const CHANGES: bool = false;
    type Answer = Vec<AsksLine>;

    async fn run(self, store: Arc<Store>) -> Result<Self::Answer, Unavailable> {
        let asks = store.asks().await?;
        let lines = asks.into_iter().map(|(firm, asks)| AsksLine {
            firm,
            asks: STANDARD_NO_PAD.encode(asks.to_bytes()),
        });
        Ok(lines.collect())
    }
}

impl AsksLine {
    /// Returns the firm and its asks; `None` if they are not understood.
    pub fn read(self) -> Option<(FirmId, Asks)> {
        let bytes = STANDARD_NO_PAD.decode(self.asks).ok()?;
        Some((self.firm, Asks::from_bytes(&bytes)?))
    }
}
