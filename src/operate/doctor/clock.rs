//! Checks this machine's clock against those of servers that the site uses anyway.

use http::Uri;
use jiff::SignedDuration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::time::timeout;

use super::Finding;
use super::exchange::{self, PATIENCE, ahead_of};
use crate::config::{AcmeSettings, CertificateSource, Config, Encryption, MailServer};
use crate::outbox::sending;
use crate::outbox::sending::http_client::Server;

const CHECK: &str = "clock";

/// The deviation from which on the clock is considered wrong.
const OFF: SignedDuration = SignedDuration::from_mins(1);

/// The maximum length of a greeting (RFC 5321, section 4.5.3.1.5).
const GREETING: u64 = 512;

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

/// Reads the clocks of the ACME directory and the mail server.
pub async fn read(config: &Config) -> impl Iterator<Item = Reading> + use<> {
    let directory = async {
        match &config.certificate {
            Some(CertificateSource::Acme(settings)) => of_directory(settings).await,
            _ => None,
        }
    };
    let mail_server = async {
        match &config.handling.mail {
            Some(mail) => of_mail_server(&mail.server).await,
            None => None,
        }
    };
    let (directory, mail_server) = tokio::join!(directory, mail_server);
    directory.into_iter().chain(mail_server)
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

/// Fetches the ACME directory, as every order does first.
async fn of_directory(settings: &AcmeSettings) -> Option<Reading> {
    let of = "the ACME directory";
    let url: Uri = settings.directory.parse().ok()?;
    let server = Server::new(of, &url);
    let tls = sending::tls_connector(settings.roots().ok()?.as_deref()).ok()?;
    let (stream, is_own) = exchange::connect(&server, Some(&tls)).await.ok()?;
    let ahead = exchange::get(&server, stream.ok()?).await.ok()?.1?;
    Some(Reading { of, ahead, is_own })
}

/// Reads the greeting of the mail server, unless that requires TLS first. Many servers include the time.
async fn of_mail_server(server: &MailServer) -> Option<Reading> {
    if server.encryption == Encryption::Tls {
        return None;
    }
    let stream = sending::connect(&server.host, server.port, PATIENCE).await.ok()?;
    let is_own = exchange::is_this_machine(&stream);
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    let mut greeting = (&mut stream).take(GREETING);
    timeout(PATIENCE, greeting.read_line(&mut line))
        .await
        .ok()?
        .ok()?;
    let ahead = ahead_of_greeting(&line);
    // Only a courtesy, so errors are ignored.
    let _ = timeout(PATIENCE, stream.write_all(b"QUIT\r\n")).await;
    Some(Reading {
        of: "the mail server",
        ahead: ahead?,
        is_own,
    })
}

/// The deviation from the time at the end of a greeting, such as `220 mx.example.de ESMTP Exim 4.96 Sun, 22 Nov 2026 17:30:09
/// +0000`.
fn ahead_of_greeting(line: &str) -> Option<SignedDuration> {
    let line = line.trim_end();
    line.match_indices(' ')
        .find_map(|(at, _)| ahead_of(line.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

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
            !judge([own, reading("the mail server", 0)])
                .message
                .contains("own")
        );
    }

    #[test]
    fn mail_servers_greet_with_a_time_or_without() {
        let time: Timestamp = "2026-11-22T17:30:09Z".parse().unwrap();
        for (line, expected) in [
            (
                "220 mx.example.de ESMTP Exim 4.96 Sun, 22 Nov 2026 17:30:09 +0000\r\n",
                Some(time),
            ),
            (
                "220 mx ESMTP Sendmail 8.15.2/8.15.2; Sun, 22 Nov 2026 18:30:09 +0100\r\n",
                Some(time),
            ),
            ("220 mx.example.de ESMTP Postfix\r\n", None),
            ("", None),
        ] {
            let told = ahead_of_greeting(line).map(|ahead| Timestamp::now() - ahead);
            let difference = told
                .zip(expected)
                .map(|(told, time)| told.duration_since(time).abs());
            assert_eq!(told.is_some(), expected.is_some(), "{line}");
            assert!(difference.is_none_or(|off| off < OFF), "{line}");
        }
    }
}
