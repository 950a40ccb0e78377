//! Checks this machine's clock against those of servers that the site uses anyway.

use http::Uri;
use jiff::SignedDuration;

use super::Finding;
use super::exchange;
use crate::config::{CertificateSource, Config};
use crate::outbox::sending;
use crate::outbox::sending::http_client::Server;

const CHECK: &str = "clock";

/// The deviation from which the clock is considered wrong.
const OFF: SignedDuration = SignedDuration::from_mins(1);

/// A comparison with another clock, with a precision of seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The owner of the other clock.
    pub of: &'static str,
    /// How far this machine's clock is ahead.
    pub ahead: SignedDuration,
    /// Whether it is this machine's own clock after all.
    pub is_own: bool,
}

/// Judges this machine's clock by its deviation from others.
pub fn judge(readings: impl IntoIterator<Item = Reading>) -> Finding {
    let readings: Vec<_> = readings.into_iter().collect();
    if let Some(wrong) = readings.iter().find(|reading| reading.ahead.abs() >= OFF) {
        let direction = if wrong.ahead.is_positive() {
            "ahead of"
        } else {
            "behind"
        };
        let seconds = wrong.ahead.abs().as_secs();
        return Finding::warning(
            CHECK,
            format!("it is {seconds} s {direction} that of {}", wrong.of),
            "synchronise the clocks of both machines: `timedatectl set-ntp true`",
        );
    }
    let names: Vec<&str> = readings.iter().map(|reading| reading.of).collect();
    if names.is_empty() {
        return Finding::warning(
            CHECK,
            "not compared, because the public address says no time",
            "make it answer, and run this again; `timedatectl` tells whether the clock is synchronised",
        );
    }
    let mut message = format!("agrees with that of {}", names.join(" and of "));
    if readings.iter().all(|reading| reading.is_own) {
        message.push_str(", which is this machine's own; `timedatectl` tells whether it is synchronised");
    }
    Finding::ok(CHECK, message)
}

/// Reads the clock of the ACME directory, if certificates are ordered there.
pub async fn of_directory(config: &Config) -> Option<Reading> {
    let Some(CertificateSource::Acme(settings)) = &config.certificate else {
        return None;
    };
    let of = "the ACME directory";
    let url: Uri = settings.directory.parse().ok()?;
    let server = Server::new(of, &url);
    let tls = sending::tls_connector(settings.roots().ok()?.as_deref()).ok()?;
    let (stream, is_own) = exchange::connect(&server, Some(&tls)).await.ok()?;
    let ahead = exchange::get(&server, stream.ok()?).await.ok()?.1?;
    Some(Reading { of, ahead, is_own })
}

#[cfg(test)]
mod tests {
    use super::super::Level;
    use super::*;

    fn reading(of: &'static str, seconds: i64) -> Reading {
        Reading {
            of,
            ahead: SignedDuration::from_secs(seconds),
            is_own: false,
        }
    }

    #[test]
    fn a_clock_that_is_a_minute_off_is_a_warning() {
        let level = |seconds| judge([reading("x", seconds)]).level;
        assert_eq!([level(0), level(59), level(-59)], [Level::Ok; 3]);
        assert_eq!([level(60), level(-60)], [Level::Warning; 2]);
        assert_eq!(judge([]).level, Level::Warning);
    }

    #[test]
    fn the_clock_that_differs_is_named() {
        let found = judge([reading("the one", 3), reading("the other", -75)]);
        assert_eq!(found.message, "it is 75 s behind that of the other");
        let found = judge([reading("the one", 3), reading("the other", 5)]);
        assert_eq!(found.message, "agrees with that of the one and of the other");
    }

    #[test]
    fn a_comparison_with_itself_is_said() {
        let own = Reading {
            is_own: true,
            ..reading("the public address", 0)
        };
        assert!(judge([own]).message.contains("this machine's own"));
        assert!(
            !judge([own, reading("the ACME directory", 0)])
                .message
                .contains("own")
        );
    }
}
