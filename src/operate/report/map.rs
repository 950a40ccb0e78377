//! Map of inquiries by postal code.

use std::collections::BTreeMap;
use std::error::Error;

use minijinja::context;
use minijinja::value::{Serde, Value};
use serde_json::Value as Json;

use super::counts::{bars, percent};
use crate::base::text::grouped;
use crate::site::embedded;

/// Length of the lists beside the map.
const LISTED: usize = 8;

/// Radius of the largest circle. Neighbouring postal codes in the inner city are about 15 units apart, and should remain
/// distinguishable.
const LARGEST: f64 = 13.0;

/// Radius of the smallest circle that can still be pointed at.
const SMALLEST: f64 = 3.0;

/// Draws counts by postal code on the map of the city that the build generates (`ui/src/blog/map/report-map.tsx`), and lists them.
pub fn map(counts: &BTreeMap<u16, u64>, total: u64) -> Result<Value, Box<dyn Error + Send + Sync>> {
    let drawing: Json = serde_json::from_str(&embedded::text("private/report-map.json")?)?;
    // The centre of each postal code in the city.
    let place = |code: u16| drawing.get("places")?.get(code.to_string());
    let mut sorted: Vec<(u16, u64)> = counts.iter().map(|(&code, &count)| (code, count)).collect();
    sorted.sort_by_key(|&(code, count)| (u64::MAX - count, code));
    let (city, around): (Vec<_>, Vec<_>) = sorted
        .iter()
        .copied()
        .partition(|&(code, _)| place(code).is_some());
    let outside: u64 = around.iter().map(|(_, count)| count).sum();
    let summary = format!(
        "{} Postleitzahlen; {} der Anfragen kommen aus dem Umland.",
        grouped(u64::try_from(counts.len()).unwrap_or_default()),
        percent(outside, total)
    );
    Ok(context! {
        circles => circles(place, &city),
        drawing => Value::from(Serde(drawing)),
        tables => [
            listed("Die meisten in der Stadt", &city),
            listed("Die meisten im Umland", &around),
        ],
        rows => sorted,
        summary,
    })
}

/// The circles of the city's postal codes, with areas proportional to counts. The largest come first, so that none is hidden behind
/// a larger one.
fn circles<'a>(place: impl Fn(u16) -> Option<&'a Json>, city: &[(u16, u64)]) -> Vec<Value> {
    let largest = city.first().map_or(1, |&(_, count)| count.max(1));
    let circles = city.iter().filter_map(|&(code, count)| {
        // A thousandth is finer than the drawing's resolution.
        let thousandths = u32::try_from(count * 1_000 / largest).unwrap_or(u32::MAX);
        let share = f64::from(thousandths) / 1_000.0;
        Some(context! {
            at => Value::from(Serde(place(code)?)),
            radius => format!("{:.1}", (LARGEST * share.sqrt()).max(SMALLEST)),
            title => format!("{code}: {}", grouped(count)),
        })
    });
    circles.collect()
}

fn listed(title: &str, codes: &[(u16, u64)]) -> Value {
    let codes: Vec<_> = codes
        .iter()
        .take(LISTED)
        .map(|(code, count)| (code.to_string(), *count))
        .collect();
    let rows = codes
        .iter()
        .map(|(code, count)| (&**code, vec![("tone-a", &**code, *count)]));
    bars(title, rows)
}
