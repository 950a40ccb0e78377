//! What a visitor answers beyond the record, in words: the kind of building, and what was typed under Sonstiges. The form
//! with JavaScript does the same (`ui/src/inquiry/additions.ts`), and `tests/cases/additions.json` holds the two together.

use super::limits;
use super::property::Property;
use super::text::trim;

/// Returns a line for each answer; empty for none. Firms read it, and the private page shows it as `Angaben ergänzen`.
pub fn additions(property: Option<&Property>, problem: Option<&str>, location: Option<&str>) -> String {
    let building = property.filter(|property| property.has_subtype);
    let lines = [
        ("Gebäude", building.map(|property| property.name.to_owned())),
        ("Problem", problem.map(free_text)),
        ("Stelle", location.map(free_text)),
    ];
    let lines = lines.into_iter().filter_map(|(name, text)| {
        let text = text.filter(|text| !text.is_empty())?;
        Some(format!("{name}: {text}"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a text on one line, cut to what its field holds.
fn free_text(typed: &str) -> String {
    let text: String = typed
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    // By code units of UTF-16, as browsers count.
    let mut units = 0;
    let fits = |c: &char| {
        units += c.len_utf16();
        units <= limits::FREE_TEXT
    };
    let cut: String = trim(&text).chars().take_while(fits).collect();
    trim(&cut).to_owned()
}
