//! How many more addresses may get confirmations.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use crate::store::confirmation::{MAX_ADDRESSES, counts_since};
use crate::store::damaged::Damaged;
use crate::store::postgres::error::Error;

/// How often addresses are counted, which takes some 20 ms when there are as many as may be. What other instances add meanwhile
/// comes on top.
const COUNT_EVERY: Duration = Duration::from_mins(1);

const COUNT: &str = "SELECT count(*) FROM (SELECT FROM confirmations WHERE last >= $1 LIMIT $2) AS recent";

/// How many more addresses may get confirmations, as far as this instance knows.
#[derive(Default)]
pub struct Room {
    left: usize,
    counted_at: Option<Instant>,
}

impl Room {
    /// Counts the addresses again, unless that was done a moment ago.
    pub async fn look(&mut self, client: &Client, now: Timestamp) -> Result<(), Error> {
        if self.counted_at.is_some_and(|at| at.elapsed() < COUNT_EVERY) {
            return Ok(());
        }
        let damaged = Damaged("addresses that got confirmations cannot be counted");
        let since = i64::try_from(counts_since(now)).map_err(|_| damaged)?;
        let since = Timestamp::from_millisecond(since).map_err(|_| damaged)?;
        let most = i64::try_from(MAX_ADDRESSES).map_err(|_| damaged)?;
        let rows = client
            .query_typed(COUNT, &[(&since, Type::TIMESTAMPTZ), (&most, Type::INT8)])
            .await?;
        let count: i64 = rows.first().ok_or(damaged)?.try_get(0)?;
        let count = usize::try_from(count).map_err(|_| damaged)?;
        self.left = MAX_ADDRESSES.saturating_sub(count);
        self.counted_at = Some(Instant::now());
        Ok(())
    }

    /// Returns whether an address that has got none may get one, and counts it if so.
    pub fn take(&mut self) -> bool {
        let is_left = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_left
    }
}
