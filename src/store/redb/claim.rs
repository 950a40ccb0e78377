//! Finding deliveries that are due.

use jiff::Timestamp;
use redb::{Database, ReadTransaction, ReadableDatabase};
use uuid::Uuid;

use super::claims::Claims;
use super::dossiers;
use super::schema::{DUE, Id, SUBSCRIPTIONS, millis};
use super::{referrals, subscriptions};
use crate::referral::{DeliveryId, Lane};
use crate::store::claimed::{Claim, Claimed, Delivering};

/// Claims deliveries of a lane that are due and not being tried, at most `limit`.
pub fn claim(
    database: &Database,
    claims: &Claims,
    lane: Lane,
    limit: usize,
    now: Timestamp,
) -> Result<Claimed, redb::Error> {
    let claims = claims.search();
    let file = &database.begin_read()?;
    let mut found = Claimed::default();
    for (_, key) in due(file, referrals::number(lane), now, &mut found.next)? {
        if found.claims.len() >= limit {
            break;
        }
        let id = Uuid::from_bytes(key);
        let Some(dossier) = dossiers::read(file, id)? else {
            continue;
        };
        let numbers: Vec<u16> = dossier
            .referral
            .due_deliveries(lane, now)
            .map(|(number, _)| number)
            .collect();
        for number in numbers {
            let Some(delivery) = dossier.referral.deliveries.get(usize::from(number)) else {
                continue;
            };
            let id = DeliveryId { inquiry: id, number };
            if found.claims.len() < limit && claims.claim(id) {
                found.claims.push(Claim {
                    id,
                    delivery: delivery.clone(),
                    what: Delivering::Inquiry(Box::new(dossier.clone())),
                });
            }
        }
    }
    for (_, key) in due(file, subscriptions::number(lane), now, &mut found.next)? {
        let id = DeliveryId {
            inquiry: Uuid::from_bytes(key),
            number: 0,
        };
        let subscription = subscriptions::read(&file.open_table(SUBSCRIPTIONS)?, &key)?;
        if let Some(subscription) = subscription.filter(|found| found.is_due(now))
            && found.claims.len() < limit
            && claims.claim(id)
        {
            found.claims.push(Claim {
                id,
                delivery: subscription.delivery.clone(),
                what: Delivering::Subscription(Box::new(subscription)),
            });
        }
    }
    Ok(found)
}

/// How many entries of the index are looked at: more than may be tried at once, since those stay in it until they are
/// settled.
const LOOKED_AT: usize = 256;

fn due(
    file: &ReadTransaction,
    lane: u8,
    now: Timestamp,
    next: &mut Option<Timestamp>,
) -> Result<Vec<(u64, Id)>, redb::Error> {
    let mut found = Vec::new();
    for entry in file
        .open_table(DUE)?
        .range((lane, 0, &Id::default())..(lane + 1, 0, &Id::default()))?
    {
        let (entry, _) = entry?;
        let (_, time, key) = entry.value();
        if time > millis(now) {
            let time = i64::try_from(time)
                .ok()
                .and_then(|time| Timestamp::from_millisecond(time).ok());
            *next = match (*next, time) {
                (Some(next), Some(time)) => Some(next.min(time)),
                (next, time) => next.or(time),
            };
            break;
        }
        found.push((time, *key));
        if found.len() == LOOKED_AT {
            break;
        }
    }
    Ok(found)
}
