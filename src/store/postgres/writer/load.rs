//! Reading what a batch needs, in one round trip: all queries leave at once.

use std::collections::HashMap;

use jiff::Timestamp;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::needs::Needs;
use super::transaction::{DueRows, Entry, KeyEntry, SubscriptionEntry};
use crate::matching::{Asks, FirmId};
use crate::store::confirmation::Sent;
use crate::store::damaged::Damaged;
use crate::store::ids::Id;
use crate::store::keyed_request::KeyName;
use crate::store::postgres::error::Error;
use crate::store::postgres::leases::Leases;
use crate::store::postgres::session::BEGIN;
use crate::store::postgres::time::{self, Time};
use crate::store::postgres::writers;
use crate::store::{record, subscription_record};

/// How many are done by the clock in one transaction, so that no inquiry waits long for it.
const CLOCK_AT_ONCE: i64 = 64;

/// How many more rows than deliveries are looked at: those that cannot be read stay due.
const SPARE: usize = 32;

const KEYS: &str = "SELECT k.name, k.tag, k.id, k.expires_at, i.value FROM keys k LEFT JOIN inquiries i ON i.id = k.id \
                    WHERE k.name = ANY($1)";
const INQUIRIES: &str = "SELECT id, value FROM inquiries WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const REFERRALS: &str = "SELECT id, value, leases FROM referrals WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const SUBSCRIPTIONS: &str =
    "SELECT key, value, leases FROM subscriptions WHERE key = ANY($1) ORDER BY key FOR UPDATE";
const TURNS: &str =
    "SELECT pg_advisory_xact_lock(hashtext('taubenabwehr turns'), hashtext(current_schema()))";
const ASKS: &str = "SELECT firm, value FROM asks WHERE last > $1";
const CONFIRMATIONS: &str = "SELECT address, times FROM confirmations WHERE address = ANY($1)";
const MAILS: &str = "WITH due AS MATERIALIZED (SELECT id, value, leases, mail_due FROM referrals WHERE mail_due <= $1 \
                     ORDER BY mail_due LIMIT $2 FOR UPDATE SKIP LOCKED) \
                     SELECT d.id, i.value, d.value, d.leases FROM due d LEFT JOIN inquiries i ON i.id = d.id ORDER BY d.mail_due";
const NEXT_MAIL: &str = "SELECT least((SELECT min(mail_due) FROM referrals WHERE mail_due > $1), \
                         (SELECT min(mail_due) FROM subscriptions WHERE mail_due > $1))";
const WEBHOOKS: &str = "WITH due AS MATERIALIZED (SELECT id, value, leases, webhook_due FROM referrals \
                        WHERE webhook_due <= $1 ORDER BY webhook_due LIMIT $2 FOR UPDATE SKIP LOCKED) \
                        SELECT d.id, i.value, d.value, d.leases FROM due d LEFT JOIN inquiries i ON i.id = d.id \
                        ORDER BY d.webhook_due";
const NEXT_WEBHOOK: &str = "SELECT min(webhook_due) FROM referrals WHERE webhook_due > $1";
const CONFIRMATION_MAILS: &str = "SELECT key, value, leases FROM subscriptions WHERE mail_due <= $1 \
                                  ORDER BY mail_due LIMIT $2 FOR UPDATE SKIP LOCKED";
// In a store that was restored, what was there before waits for the operator: the lost one may have gone on with it.
const CLOCK: &str = "WITH due AS MATERIALIZED (SELECT id, value, leases, clock_due FROM referrals WHERE clock_due <= $1 \
                     AND id >= coalesce((SELECT (lpad(to_hex(value), 12, '0') || repeat('0', 20))::uuid FROM meta \
                     WHERE name = 'held'), '00000000-0000-0000-0000-000000000000'::uuid) \
                     ORDER BY clock_due LIMIT $2 FOR UPDATE SKIP LOCKED) \
                     SELECT d.id, i.value, d.value, d.leases FROM due d LEFT JOIN inquiries i ON i.id = d.id ORDER BY d.clock_due";
const EXPIRED: &str = "SELECT key, value, leases FROM subscriptions WHERE clock_due <= $1 \
                       ORDER BY clock_due LIMIT $2 FOR UPDATE SKIP LOCKED";

/// What was read.
#[derive(Default)]
pub struct Loaded {
    /// The batch and the attempt that this writer has committed last, if that was asked for.
    pub committed: Option<(i64, i32)>,
    /// Keys.
    pub keys: HashMap<KeyName, KeyEntry>,
    /// What is known of inquiries.
    pub dossiers: HashMap<Uuid, Entry>,
    /// Subscriptions.
    pub subscriptions: HashMap<Uuid, SubscriptionEntry>,
    /// Confirmations.
    pub confirmations: HashMap<Id, Sent>,
    /// What is due.
    pub due: DueRows,
    /// What other instances have asked.
    pub asks: Vec<(FirmId, Asks)>,
}

/// What a batch is read for.
pub struct Reading<'a> {
    /// The writer, if it must find out what became of its last batch.
    pub doubtful: Option<Uuid>,
    /// What is needed.
    pub needs: &'a Needs,
    /// The number of the last ask that is known.
    pub last_ask: i64,
    /// Tells the time of the database.
    pub time: &'a Time,
}

type Rows = Result<Vec<Row>, tokio_postgres::Error>;

/// Begins a transaction and reads what a batch needs.
pub async fn load(client: &Client, reading: &Reading<'_>) -> Result<Loaded, Error> {
    let mut loaded = load_named(client, reading).await?;
    let needs = reading.needs;
    if needs.mails > 0 || needs.webhooks > 0 || needs.clock {
        load_due(client, needs, reading.time.now(), &mut loaded).await?;
    }
    Ok(loaded)
}

/// Begins a transaction and reads what a batch names.
async fn load_named(client: &Client, reading: &Reading<'_>) -> Result<Loaded, Error> {
    let needs = reading.needs;
    let names: Vec<&[u8]> = needs.keys.iter().map(KeyName::as_slice).collect();
    let ids: Vec<Uuid> = needs.dossiers.iter().copied().collect();
    let keys: Vec<Uuid> = needs.subscriptions.iter().copied().collect();
    let addresses: Vec<&[u8]> = needs.addresses.iter().map(Id::as_slice).collect();
    let if_wanted = |wanted: bool, query: &'static str| async move {
        if wanted {
            client.query_typed(query, &[]).await
        } else {
            Ok(Vec::new())
        }
    };
    let (begun, committed, locked, asks, addresses, keys, inquiries, referrals, subscriptions, time) =
        async {
            tokio::join!(
                biased;
                client.batch_execute(BEGIN),
                async {
                    match &reading.doubtful {
                        Some(writer) => client.query_typed(writers::LAST, &[(writer, Type::UUID)]).await,
                        None => Ok(Vec::new()),
                    }
                },
                if_wanted(needs.turns, TURNS),
                async {
                    if needs.turns {
                        client.query_typed(ASKS, &[(&reading.last_ask, Type::INT8)]).await
                    } else {
                        Ok(Vec::new())
                    }
                },
                by(client, CONFIRMATIONS, !addresses.is_empty(), &addresses, Type::BYTEA_ARRAY),
                by(client, KEYS, !names.is_empty(), &names, Type::BYTEA_ARRAY),
                by(client, INQUIRIES, !ids.is_empty(), &ids, Type::UUID_ARRAY),
                by(client, REFERRALS, !ids.is_empty(), &ids, Type::UUID_ARRAY),
                by(client, SUBSCRIPTIONS, !keys.is_empty(), &keys, Type::UUID_ARRAY),
                // Once no lock is waited for any more.
                if_wanted(needs.time, time::NOW),
            )
        }
        .await;
    let mut loaded = Loaded::default();
    begun?;
    locked?;
    if let Some(row) = committed?.first() {
        loaded.committed = Some((row.try_get(0)?, row.try_get(1)?));
    }
    loaded.take_asks(&asks?)?;
    loaded.take_confirmations(&addresses?)?;
    loaded.take_keys(&keys?)?;
    loaded.take_dossiers(&inquiries?, &referrals?)?;
    loaded.take_subscriptions(&subscriptions?)?;
    if let Some(row) = time?.first() {
        reading.time.note(row.try_get(0)?);
    }
    Ok(loaded)
}

/// Reads what is due.
async fn load_due(client: &Client, needs: &Needs, now: Timestamp, loaded: &mut Loaded) -> Result<(), Error> {
    let limit = |wanted: usize| i64::try_from(wanted.saturating_add(SPARE)).unwrap_or(i64::MAX);
    let due = |wanted: bool, query: &'static str, limit: i64| async move {
        let parameters: [(&(dyn ToSql + Sync), Type); 2] = [(&now, Type::TIMESTAMPTZ), (&limit, Type::INT8)];
        if wanted {
            client.query_typed(query, &parameters).await
        } else {
            Ok(Vec::new())
        }
    };
    let next = |wanted: bool, query: &'static str| async move {
        if wanted {
            client.query_typed(query, &[(&now, Type::TIMESTAMPTZ)]).await
        } else {
            Ok(Vec::new())
        }
    };
    let (mails, next_mail, confirmations, webhooks, next_webhook, clock, expired) = tokio::join!(
        biased;
        due(needs.mails > 0, MAILS, limit(needs.mails)),
        next(needs.mails > 0, NEXT_MAIL),
        due(needs.mails > 0, CONFIRMATION_MAILS, limit(needs.mails)),
        due(needs.webhooks > 0, WEBHOOKS, limit(needs.webhooks)),
        next(needs.webhooks > 0, NEXT_WEBHOOK),
        due(needs.clock, CLOCK, CLOCK_AT_ONCE),
        due(needs.clock, EXPIRED, CLOCK_AT_ONCE),
    );
    loaded.due.mails = loaded.take_due(&mails?)?;
    loaded.due.next_mail = next_time(&next_mail?)?;
    loaded.due.confirmations = loaded.take_subscriptions(&confirmations?)?;
    loaded.due.webhooks = loaded.take_due(&webhooks?)?;
    loaded.due.next_webhook = next_time(&next_webhook?)?;
    loaded.due.clock = loaded.take_due(&clock?)?;
    loaded.due.expired = loaded.take_subscriptions(&expired?)?;
    Ok(())
}

/// Reads what addresses were sent, which shows only once inquiries were read.
pub async fn load_confirmations(client: &Client, addresses: &[Id], loaded: &mut Loaded) -> Result<(), Error> {
    let addresses: Vec<&[u8]> = addresses.iter().map(Id::as_slice).collect();
    loaded.take_confirmations(&by(client, CONFIRMATIONS, true, &addresses, Type::BYTEA_ARRAY).await?)
}

async fn by<T: ToSql + Sync>(
    client: &Client,
    query: &str,
    is_wanted: bool,
    values: &Vec<T>,
    of: Type,
) -> Rows {
    if is_wanted {
        client.query_typed(query, &[(values, of)]).await
    } else {
        Ok(Vec::new())
    }
}

fn next_time(rows: &[Row]) -> Result<Option<Timestamp>, Error> {
    match rows.first() {
        Some(row) => Ok(row.try_get(0)?),
        None => Ok(None),
    }
}

impl Loaded {
    fn take_asks(&mut self, rows: &[Row]) -> Result<(), Error> {
        for row in rows {
            let firm = FirmId::parse(row.try_get(0)?).ok();
            let asks = firm.zip(Asks::from_bytes(row.try_get(1)?));
            self.asks
                .push(asks.ok_or(Damaged("what a firm was asked cannot be read"))?);
        }
        Ok(())
    }

    fn take_confirmations(&mut self, rows: &[Row]) -> Result<(), Error> {
        let damaged = Damaged("what was sent to addresses cannot be read");
        for row in rows {
            let address: &[u8] = row.try_get(0)?;
            let times: Vec<i64> = row.try_get(1)?;
            let address = address.try_into().map_err(|_| damaged)?;
            let times = times
                .into_iter()
                .map(u64::try_from)
                .collect::<Result<Vec<_>, _>>();
            let times = times.ok().and_then(|times| times.try_into().ok());
            self.confirmations.insert(address, Sent(times.ok_or(damaged)?));
        }
        Ok(())
    }

    fn take_keys(&mut self, rows: &[Row]) -> Result<(), Error> {
        let damaged = Damaged("an idempotency key cannot be read");
        for row in rows {
            let (name, tag): (&[u8], &[u8]) = (row.try_get(0)?, row.try_get(1)?);
            let id: Uuid = row.try_get(2)?;
            let value: Option<&[u8]> = row.try_get(4)?;
            let read =
                |value| record::decode(id.into_bytes(), value).ok_or(Damaged("an inquiry cannot be read"));
            let entry = KeyEntry {
                tag: tag.try_into().map_err(|_| damaged)?,
                id,
                expires_at: row.try_get(3)?,
                inquiry: value.map(read),
            };
            self.keys.insert(name.try_into().map_err(|_| damaged)?, entry);
        }
        Ok(())
    }

    fn take_dossiers(&mut self, inquiries: &[Row], referrals: &[Row]) -> Result<(), Error> {
        let mut values: HashMap<Uuid, &[u8]> = HashMap::new();
        for row in inquiries {
            values.insert(row.try_get(0)?, row.try_get(1)?);
        }
        for row in referrals {
            let id: Uuid = row.try_get(0)?;
            let entry = Entry::read(id, values.remove(&id), Some(row.try_get(1)?), row.try_get(2)?);
            self.dossiers.insert(id, entry);
        }
        for (id, value) in values {
            self.dossiers.insert(id, Entry::read(id, Some(value), None, None));
        }
        Ok(())
    }

    /// Takes what is due, and what is known of it; returns the ids in order.
    fn take_due(&mut self, rows: &[Row]) -> Result<Vec<Uuid>, Error> {
        let mut ids = Vec::with_capacity(rows.len());
        for row in rows {
            let id: Uuid = row.try_get(0)?;
            let entry = Entry::read(id, row.try_get(1)?, Some(row.try_get(2)?), row.try_get(3)?);
            // What the batch names was read and locked before.
            self.dossiers.entry(id).or_insert(entry);
            ids.push(id);
        }
        Ok(ids)
    }

    fn take_subscriptions(&mut self, rows: &[Row]) -> Result<Vec<Uuid>, Error> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let key: Uuid = row.try_get(0)?;
            let entry = SubscriptionEntry {
                subscription: Some(subscription_record::decode(row.try_get(1)?)?),
                leases: Leases::decode(row.try_get(2)?)?,
            };
            self.subscriptions.entry(key).or_insert(entry);
            keys.push(key);
        }
        Ok(keys)
    }
}
