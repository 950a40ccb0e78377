//! What is counted a day.

use std::sync::Arc;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::control::operation::Operation;
use crate::store::{DayCounts, Store, Unavailable};

/// Reads the counts of all days from one on.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadCounts {
    /// The first day, such as `2026-11-01`; `None` from the beginning.
    pub since: Option<String>,
}

impl Operation for ReadCounts {
    const PATH: &'static str = "/counts";
    const CHANGES: bool = false;
    type Answer = Vec<(String, DayCounts)>;

    async fn run(self, store: Arc<Store>) -> Result<Self::Answer, Unavailable> {
        let since = self.since.and_then(|day| day.parse().ok());
        let counts = store.counts(since.unwrap_or(Date::MIN)).await?;
        let days = counts.into_iter().map(|(day, counts)| (day.to_string(), counts));
        Ok(days.collect())
    }
}
