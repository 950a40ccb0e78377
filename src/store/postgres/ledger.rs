//! The ledger of acceptances.

use std::collections::BTreeMap;

use futures_util::TryStreamExt;
use jiff::Timestamp;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::error::Error;
use crate::commission::Percent;
use crate::ledger::{Acceptance, Closing, Month};
use crate::store::core::{acceptance_record, acceptances_of, referral_record};
use crate::store::error::Damaged;

/// Keeps all others from closing months, and from adding to them.
pub const LOCK: &str =
    "SELECT pg_advisory_xact_lock(hashtext('taubenabwehr ledger'), hashtext(current_schema()))";

/// Finds what the ledger has of inquiries.
pub const OF: &str = "SELECT inquiry, firm, value FROM ledger WHERE inquiry = ANY($1) ORDER BY inquiry, firm";

/// Finds all closed months.
pub const CLOSINGS: &str = "SELECT month, closed_at, vat FROM closings ORDER BY month";

/// Adds entries, or changes them.
pub const SAVE: &str = "INSERT INTO ledger (inquiry, firm, accepted_at, value) \
                        SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::bytea[]) \
                        ON CONFLICT (inquiry, firm) DO UPDATE SET value = excluded.value";

/// Closes months.
pub const CLOSE: &str = "INSERT INTO closings (month, closed_at, vat) \
                         SELECT * FROM unnest($1::integer[], $2::timestamptz[], $3::integer[]) \
                         ON CONFLICT (month) DO NOTHING";

/// Referrals that are read at once.
const AT_ONCE: usize = 500;

/// Entries as columns of a statement.
#[derive(Default)]
pub struct Columns {
    inquiries: Vec<Uuid>,
    firms: Vec<String>,
    times: Vec<Timestamp>,
    values: Vec<Vec<u8>>,
}

impl Columns {
    /// Adds an entry.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn push(&mut self, acceptance: &Acceptance) -> Result<(), Damaged> {
        self.inquiries.push(acceptance.inquiry);
        self.firms.push(acceptance.firm.to_string());
        self.times.push(acceptance.at);
        self.values.push(acceptance_record::encode(acceptance)?);
        Ok(())
    }

    /// Returns the parameters of [`SAVE`].
    pub fn into_parameters(self) -> Vec<(Box<dyn ToSql + Sync + Send>, Type)> {
        vec![
            (Box::new(self.inquiries), Type::UUID_ARRAY),
            (Box::new(self.firms), Type::TEXT_ARRAY),
            (Box::new(self.times), Type::TIMESTAMPTZ_ARRAY),
            (Box::new(self.values), Type::BYTEA_ARRAY),
        ]
    }
}

/// Reads what the ledger has of an inquiry.
pub async fn of_inquiry(client: &Client, inquiry: Uuid) -> Result<Vec<Acceptance>, Error> {
    let rows = client
        .query_typed(OF, &[(&vec![inquiry], Type::UUID_ARRAY)])
        .await?;
    taken(&rows)
}

/// Reads the acceptances of a month.
pub async fn in_month(client: &Client, month: Month) -> Result<Vec<Acceptance>, Error> {
    let find = "SELECT inquiry, firm, value FROM ledger WHERE accepted_at >= $1 AND accepted_at < $2";
    let (since, until) = (month.begins(), month.next().begins());
    let parameters: [(&(dyn ToSql + Sync), Type); 2] =
        [(&since, Type::TIMESTAMPTZ), (&until, Type::TIMESTAMPTZ)];
    let rows = client.query_typed(find, &parameters).await?;
    rows.iter().map(acceptance).collect()
}

/// Reads which months are closed.
pub async fn closings(client: &Client) -> Result<BTreeMap<Month, Closing>, Error> {
    taken_closings(&client.query_typed(CLOSINGS, &[]).await?)
}

/// Returns the entries of rows that [`OF`] has found. What cannot be read is left out; a check finds it.
pub fn taken(rows: &[Row]) -> Result<Vec<Acceptance>, Error> {
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        match acceptance(row) {
            Ok(acceptance) => found.push(acceptance),
            Err(Error::Damaged(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

fn acceptance(row: &Row) -> Result<Acceptance, Error> {
    Ok(acceptance_record::decode(
        row.try_get(0)?,
        row.try_get(1)?,
        row.try_get(2)?,
    )?)
}

/// Returns the months of rows that [`CLOSINGS`] has found.
pub fn taken_closings(rows: &[Row]) -> Result<BTreeMap<Month, Closing>, Error> {
    let mut found = BTreeMap::new();
    for row in rows {
        let closing = closing(row)?;
        found.insert(closing.month, closing);
    }
    Ok(found)
}

/// Returns what the columns of [`CLOSINGS`] say.
fn closing(row: &Row) -> Result<Closing, Error> {
    let damaged = Damaged("a closed month cannot be read");
    let (month, vat): (i32, i32) = (row.try_get(0)?, row.try_get(2)?);
    let month = u32::try_from(month).ok().and_then(Month::from_number);
    Ok(Closing {
        month: month.ok_or(damaged)?,
        at: row.try_get(1)?,
        vat: Percent::from_parts(u32::try_from(vat).map_err(|_| damaged)?),
    })
}

/// Brings acceptances from before there was a ledger into it, as far as their referrals are still there.
pub async fn bring(client: &Client) -> Result<(), Error> {
    let none: [(&(dyn ToSql + Sync), Type); 0] = [];
    let rows = client
        .query_typed_raw("SELECT id, value FROM referrals", none)
        .await?;
    let mut rows = std::pin::pin!(rows);
    let mut columns = Columns::default();
    while let Some(row) = rows.try_next().await? {
        let id: Uuid = row.try_get(0)?;
        // A check finds one that cannot be read.
        let Ok(referral) = referral_record::decode(id.as_bytes(), row.try_get(1)?) else {
            continue;
        };
        for acceptance in acceptances_of(id, &referral) {
            columns.push(&acceptance)?;
        }
        if columns.inquiries.len() >= AT_ONCE {
            save(client, std::mem::take(&mut columns)).await?;
        }
    }
    save(client, columns).await
}

async fn save(client: &Client, columns: Columns) -> Result<(), Error> {
    let parameters = columns.into_parameters();
    let parameters: Vec<(&(dyn ToSql + Sync), Type)> = parameters
        .iter()
        .map(|(value, of)| (&**value as &(dyn ToSql + Sync), of.clone()))
        .collect();
    client.query_typed(SAVE, &parameters).await?;
    Ok(())
}
