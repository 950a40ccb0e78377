//! The additions to a record as text: the kind of building, and the free texts under Sonstiges. The form with JavaScript composes
//! the same text (`ui/src/inquiry/additions.ts`); `tests/cases/additions.json` keeps both in sync.

use super::choices::Property;
use super::choices::limits;
use super::text::trim;
use crate::base::text::mail_address::turns_direction;

/// One line per answer, empty if there are none. Firms read the text, and the private page shows it as `Angaben ergänzen`.
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

/// Prefix of the line about the floor, for which the private page has its own field.
const STOREY: &str = "Stockwerk: ";

/// Joins the additions, with the floor on the first line. Without a floor, returns `others` unchanged.
pub fn with_storey(storey: &str, others: &str) -> String {
    match free_text(storey) {
        storey if storey.is_empty() => others.to_owned(),
        storey => format!("{STOREY}{storey}\n{others}"),
    }
}

/// Splits additions into the floor, empty if there is none, and the other lines.
pub fn split_storey(additions: &str) -> (&str, &str) {
    let (first, others) = additions.split_once('\n').unwrap_or((additions, ""));
    first
        .strip_prefix(STOREY)
        .map_or(("", additions), |storey| (storey, others))
}

/// Whether the text is a valid free text under Sonstiges. The limit counts UTF-16 code units, as browsers do.
pub(super) fn is_free_text(typed: &str) -> bool {
    one_line(typed).encode_utf16().count() <= limits::FREE_TEXT
}

/// The text on one line, truncated in case no form has checked its length.
fn free_text(typed: &str) -> String {
    let mut units = 0;
    let fits = |c: &char| {
        units += c.len_utf16();
        units <= limits::FREE_TEXT
    };
    let cut: String = one_line(typed).chars().take_while(fits).collect();
    trim(&cut).to_owned()
}

fn one_line(typed: &str) -> String {
    let text: String = typed
        .chars()
        .filter(|&c| !turns_direction(c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    trim(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_storey_comes_back_as_it_was_named() {
        for (storey, others, kept) in [
            (
                "3. Stock",
                "Gebäude: Haus\nTür",
                ("3. Stock", "Gebäude: Haus\nTür"),
            ),
            (" 4\r\n5 ", "", ("4  5", "")),
            ("", "Tür", ("", "Tür")),
            (" ", "", ("", "")),
            ("", "Stockwerk: 2\nTür", ("2", "Tür")),
            ("3", "Stockwerk: 2", ("3", "Stockwerk: 2")),
        ] {
            assert_eq!(
                split_storey(&with_storey(storey, others)),
                kept,
                "{storey:?}, {others:?}"
            );
        }
        assert_eq!(split_storey("Tür\nStockwerk: 2"), ("", "Tür\nStockwerk: 2"));
    }
}
