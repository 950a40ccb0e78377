//! What short reads ask for.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::{Date, date};
use tokio_postgres::Client;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::error::Error;
use crate::matching::{FirmId, RequestHistory};
use crate::newsletter::Subscription;
use crate::referral::InquiryRecord;
use crate::store::core::subscription_record;
use crate::store::core::{Fact, InquiryEntry, pauses};
use crate::store::error::Damaged;
use crate::store::facts::DayCounts;
use crate::store::facts::Facts;

const RECORD: &str = "SELECT i.value, r.value FROM (SELECT $1::uuid AS id) k LEFT JOIN inquiries i ON i.id = k.id \
                       LEFT JOIN referrals r ON r.id = k.id";
/// Reads what is known of one inquiry; `None` if there is nothing.
pub async fn record(client: &Client, id: Uuid) -> Result<Option<InquiryRecord>, Error> {
    let rows = client.query_typed(RECORD, &[(&id, Type::UUID)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(InquiryEntry::read(id, row.try_get(0)?, row.try_get(1)?).record(id)?)
}

/// Long before anything was counted, and a day that a database knows: its calendar begins later than ours.
const BEGINNING: Date = date(1, 1, 1);

/// Returns the counts of all days from one on, in order.
pub async fn counts(client: &Client, since: Date) -> Result<Vec<(Date, DayCounts)>, Error> {
    let find = "SELECT day, name, count FROM counts WHERE day >= $1 ORDER BY day, name";
    let since = since.max(BEGINNING);
    let mut days: Vec<(Date, DayCounts)> = Vec::new();
    for row in client.query_typed(find, &[(&since, Type::DATE)]).await? {
        let day: Date = row.try_get(0)?;
        if days.last().is_none_or(|(last, _)| *last != day) {
            days.push((day, DayCounts::new()));
        }
        if let Some((_, counts)) = days.last_mut() {
            let count: i64 = row.try_get(2)?;
            counts.insert(row.try_get(1)?, u64::try_from(count).unwrap_or_default());
        }
    }
    Ok(days)
}

/// Reads what is remembered of each firm's asks.
pub async fn asks(client: &Client) -> Result<HashMap<FirmId, RequestHistory>, Error> {
    let mut history = HashMap::new();
    for row in client.query_typed("SELECT firm, value FROM asks", &[]).await? {
        let firm = FirmId::parse(row.try_get(0)?).ok();
        let asks = firm.zip(RequestHistory::from_bytes(row.try_get(1)?));
        let (firm, asks) = asks.ok_or(Damaged("what a firm was asked cannot be read"))?;
        history.insert(firm, asks);
    }
    Ok(history)
}

/// Returns the subscription that a key names.
pub async fn subscription(client: &Client, key: [u8; 16]) -> Result<Option<Subscription>, Error> {
    let find = "SELECT value FROM subscriptions WHERE key = $1";
    let rows = client
        .query_typed(find, &[(&Uuid::from_bytes(key), Type::UUID)])
        .await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some(subscription_record::decode(row.try_get(0)?)?))
}

/// Returns the time that one fact says.
pub async fn fact(client: &Client, name: String) -> Result<Option<Timestamp>, Error> {
    let find = "SELECT value FROM meta WHERE name = $1";
    let rows = client.query_typed(find, &[(&name, Type::TEXT)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Timestamp::from_millisecond(row.try_get(0)?).ok())
}

/// Returns what the database says of its backups.
pub async fn facts(client: &Client) -> Result<Facts, Error> {
    let mut facts = Facts::default();
    let mut noted = Vec::new();
    for row in client.query_typed("SELECT name, value FROM meta", &[]).await? {
        let value: i64 = row.try_get(1)?;
        noted.push((
            row.try_get::<_, String>(0)?,
            u64::try_from(value).unwrap_or_default(),
        ));
        let time = Timestamp::from_millisecond(row.try_get(1)?).ok();
        let name: &str = row.try_get(0)?;
        for (fact, place) in [
            (Fact::Backup, &mut facts.backed_up_at),
            (Fact::Suspended, &mut facts.held_since),
            (Fact::Clock, &mut facts.clock.known),
            (Fact::ClockDoubted, &mut facts.clock.doubted_since),
            (Fact::Reviews, &mut facts.reviews_changed_at),
            (Fact::ReviewsWritten, &mut facts.reviews_written_at),
        ] {
            if fact.name() == name {
                *place = time;
            }
        }
    }
    facts.paused = pauses(noted.iter().map(|(name, value)| (name.as_str(), *value)));
    Ok(facts)
}
