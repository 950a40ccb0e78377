//! A selection as the query of a request: `since=…&until=…&suspected=only`, each at most once.

use percent_encoding::percent_decode_str;

use crate::inquiry::parse_rfc3339;
use crate::store::{Selection, Suspected, TimeRange};

const SINCE: &str = "since";
const UNTIL: &str = "until";
const SUSPECTED: &str = "suspected";

/// Returns the query of a selection, with its question mark; empty if everything but suspected inquiries is selected.
pub fn write(selection: Selection) -> String {
    let Selection { range, suspected } = selection;
    let time = |time: jiff::Timestamp| time.to_string();
    let suspected = match suspected {
        Suspected::LeftOut => None,
        Suspected::Included => Some("included".to_owned()),
        Suspected::Only => Some("only".to_owned()),
    };
    let values = [
        (SINCE, range.since.map(time)),
        (UNTIL, range.until.map(time)),
        (SUSPECTED, suspected),
    ];
    let mut query = String::new();
    for (name, value) in values {
        if let Some(value) = value {
            let mark = if query.is_empty() { '?' } else { '&' };
            query.extend([mark.to_string().as_str(), name, "=", &value]);
        }
    }
    query
}

/// Parses a query without its question mark; `None` if something in it is not understood.
pub fn read(query: &str) -> Option<Selection> {
    let (mut since, mut until, mut suspected) = (None, None, None);
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=')?;
        let value = percent_decode_str(value).decode_utf8().ok()?;
        let is_repeated = match name {
            SINCE => since.replace(parse_rfc3339(&value)?).is_some(),
            UNTIL => until.replace(parse_rfc3339(&value)?).is_some(),
            SUSPECTED => suspected.replace(read_suspected(&value)?).is_some(),
            _ => return None,
        };
        if is_repeated {
            return None;
        }
    }
    Some(Selection {
        range: TimeRange { since, until },
        suspected: suspected.unwrap_or_default(),
    })
}

fn read_suspected(value: &str) -> Option<Suspected> {
    match value {
        "included" => Some(Suspected::Included),
        "only" => Some(Suspected::Only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let time = |text: &str| Some(text.parse().unwrap());
        for since in [None, time("2026-11-01T00:00:00.5Z")] {
            for until in [None, time("2026-11-02T00:00:00Z")] {
                for suspected in [Suspected::LeftOut, Suspected::Included, Suspected::Only] {
                    let range = TimeRange { since, until };
                    let selection = Selection { range, suspected };
                    let query = write(selection);
                    assert_eq!(read(query.trim_start_matches('?')), Some(selection), "{query}");
                }
            }
        }
        assert_eq!(write(Selection::default()), "");
    }

    #[test]
    fn a_query_names_each_part_at_most_once() {
        let both = read("since=2026-11-01T00%3A00:00Z&until=2026-11-02T00:00:00%2B01:00").unwrap();
        assert_eq!(both.range.since.unwrap().to_string(), "2026-11-01T00:00:00Z");
        assert_eq!(both.range.until.unwrap().to_string(), "2026-11-01T23:00:00Z");
        for wrong in [
            "since",
            "since=",
            "since=2026-11-01",
            "from=2026-11-01T00:00:00Z",
            "since=2026-11-01T00:00:00Z&since=2026-11-01T00:00:00Z",
            "since=2026-11-01T00:00:00+01:00%ff",
            "suspected",
            "suspected=",
            "suspected=true",
            "suspected=only&suspected=only",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
