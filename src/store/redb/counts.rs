//! Counts by day and name.

use jiff::civil::Date;
use redb::{ReadTransaction, ReadableTable, Table};

use super::schema::COUNTS;
use crate::store::counts::DayCounts;

/// The table, open for writing.
pub type Counts<'t> = Table<'t, (u32, &'static str), u64>;

/// Returns the number of a day: days since 1970.
pub fn number(day: Date) -> u32 {
    let days = day
        .since(Date::constant(1970, 1, 1))
        .map_or(0, |span| span.get_days());
    u32::try_from(days).unwrap_or(0)
}

/// Adds to the counts of a day.
pub fn add(table: &mut Counts<'_>, day: Date, counts: &DayCounts) -> Result<(), redb::Error> {
    let day = number(day);
    for (name, count) in counts {
        let before = table.get((day, name.as_str()))?.map_or(0, |count| count.value());
        table.insert((day, name.as_str()), before.saturating_add(*count))?;
    }
    Ok(())
}

/// Returns the counts of all days from one on, in order.
pub fn read(file: &ReadTransaction, since: Date) -> Result<Vec<(Date, DayCounts)>, redb::Error> {
    let mut days: Vec<(Date, DayCounts)> = Vec::new();
    for entry in file.open_table(COUNTS)?.range((number(since), "")..)? {
        let (key, count) = entry?;
        let (day, name) = key.value();
        let Ok(day) = Date::constant(1970, 1, 1).checked_add(jiff::Span::new().days(i64::from(day))) else {
            continue;
        };
        if days.last().is_none_or(|(last, _)| *last != day) {
            days.push((day, DayCounts::new()));
        }
        if let Some((_, counts)) = days.last_mut() {
            counts.insert(name.to_owned(), count.value());
        }
    }
    Ok(days)
}
