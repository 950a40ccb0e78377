//! What short reads ask for.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::{Date, date};
use tokio_postgres::Client;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::error::Error;
use crate::inquiry::{Inquiry, NewInquiry};
use crate::matching::{Asks, FirmId};
use crate::newsletter::Subscription;
use crate::referral::{Dossier, Referral};
use crate::store::counts::DayCounts;
use crate::store::damaged::Damaged;
use crate::store::error::InsertError;
use crate::store::facts::Facts;
use crate::store::keyed_request::KeyedRequest;
use crate::store::{record, referral_record, subscription_record};

const DOSSIER: &str = "SELECT i.value, r.value FROM (SELECT $1::uuid AS id) k LEFT JOIN inquiries i ON i.id = k.id \
                       LEFT JOIN referrals r ON r.id = k.id";
const KEY: &str = "SELECT k.tag, k.id, k.expires_at, i.value FROM keys k LEFT JOIN inquiries i ON i.id = k.id WHERE k.name = $1";

/// Reads what is known of one inquiry; `None` if there is nothing.
pub async fn dossier(client: &Client, id: Uuid) -> Result<Option<Dossier>, Error> {
    let rows = client.query_typed(DOSSIER, &[(&id, Type::UUID)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(joined(id, row.try_get(0)?, row.try_get(1)?)?)
}

/// Puts together what is known of an inquiry.
pub fn joined(id: Uuid, inquiry: Option<&[u8]>, referral: Option<&[u8]>) -> Result<Option<Dossier>, Damaged> {
    let key = id.as_bytes();
    let damaged = Damaged("an inquiry cannot be read");
    let inquiry = inquiry
        .map(|value| record::decode(*key, value).ok_or(damaged))
        .transpose()?;
    let referral = referral
        .map(|value| referral_record::decode(key, value))
        .transpose()?;
    if inquiry.is_none() && referral.is_none() {
        return Ok(None);
    }
    let is_suspected = inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected);
    Ok(Some(Dossier {
        id,
        referral: referral.unwrap_or_else(|| Referral::implied(is_suspected)),
        inquiry,
    }))
}

/// Returns the inquiry of a key that was seen before; `None` for one that is new or expired.
pub async fn replay(
    client: &Client,
    request: &KeyedRequest,
    inquiry: &NewInquiry,
    now: Timestamp,
) -> Result<Result<Option<Inquiry>, InsertError>, Error> {
    let name = request.name().as_slice();
    let rows = client.query_typed(KEY, &[(&name, Type::BYTEA)]).await?;
    let Some(row) = rows.first() else {
        return Ok(Ok(None));
    };
    let expires_at: Timestamp = row.try_get(2)?;
    if expires_at <= now {
        return Ok(Ok(None));
    }
    let tag: &[u8] = row.try_get(0)?;
    let tag = tag
        .try_into()
        .map_err(|_| Damaged("an idempotency key cannot be read"))?;
    let id: Uuid = row.try_get(1)?;
    let value: Option<&[u8]> = row.try_get(3)?;
    let is_same = if value.is_some() {
        request.has(&tag)
    } else {
        request.has_erased(&tag)
    };
    if !is_same {
        return Ok(Err(InsertError::KeyReused));
    }
    let stored = match value {
        Some(value) => record::decode(id.into_bytes(), value).ok_or(Damaged("an inquiry cannot be read"))?,
        None => inquiry.clone().with_id(id),
    };
    Ok(Ok(Some(stored)))
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
pub async fn asks(client: &Client) -> Result<HashMap<FirmId, Asks>, Error> {
    let mut history = HashMap::new();
    for row in client.query_typed("SELECT firm, value FROM asks", &[]).await? {
        let firm = FirmId::parse(row.try_get(0)?).ok();
        let asks = firm.zip(Asks::from_bytes(row.try_get(1)?));
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

/// Returns what the database says of its backups.
pub async fn facts(client: &Client) -> Result<Facts, Error> {
    let mut facts = Facts::default();
    let find = "SELECT name, value FROM meta WHERE name IN ('backup', 'held', 'clock', 'clock_doubted')";
    for row in client.query_typed(find, &[]).await? {
        let time = Timestamp::from_millisecond(row.try_get(1)?).ok();
        match row.try_get::<_, &str>(0)? {
            "backup" => facts.backed_up_at = time,
            "clock" => facts.clock.known = time,
            "clock_doubted" => facts.clock.doubted_since = time,
            _ => facts.held_since = time,
        }
    }
    Ok(facts)
}
