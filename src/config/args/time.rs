//! Times on the command line. A day means midnight in Berlin.

use clap::error::ErrorKind;
use clap::{Args, CommandFactory};
use jiff::civil::{Date, DateTime};
use jiff::{Span, Timestamp};

use super::Cli;
use crate::base::text::berlin;
use crate::domain::inquiry::parse_rfc3339;
use crate::store::TimeRange;

/// The range of time that a command is about.
#[derive(Debug, Clone, Copy, Args)]
pub struct RangeArgs {
    /// Only inquiries created at this time or later: a date (midnight in Berlin), today, yesterday, 7d, or an RFC 3339 time
    #[arg(long, value_name = "T", value_parser = parse_bound)]
    since: Option<Timestamp>,

    /// Only inquiries created before this time
    #[arg(long, value_name = "T", value_parser = parse_bound)]
    until: Option<Timestamp>,
}

impl RangeArgs {
    /// The range as a [`TimeRange`].
    ///
    /// # Errors
    /// A usage error when `--since` is later than `--until`.
    pub fn range(self) -> Result<TimeRange, clap::Error> {
        let Self { since, until } = self;
        if since.zip(until).is_some_and(|(since, until)| since > until) {
            let message = "--since is later than --until: no inquiry can be in between";
            return Err(Cli::command().error(ErrorKind::ValueValidation, message));
        }
        Ok(TimeRange { since, until })
    }
}

/// Parses a bound of a range: a day such as `2026-11-01`, `1.11.2026`, `today` or `yesterday`, which means its first moment in
/// Hamburg; a number of days ago, such as `7d`; or an RFC 3339 time.
///
/// # Errors
/// A message with the accepted forms.
pub fn parse_bound(text: &str) -> Result<Timestamp, String> {
    bound(text, Timestamp::now()).ok_or_else(|| {
        format!("expected {DAYS}, 7d for seven days ago, or a time such as 2026-11-01T08:30:00+01:00")
    })
}

/// Parses the end of a period: a day as for [`parse_bound`], `tomorrow` or a number of days from now such as `7d`, each up to the
/// end of that day; or an RFC 3339 time.
///
/// # Errors
/// A message with the accepted forms, also when the end is in the past.
pub fn parse_end(text: &str) -> Result<Timestamp, String> {
    end(text, Timestamp::now())
        .ok_or_else(|| format!("expected the last day, such as {DAYS}, tomorrow, or 7d for in seven days"))
}

/// Parses the beginning of a period in the future: a day as for [`parse_end`], from its first moment on; or an RFC 3339 time.
///
/// # Errors
/// A message with the accepted forms.
pub fn parse_first_day(text: &str) -> Result<Timestamp, String> {
    let first = day_ahead(text, Timestamp::now()).and_then(midnight);
    first
        .or_else(|| parse_rfc3339(text))
        .ok_or_else(|| format!("expected the first day, such as {DAYS}, tomorrow, or 7d for in seven days"))
}

/// The accepted forms of a day, for error messages.
const DAYS: &str = "a date such as 2026-11-01 or 1.11.2026, today, yesterday";

fn bound(text: &str, now: Timestamp) -> Option<Timestamp> {
    let ago = || {
        now.to_zoned(berlin::zone())
            .checked_sub(days(text)?)
            .ok()
            .map(|then| then.timestamp())
    };
    let midnight = day(text, now).and_then(midnight);
    midnight.or_else(ago).or_else(|| parse_rfc3339(text))
}

fn end(text: &str, now: Timestamp) -> Option<Timestamp> {
    let end = day_ahead(text, now).and_then(|last| midnight(last.tomorrow().ok()?));
    end.or_else(|| parse_rfc3339(text)).filter(|end| *end > now)
}

/// Parses a day, or a number of days from `now`.
fn day_ahead(text: &str, now: Timestamp) -> Option<Date> {
    let today = berlin::day(now);
    match text {
        "tomorrow" => today.tomorrow().ok(),
        _ => day(text, now).or_else(|| today.checked_add(days(text)?).ok()),
    }
}

/// Parses a day, relative to `now` if it is a word.
fn day(text: &str, now: Timestamp) -> Option<Date> {
    let today = berlin::day(now);
    match text {
        "today" => Some(today),
        "yesterday" => today.yesterday().ok(),
        _ => iso(text).or_else(|| german(text)),
    }
}

fn iso(text: &str) -> Option<Date> {
    // jiff also accepts other spellings, such as 20261101.
    let plain = text.len() == "2026-11-01".len() && text.bytes().all(|b| b == b'-' || b.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

fn german(text: &str) -> Option<Date> {
    let plain = text.bytes().all(|b| b == b'.' || b.is_ascii_digit());
    let (_, year) = text.rsplit_once('.')?;
    (plain && year.len() == "2026".len()).then(|| Date::strptime("%d.%m.%Y", text).ok())?
}

/// Parses a number of days such as `7d`, up to a hundred years.
fn days(text: &str) -> Option<Span> {
    let number = text
        .strip_suffix('d')
        .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))?;
    let number: i64 = number.parse().ok()?;
    (number <= 36_525).then(|| Span::new().days(number))
}

fn midnight(day: Date) -> Option<Timestamp> {
    let midnight: DateTime = day.into();
    Some(midnight.to_zoned(berlin::zone()).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;
    use crate::base::text::berlin::in_berlin;

    /// 00:30 in Hamburg.
    const NOW: &str = "2026-11-23T23:30:00Z";

    #[test]
    fn a_day_is_midnight_in_berlin() {
        let cases = [
            ("2026-11-01", "2026-10-31T23:00:00Z"),
            ("2026-07-01", "2026-06-30T22:00:00Z"),
            ("2026-03-29", "2026-03-28T23:00:00Z"),
            ("2026-03-30", "2026-03-29T22:00:00Z"),
            ("2026-10-25", "2026-10-24T22:00:00Z"),
            ("23.11.2026", "2026-11-22T23:00:00Z"),
            ("1.7.2026", "2026-06-30T22:00:00Z"),
            ("01.07.2026", "2026-06-30T22:00:00Z"),
            ("today", "2026-11-23T23:00:00Z"),
            ("yesterday", "2026-11-22T23:00:00Z"),
            ("7d", "2026-11-16T23:30:00Z"),
            // Before the end of summer time the day was an hour longer.
            ("30d", "2026-10-24T22:30:00Z"),
            ("0d", NOW),
            ("2026-11-01T08:30:00+01:00", "2026-11-01T07:30:00Z"),
            ("2026-11-01T08:30:00.25Z", "2026-11-01T08:30:00.25Z"),
        ];
        for (text, expected) in cases {
            let time = bound(text, NOW.parse().unwrap()).unwrap();
            assert_eq!(time.to_string(), expected, "{text}");
            assert_eq!(parse_bound(&in_berlin(time)), Ok(time), "{text}");
        }
    }

    #[test]
    fn wrong_bounds_are_wrong_usage() {
        let parsed = |bounds: &[&str]| {
            let arguments = [&["taubenabwehr", "export"], bounds].concat();
            let matches = Cli::command().try_get_matches_from(arguments)?;
            let (_, matches) = matches.subcommand().unwrap();
            RangeArgs::from_arg_matches(matches)?.range()
        };
        let refused = |bounds: &[&str]| {
            let error = parsed(bounds).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            error.to_string().lines().next().unwrap_or_default().to_owned()
        };
        let wrong = "error: invalid value 'gestern' for '--since <T>': expected a date such as 2026-11-01";
        assert!(refused(&["--since", "gestern"]).starts_with(wrong));
        let wrong = "error: invalid value '31.11.2026' for '--until <T>'";
        assert!(refused(&["--until", "31.11.2026"]).starts_with(wrong));
        assert_eq!(
            refused(&["--since", "2026-11-02", "--until", "2026-11-01"]),
            "error: --since is later than --until: no inquiry can be in between"
        );
        assert!(parsed(&["--since", "2026-11-01", "--until", "2026-11-01"]).is_ok());
        assert_eq!(parsed(&[]).unwrap(), TimeRange::default());
    }

    #[test]
    fn a_pause_lasts_to_the_end_of_its_last_day() {
        for (text, expected) in [
            ("2026-12-24", "2026-12-24T23:00:00Z"),
            ("24.12.2026", "2026-12-24T23:00:00Z"),
            ("2027-03-28", "2027-03-28T22:00:00Z"),
            ("today", "2026-11-24T23:00:00Z"),
            ("tomorrow", "2026-11-25T23:00:00Z"),
            ("7d", "2026-12-01T23:00:00Z"),
            ("2026-11-24T12:00:00+01:00", "2026-11-24T11:00:00Z"),
        ] {
            let end = end(text, NOW.parse().unwrap()).map(|end| end.to_string());
            assert_eq!(end.as_deref(), Some(expected), "{text}");
        }
        for over in [
            "yesterday",
            "2026-11-23",
            "23.11.2026",
            "2026-11-23T23:30:00Z",
            "",
            "soon",
        ] {
            assert_eq!(end(over, NOW.parse().unwrap()), None, "{over}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for wrong in [
            "",
            "Today",
            "tomorrow",
            "1.11.26",
            "31.11.2026",
            "1.11.",
            "20261101",
            "2026-11",
            "2026-11-31",
            "2026-11-01T08:30:00",
            "2026-11-01 ",
            "d",
            "-7d",
            "7 d",
            "99999999999999999999d",
        ] {
            assert!(parse_bound(wrong).is_err(), "{wrong:?}");
        }
    }
}
