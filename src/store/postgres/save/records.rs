//! Writing inquiries, their referrals and photos, and subscriptions.

use std::mem;

use jiff::Timestamp;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::statements::{self, Steps, boxed};
use super::{Attempt, Saving};
use crate::newsletter::Subscription;
use crate::referral::Due;
use crate::store::core::{Changes, Leases};
use crate::store::core::{record, referral_record, subscription_record};
use crate::store::error::Damaged;
use crate::store::postgres::{photos, writers};

/// Notes the batch, and stores its new inquiries; returns their referrals.
pub fn add_batch(
    steps: &mut Steps<'_>,
    saving: &mut Saving<'_>,
    attempt: Attempt,
) -> Result<Columns, Damaged> {
    let mut parameters = vec![
        boxed(attempt.writer, Type::UUID),
        boxed(attempt.batch, Type::INT8),
        boxed(attempt.number, Type::INT4),
        boxed(saving.now, Type::TIMESTAMPTZ),
    ];
    if saving.changes.new.is_empty() {
        steps.add(writers::COMMITTED, parameters);
        return Ok(Columns::default());
    }
    let (mut names, mut tags) = (Vec::new(), Vec::new());
    let (mut of, mut expiries) = (Vec::new(), Vec::new());
    for name in &saving.changes.keys {
        if let Some(entry) = saving.rows.keys.get(name) {
            names.push(name.to_vec());
            tags.push(entry.tag.to_vec());
            of.push(entry.id);
            expiries.push(entry.expires_at);
        }
    }
    let (mut ids, mut times, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut referrals = Columns::default();
    for row in mem::take(&mut saving.changes.new) {
        ids.push(row.id);
        times.push(row.created_at);
        values.push(row.value);
        if let Some(referral) = row.referral {
            let value = referral_record::encode(row.id.as_bytes(), &referral)?;
            referrals.push(row.id, value, referral.due(), None);
        }
    }
    parameters.extend([
        boxed(names, Type::BYTEA_ARRAY),
        boxed(tags, Type::BYTEA_ARRAY),
        boxed(of, Type::UUID_ARRAY),
        boxed(expiries, Type::TIMESTAMPTZ_ARRAY),
        boxed(ids, Type::UUID_ARRAY),
        boxed(times, Type::TIMESTAMPTZ_ARRAY),
        boxed(values, Type::BYTEA_ARRAY),
    ]);
    steps.add(statements::INQUIRIES, parameters);
    Ok(referrals)
}

/// Changes inquiries and referrals that were there, and adds new referrals.
pub fn add_inquiries(
    steps: &mut Steps<'_>,
    saving: &Saving<'_>,
    mut columns: Columns,
) -> Result<(), Damaged> {
    let (changes, entries) = (&saving.changes, &saving.rows.inquiries);
    let (mut ids, mut values) = (Vec::new(), Vec::new());
    for id in &changes.inquiries {
        if let Some(inquiry) = entries.get(id).and_then(|entry| entry.inquiry.as_ref()) {
            ids.push(*id);
            values.push(record::encode_stored(inquiry)?);
        }
    }
    if !ids.is_empty() {
        steps.add(
            statements::CHANGED_INQUIRIES,
            vec![boxed(ids, Type::UUID_ARRAY), boxed(values, Type::BYTEA_ARRAY)],
        );
    }
    add_ids(
        steps,
        statements::REMOVED_INQUIRIES,
        changes.removed.iter().copied(),
    );
    add_photos(steps, changes);
    let mut removed = Vec::new();
    for id in changes.referrals.union(&changes.leased) {
        let Some(entry) = entries.get(id) else { continue };
        match &entry.referral {
            None => removed.push(*id),
            Some(referral) => {
                let value = referral_record::encode(id.as_bytes(), referral)?;
                columns.push(*id, value, entry.leases.due(referral), entry.leases.encode());
            }
        }
    }
    columns.add(steps, statements::REFERRALS, true);
    add_ids(steps, statements::REMOVED_REFERRALS, removed);
    add_ids(steps, statements::NOT_DUE, changes.not_due.iter().copied());
    Ok(())
}

/// Adds photos and takes them away, those of removed inquiries last.
fn add_photos(steps: &mut Steps<'_>, changes: &Changes) {
    if let Some(removed) = photos::removed(changes) {
        steps.add(photos::REMOVE, removed);
    }
    if let Some(added) = photos::added(changes) {
        steps.add(photos::ADD, added);
    }
    add_ids(steps, photos::REMOVE_ALL, changes.removed.iter().copied());
}

/// Changes subscriptions, and stores new ones.
pub fn add_subscriptions(steps: &mut Steps<'_>, saving: &Saving<'_>) -> Result<(), Damaged> {
    let (changes, entries) = (&saving.changes, &saving.rows.subscriptions);
    let (mut removed, mut columns) = (Vec::new(), Columns::default());
    for key in changes.subscriptions.union(&changes.leased_subscriptions) {
        let Some(entry) = entries.get(key) else { continue };
        match &entry.subscription {
            None => removed.push(*key),
            Some(subscription) => {
                let due = due(subscription, &entry.leases);
                columns.push(
                    *key,
                    subscription_record::encode(subscription)?,
                    due,
                    entry.leases.encode(),
                );
            }
        }
    }
    columns.add(steps, statements::SUBSCRIPTIONS, false);
    add_ids(steps, statements::REMOVED_SUBSCRIPTIONS, removed);
    Ok(())
}

/// Returns when somebody may do something for a subscription.
fn due(subscription: &Subscription, leases: &Leases) -> Due {
    let due = subscription.due();
    Due {
        mail: due.mail.map(|due| leases.free(0, due)),
        ..due
    }
}

fn add_ids(steps: &mut Steps<'_>, statement: &'static str, ids: impl IntoIterator<Item = Uuid>) {
    let ids: Vec<Uuid> = ids.into_iter().collect();
    if !ids.is_empty() {
        steps.add(statement, vec![boxed(ids, Type::UUID_ARRAY)]);
    }
}

/// Rows of referrals or subscriptions, by column.
#[derive(Default)]
pub struct Columns {
    keys: Vec<Uuid>,
    values: Vec<Vec<u8>>,
    clock: Vec<Option<Timestamp>>,
    mail: Vec<Option<Timestamp>>,
    webhook: Vec<Option<Timestamp>>,
    leases: Vec<Option<Vec<u8>>>,
}

impl Columns {
    fn push(&mut self, key: Uuid, value: Vec<u8>, due: Due, leases: Option<Vec<u8>>) {
        self.keys.push(key);
        self.values.push(value);
        self.clock.push(due.clock);
        self.mail.push(due.mail);
        self.webhook.push(due.webhook);
        self.leases.push(leases);
    }

    fn add(self, steps: &mut Steps<'_>, statement: &'static str, has_webhook: bool) {
        if self.keys.is_empty() {
            return;
        }
        let mut parameters = vec![
            boxed(self.keys, Type::UUID_ARRAY),
            boxed(self.values, Type::BYTEA_ARRAY),
            boxed(self.clock, Type::TIMESTAMPTZ_ARRAY),
            boxed(self.mail, Type::TIMESTAMPTZ_ARRAY),
        ];
        if has_webhook {
            parameters.push(boxed(self.webhook, Type::TIMESTAMPTZ_ARRAY));
        }
        parameters.push(boxed(self.leases, Type::BYTEA_ARRAY));
        steps.add(statement, parameters);
    }
}
