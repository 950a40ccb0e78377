//! One list of what is done with each table of the file. Creating, opening, erasing and compacting go through that list, so
//! that none of them can forget a table.

use redb::{
    Key, ReadTransaction, ReadableTable, ReadableTableMetadata, TableDefinition, TableHandle, Value,
    WriteTransaction,
};

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
pub struct Policy {
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
pub const ALL: [Policy; 15] = [
    Policy {
        name: "inquiries",
        create: |new| create(new, INQUIRIES),
        inspect: |file| {
            let inquiries = file.open_table(INQUIRIES)?;
            for (id, value) in [inquiries.first()?, inquiries.last()?].into_iter().flatten() {
                decode_check(*id.value(), value.value())?;
            }
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(INQUIRIES)?;
            for entry in copying.old.open_table(INQUIRIES)?.iter()? {
                let (id, value) = entry?;
                (copying.progress)();
                if !copying.erases(id.value(), value.value())? {
                    new.insert(id.value(), value.value())?;
                }
            }
            Ok(())
        },
    },
    Policy {
        name: "idempotency_keys",
        create: |new| create(new, KEYS),
        inspect: |file| {
            file.open_table(KEYS)?.len()?;
            Ok(())
        },
        // The key of an erased inquiry stays: a repeated request must not bring the inquiry back.
        copy: |copying| {
            let mut new = copying.new.open_table(KEYS)?;
            for entry in copying.old.open_table(KEYS)?.iter()? {
                let (name, value) = entry?;
                (copying.progress)();
                let (tag, id, expiry) = value.value();
                if expiry > millis(copying.now) {
                    new.insert(name.value(), (tag, id, expiry))?;
                }
            }
            Ok(())
        },
    },
    Policy {
        name: "idempotency_expiries",
        create: |new| create(new, EXPIRIES),
        inspect: |file| {
            file.open_table(EXPIRIES)?.first()?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(EXPIRIES)?;
            for entry in copying.old.open_table(EXPIRIES)?.iter()? {
                let (entry, _) = entry?;
                (copying.progress)();
                let (expiry, name) = entry.value();
                if expiry > millis(copying.now) {
                    new.insert((expiry, name), ())?;
                }
            }
            Ok(())
        },
    },
    Policy {
        name: "meta",
        create: |new| create(new, META),
        inspect: |file| {
            file.open_table(META)?.get(TRACES)?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(META)?;
            for entry in copying.old.open_table(META)?.iter()? {
                let (name, value) = entry?;
                if name.value() != TRACES {
                    new.insert(name.value(), value.value())?;
                }
            }
            Ok(())
        },
    },
    Policy {
        name: "referrals",
        create: |new| create(new, REFERRALS),
        inspect: |file| {
            let referrals = file.open_table(REFERRALS)?;
            for (id, value) in [referrals.first()?, referrals.last()?].into_iter().flatten() {
                referral_record::decode(id.value(), value.value())?;
            }
            Ok(())
        },
        copy: copy_referrals,
    },
    Policy {
        name: "due_ids",
        create: |new| create(new, DUE),
        inspect: |file| {
            file.open_table(DUE)?.first()?;
            Ok(())
        },
        // Follows from referrals and subscriptions, which write it when they are copied.
        copy: |_| Ok(()),
    },
    Policy {
        name: "asks",
        create: |new| create(new, ASKS),
        inspect: |file| {
            file.open_table(ASKS)?.len()?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(ASKS)?;
            for entry in copying.old.open_table(ASKS)?.iter()? {
                let (firm, asks) = entry?;
                new.insert(firm.value(), asks.value())?;
            }
            Ok(())
        },
    },
    Policy {
        name: "ask_log",
        create: |new| create(new, ASK_LOG),
        inspect: |file| {
            file.open_table(ASK_LOG)?.first()?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(ASK_LOG)?;
            for entry in copying.old.open_table(ASK_LOG)?.iter()? {
                let (first, asks) = entry?;
                new.insert(first.value(), asks.value())?;
            }
            Ok(())
        },
    },
    Policy {
        name: "confirmation_log",
        create: |new| create(new, CONFIRMATION_LOG),
        inspect: |file| {
            file.open_table(CONFIRMATION_LOG)?.first()?;
            Ok(())
        },
        copy: confirmations::copy,
    },
    Policy {
        name: "counts",
        create: |new| create(new, COUNTS),
        inspect: |file| {
            file.open_table(COUNTS)?.first()?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(COUNTS)?;
            for entry in copying.old.open_table(COUNTS)?.iter()? {
                let (key, count) = entry?;
                new.insert(key.value(), count.value())?;
            }
            Ok(())
        },
    },
    Policy {
        name: "subscriptions",
        create: |new| create(new, SUBSCRIPTIONS),
        inspect: |file| {
            file.open_table(SUBSCRIPTIONS)?.first()?;
            Ok(())
        },
        copy: copy_subscriptions,
    },
    Policy {
        name: "ledger",
        create: |new| create(new, LEDGER),
        inspect: |file| {
            let ledger = file.open_table(LEDGER)?;
            for (key, value) in [ledger.first()?, ledger.last()?].into_iter().flatten() {
                let (id, firm) = key.value();
                acceptance_record::decode(uuid::Uuid::from_bytes(*id), firm, value.value())?;
            }
            Ok(())
        },
        // An erasure takes nothing of it: it names nobody.
        copy: |copying| {
            let mut new = copying.new.open_table(LEDGER)?;
            for entry in copying.old.open_table(LEDGER)?.iter()? {
                let (key, value) = entry?;
                (copying.progress)();
                new.insert(key.value(), value.value())?;
            }
            Ok(())
        },
    },
    Policy {
        name: "closings",
        create: |new| create(new, CLOSINGS),
        inspect: |file| {
            file.open_table(CLOSINGS)?.first()?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(CLOSINGS)?;
            for entry in copying.old.open_table(CLOSINGS)?.iter()? {
                let (month, closing) = entry?;
                new.insert(month.value(), closing.value())?;
            }
            Ok(())
        },
    },
    Policy {
        name: "photos",
        create: |new| create(new, PHOTOS),
        inspect: |file| {
            file.open_table(PHOTOS)?.len()?;
            Ok(())
        },
        copy: copy_photos,
    },
    Policy {
        name: "secrets",
        create: |new| create(new, SECRETS),
        inspect: |file| {
            secrets::find(&file.open_table(SECRETS)?)?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(SECRETS)?;
            for entry in copying.old.open_table(SECRETS)?.iter()? {
                let (name, secret) = entry?;
                new.insert(name.value(), secret.value())?;
            }
            Ok(())
        },
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
/// Also when the file has a table without a policy: what is in it would be lost.
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
    let mut new = copying.new.open_table(PHOTOS)?;
    for entry in copying.old.open_table(PHOTOS)?.iter()? {
        let (key, jpeg) = entry?;
        (copying.progress)();
        let (id, number, size) = key.value();
        if let Some(inquiry) = inquiries.get(id)?
            && !copying.erases(id, inquiry.value())?
        {
            new.insert((id, number, size), jpeg.value())?;
        }
    }
    Ok(())
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
