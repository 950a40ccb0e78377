//! Saves everything but inquiries and subscriptions: asks of firms, confirmations, the ledger, counts and facts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::civil::Date;
use tokio_postgres::types::Type;

use super::Saving;
use super::statements::{self, Steps, boxed};
use crate::store::core::LIMIT;
use crate::store::error::Damaged;
use crate::store::postgres::ledger;

pub fn add_asks(steps: &mut Steps<'_>, saving: &Saving<'_>) {
    let mut firms: Vec<_> = saving.asked.iter().collect();
    firms.sort_unstable();
    firms.dedup();
    let (mut names, mut last, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for firm in firms {
        if let Some(asks) = saving.rotation.asks(firm) {
            names.push(firm.as_str().to_owned());
            last.push(i64::try_from(asks.last()).unwrap_or(i64::MAX));
            values.push(asks.to_bytes());
        }
    }
    if !names.is_empty() {
        steps.add(
            statements::ASKS,
            vec![
                boxed(names, Type::TEXT_ARRAY),
                boxed(last, Type::INT8_ARRAY),
                boxed(values, Type::BYTEA_ARRAY),
            ],
        );
    }
}

pub fn add_confirmations(steps: &mut Steps<'_>, saving: &Saving<'_>) {
    let mut addresses = Vec::new();
    let mut times: [Vec<i64>; LIMIT] = Default::default();
    for mailbox in saving.changes.confirmations.keys() {
        if let Some(sent) = saving.rows.confirmations.get(mailbox) {
            addresses.push(mailbox.to_vec());
            for (times, &sent) in times.iter_mut().zip(&sent.0) {
                times.push(i64::try_from(sent).unwrap_or(i64::MAX));
            }
        }
    }
    if addresses.is_empty() {
        return;
    }
    let last = vec![saving.now; addresses.len()];
    let [first, second, third] = times;
    steps.add(
        statements::CONFIRMATIONS,
        vec![
            boxed(addresses, Type::BYTEA_ARRAY),
            boxed(first, Type::INT8_ARRAY),
            boxed(second, Type::INT8_ARRAY),
            boxed(third, Type::INT8_ARRAY),
            boxed(last, Type::TIMESTAMPTZ_ARRAY),
        ],
    );
}

/// Adds to the ledger, and closes months.
pub fn add_ledger(steps: &mut Steps<'_>, saving: &Saving<'_>) -> Result<(), Damaged> {
    let (changes, rows) = (&saving.changes, saving.rows);
    let mut columns = ledger::Columns::default();
    for acceptance in changes
        .acceptances
        .iter()
        .filter_map(|key| rows.acceptances.get(key))
    {
        columns.push(acceptance)?;
    }
    if !changes.acceptances.is_empty() {
        steps.add(ledger::SAVE, columns.into_parameters());
    }
    let closings = changes
        .closings
        .iter()
        .filter_map(|month| rows.closings.get(month));
    let (mut months, mut times, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for closing in closings {
        months.push(i32::try_from(closing.month.number()).unwrap_or(i32::MAX));
        times.push(closing.at);
        rates.push(i32::try_from(closing.vat.parts()).unwrap_or(i32::MAX));
    }
    if !months.is_empty() {
        steps.add(
            ledger::CLOSE,
            vec![
                boxed(months, Type::INT4_ARRAY),
                boxed(times, Type::TIMESTAMPTZ_ARRAY),
                boxed(rates, Type::INT4_ARRAY),
            ],
        );
    }
    Ok(())
}

pub fn add_notes(
    steps: &mut Steps<'_>,
    counts: BTreeMap<(Date, String), u64>,
    facts: BTreeMap<Cow<'static, str>, Option<u64>>,
) {
    if !counts.is_empty() {
        let (mut days, mut names, mut added) = (Vec::<Date>::new(), Vec::new(), Vec::new());
        for ((day, name), count) in counts {
            days.push(day);
            names.push(name);
            added.push(i64::try_from(count).unwrap_or(i64::MAX));
        }
        steps.add(
            statements::COUNTS,
            vec![
                boxed(days, Type::DATE_ARRAY),
                boxed(names, Type::TEXT_ARRAY),
                boxed(added, Type::INT8_ARRAY),
            ],
        );
    }
    let (mut names, mut values, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in facts {
        let name = name.into_owned();
        match value {
            Some(value) => {
                names.push(name);
                values.push(i64::try_from(value).unwrap_or(i64::MAX));
            }
            None => removed.push(name),
        }
    }
    if !names.is_empty() {
        steps.add(
            statements::FACTS,
            vec![boxed(names, Type::TEXT_ARRAY), boxed(values, Type::INT8_ARRAY)],
        );
    }
    if !removed.is_empty() {
        steps.add(statements::REMOVED_FACTS, vec![boxed(removed, Type::TEXT_ARRAY)]);
    }
}
