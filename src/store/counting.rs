//! Counts of what happens on a day.

use jiff::civil::Date;

use super::Store;
use super::counts::DayCounts;
use super::deadline::in_time;
use super::error::Unavailable;

impl Store {
    /// Adds to the counts of a day.
    ///
    /// # Errors
    /// While the store cannot be written; then nothing was added, unless the disk hangs.
    pub async fn count(&self, day: Date, counts: DayCounts) -> Result<(), Unavailable> {
        in_time(async {
            match self {
                Self::Redb(store) => store.count(day, counts).await,
                Self::Postgres(store) => store.count(day, counts).await,
            }
        })
        .await
    }

    /// Returns the counts of all days from one on, in order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn counts(&self, since: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        in_time(async {
            match self {
                Self::Redb(store) => store.counts(since).await,
                Self::Postgres(store) => store.counts(since).await,
            }
        })
        .await
    }
}
