//! One list of what is done with each table of the file. Creating, opening, erasing and compacting go through that list, so
//! that none of them can forget a table.

use redb::{
    Key, ReadTransaction, ReadableTable, ReadableTableMetadata, TableDefinition, TableHandle, Value,
    WriteTransaction,
};
use uuid::Uuid;

use super::copying::Copying;
use super::error::damaged;
use super::open_tables::OpenTables;
use super::schema::{
    ASK_LOG, ASKS, CLOSINGS, CONFIRMATION_LOG, COUNTS, DUE, EXPIRIES, INQUIRIES, Id, KEYS, LEDGER, META,
    PHOTOS, REFERRALS, SECRETS, SUBSCRIPTIONS, TRACES, millis,
};
use super::{confirmations, secrets};
use crate::store::core::{acceptance_record, record, referral_record, subscription_record};

/// What is done with a table. There are no defaults: every new table needs a decision on each.
pub struct TableRules {
    /// Its name in the file.
    pub name: &'static str,
    /// Creates it in a new file, or in an older one that lacks it.
    pub create: fn(&WriteTransaction) -> Result<(), redb::Error>,
    /// Looks for damage, as far as that shows quickly; runs whenever a file is opened.
    pub inspect: fn(&ReadTransaction) -> Result<(), redb::Error>,
    /// Copies what belongs in another file. With an erasure that is what remains after it; without one it is everything
    /// that is still of use, for compaction.
    pub copy: fn(&Copying<'_>) -> Result<(), redb::Error>,
}

/// Every table of a file of today's schema.
pub const ALL: [TableRules; 15] = [
    TableRules {
        name: "inquiries",
        create: |new| create(new, INQUIRIES),
        inspect: |file| ends_are_whole(file, INQUIRIES, |id, value| decode_check(**id, value)),
        copy: |copying| copy_some(copying, INQUIRIES, |id, value| Ok(!copying.erases(id, value)?)),
    },
    TableRules {
        name: "idempotency_keys",
        create: |new| create(new, KEYS),
        inspect: |file| has_length(file, KEYS),
        // The key of an erased inquiry stays: a repeated request must not bring the inquiry back.
        copy: |copying| {
            let now = millis(copying.now);
            copy_some(copying, KEYS, |_, (_, _, expiry)| Ok(*expiry > now))
        },
    },
    TableRules {
        name: "idempotency_expiries",
        create: |new| create(new, EXPIRIES),
        inspect: |file| has_first(file, EXPIRIES),
        copy: |copying| {
            let now = millis(copying.now);
            copy_some(copying, EXPIRIES, |(expiry, _), ()| Ok(*expiry > now))
        },
    },
    TableRules {
        name: "meta",
        create: |new| create(new, META),
        inspect: |file| {
            file.open_table(META)?.get(TRACES)?;
            Ok(())
        },
        copy: |copying| copy_some(copying, META, |name, _| Ok(*name != TRACES)),
    },
    TableRules {
        name: "referrals",
        create: |new| create(new, REFERRALS),
        inspect: |file| {
            ends_are_whole(file, REFERRALS, |id, value| {
                referral_record::decode(id, value)?;
                Ok(())
            })
        },
        copy: copy_referrals,
    },
    TableRules {
        name: "due_ids",
        create: |new| create(new, DUE),
        inspect: |file| has_first(file, DUE),
        // Follows from referrals and subscriptions, which write it when they are copied.
        copy: |_| Ok(()),
    },
    TableRules {
        name: "asks",
        create: |new| create(new, ASKS),
        inspect: |file| has_length(file, ASKS),
        copy: |copying| copy_table(copying, ASKS),
    },
    TableRules {
        name: "ask_log",
        create: |new| create(new, ASK_LOG),
        inspect: |file| has_first(file, ASK_LOG),
        copy: |copying| copy_table(copying, ASK_LOG),
    },
    TableRules {
        name: "confirmation_log",
        create: |new| create(new, CONFIRMATION_LOG),
        inspect: |file| has_first(file, CONFIRMATION_LOG),
        copy: confirmations::copy,
    },
    TableRules {
        name: "counts",
        create: |new| create(new, COUNTS),
        inspect: |file| has_first(file, COUNTS),
        copy: |copying| copy_table(copying, COUNTS),
    },
    TableRules {
        name: "subscriptions",
        create: |new| create(new, SUBSCRIPTIONS),
        inspect: |file| has_first(file, SUBSCRIPTIONS),
        copy: copy_subscriptions,
    },
    TableRules {
        name: "ledger",
        create: |new| create(new, LEDGER),
        inspect: |file| {
            ends_are_whole(file, LEDGER, |(id, firm), value| {
                acceptance_record::decode(Uuid::from_bytes(**id), firm, value)?;
                Ok(())
            })
        },
        // An erasure takes nothing of it: it names nobody.
        copy: |copying| copy_table(copying, LEDGER),
    },
    TableRules {
        name: "closings",
        create: |new| create(new, CLOSINGS),
        inspect: |file| has_first(file, CLOSINGS),
        copy: |copying| copy_table(copying, CLOSINGS),
    },
    TableRules {
        name: "photos",
        create: |new| create(new, PHOTOS),
        inspect: |file| has_length(file, PHOTOS),
        copy: copy_photos,
    },
    TableRules {
        name: "secrets",
        create: |new| create(new, SECRETS),
        inspect: |file| {
            secrets::find(&file.open_table(SECRETS)?)?;
            Ok(())
        },
        copy: |copying| copy_table(copying, SECRETS),
    },
];

/// Creates every table that is missing.
pub fn create_all(file: &WriteTransaction) -> Result<(), redb::Error> {
    ALL.iter().try_for_each(|table| (table.create)(file))
}

/// Looks for damage in every table.
pub fn inspect_all(file: &ReadTransaction) -> Result<(), redb::Error> {
    ALL.iter().try_for_each(|table| (table.inspect)(file))
}

/// Copies every table.
///
/// # Errors
/// Also when the file has a table without rules: what is in it would be lost.
pub fn copy_all(copying: &Copying<'_>) -> Result<(), redb::Error> {
    for table in copying.old.list_tables()? {
        if !ALL.iter().any(|known| known.name == table.name()) {
            return Err(damaged(&format!(
                "there is no rule for copying the table {}",
                table.name()
            )));
        }
    }
    ALL.iter().try_for_each(|table| (table.copy)(copying))
}

fn create<K: Key + 'static, V: Value + 'static>(
    file: &WriteTransaction,
    table: TableDefinition<'_, K, V>,
) -> Result<(), redb::Error> {
    file.open_table(table)?;
    Ok(())
}

/// Looks whether the first entry of a table can be found.
fn has_first<K: Key + 'static, V: Value + 'static>(
    file: &ReadTransaction,
    table: TableDefinition<'_, K, V>,
) -> Result<(), redb::Error> {
    file.open_table(table)?.first()?;
    Ok(())
}

/// Looks whether the length of a table can be found.
fn has_length<K: Key + 'static, V: Value + 'static>(
    file: &ReadTransaction,
    table: TableDefinition<'_, K, V>,
) -> Result<(), redb::Error> {
    file.open_table(table)?.len()?;
    Ok(())
}

/// Looks whether the first and the last entry of a table can be read.
fn ends_are_whole<K: Key + 'static, V: Value + 'static>(
    file: &ReadTransaction,
    table: TableDefinition<'_, K, V>,
    check: impl Fn(&K::SelfType<'_>, &V::SelfType<'_>) -> Result<(), redb::Error>,
) -> Result<(), redb::Error> {
    let table = file.open_table(table)?;
    let ends = [table.first()?, table.last()?];
    ends.into_iter()
        .flatten()
        .try_for_each(|(key, value)| check(&key.value(), &value.value()))
}

/// Copies a whole table.
fn copy_table<K: Key + 'static, V: Value + 'static>(
    copying: &Copying<'_>,
    table: TableDefinition<'_, K, V>,
) -> Result<(), redb::Error> {
    copy_some(copying, table, |_, _| Ok(true))
}

/// Copies those entries of a table that are to be kept.
fn copy_some<K: Key + 'static, V: Value + 'static>(
    copying: &Copying<'_>,
    table: TableDefinition<'_, K, V>,
    is_kept: impl Fn(&K::SelfType<'_>, &V::SelfType<'_>) -> Result<bool, redb::Error>,
) -> Result<(), redb::Error> {
    let mut new = copying.new.open_table(table)?;
    for entry in copying.old.open_table(table)?.iter()? {
        let (key, value) = entry?;
        (copying.progress)();
        let (key, value) = (key.value(), value.value());
        if is_kept(&key, &value)? {
            new.insert(key, value)?;
        }
    }
    Ok(())
}

fn decode_check(id: Id, value: &[u8]) -> Result<(), redb::Error> {
    match record::decode(id, value) {
        Some(_) => Ok(()),
        None => Err(damaged("an inquiry cannot be read")),
    }
}

/// Copies the referrals. Of an erased inquiry only notices to firms remain.
fn copy_referrals(copying: &Copying<'_>) -> Result<(), redb::Error> {
    let inquiries = copying.old.open_table(INQUIRIES)?;
    let mut new = OpenTables::new(copying.new);
    for entry in copying.old.open_table(REFERRALS)?.iter()? {
        let (id, value) = entry?;
        (copying.progress)();
        let id = id.value();
        let is_erased = match inquiries.get(id)? {
            Some(inquiry) => copying.erases(id, inquiry.value())?,
            // One that was withdrawn.
            None => copying.names(id),
        };
        let referral = referral_record::decode(id, value.value())?;
        let remains = if is_erased {
            referral.erased(copying.now)
        } else {
            (!referral.is_over(copying.now)).then_some(referral)
        };
        if remains.is_some() {
            new.put_referral(id, remains.as_ref())?;
        }
    }
    new.finish()
}

/// Copies the photos of inquiries that remain.
fn copy_photos(copying: &Copying<'_>) -> Result<(), redb::Error> {
    let inquiries = copying.old.open_table(INQUIRIES)?;
    copy_some(copying, PHOTOS, |(id, _, _), _| {
        let inquiry = inquiries.get(*id)?;
        inquiry.map_or(Ok(false), |inquiry| Ok(!copying.erases(id, inquiry.value())?))
    })
}

/// Copies the subscriptions that are of use.
fn copy_subscriptions(copying: &Copying<'_>) -> Result<(), redb::Error> {
    let mut new = OpenTables::new(copying.new);
    for entry in copying.old.open_table(SUBSCRIPTIONS)?.iter()? {
        let (key, value) = entry?;
        (copying.progress)();
        let subscription = subscription_record::decode(value.value())?;
        if !subscription.is_expired(copying.now) {
            new.put_subscription(key.value(), Some(&subscription))?;
        }
    }
    new.finish()
}
