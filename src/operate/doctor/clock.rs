//! Whether this machine's clock is right: compared with those of the servers that the site works with anyway.

use http::Uri;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::time::timeout;

use super::exchange::{self, PATIENCE, Reading};
use super::finding::Finding;
use crate::config::{AcmeSettings, CertificateSource, Config, Encryption, MailServer};
use crate::outbox::sending;
use crate::outbox::sending::http_client::{Server, Stream};

const CHECK: &str = "clock";

/// How far the clock may be off.
const OFF: SignedDuration = SignedDuration::from_mins(1);

/// The longest greeting (RFC 5321, section 4.5.3.1.5).
const GREETING: u64 = 512;

/// Reads the clocks of the certificate's directory and of the mail server.
pub async fn read(config: &Config) -> impl Iterator<Item = Reading> + use<> {
    let directory = async {
        match config.tls.as_ref().map(|tls| &tls.source) {
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

/// Compares this machine's clock with others.
pub fn judge(readings: impl IntoIterator<Item = Reading>) -> Finding {
    let readings: Vec<_> = readings.into_iter().collect();
    if let Some(wrong) = readings.iter().find(|reading| reading.off().abs() >= OFF) {
        let off = wrong.off();
        let direction = if off.is_positive() { "ahead of" } else { "behind" };
        return Finding::warning(
            CHECK,
            format!("it is {} s {direction} that of {}", off.abs().as_secs(), wrong.of),
            "synchronise the clocks of both machines: `timedatectl set-ntp true`",
        );
    }
    let names: Vec<&str> = readings.iter().map(|reading| &*reading.of).collect();
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

/// Asks the directory for its list of addresses, as every order begins.
async fn of_directory(settings: &AcmeSettings) -> Option<Reading> {
    let url: Uri = settings.directory.parse().ok()?;
    let server = Server::new("the ACME directory", &url);
    let tls = sending::tls_connector(settings.roots().ok()?.as_deref()).ok()?;
    let stream = server.connect(PATIENCE).await.ok()?;
    let is_own = exchange::is_this_machine(&stream);
    let stream = server.encrypt(stream, &tls, PATIENCE).await.ok()?;
    let reply = exchange::get(&server, Stream::Right(Box::new(stream)))
        .await
        .ok()?;
    let reading = Reading::of_reply("the ACME directory", &reply)?;
    Some(reading.on_this_machine(is_own))
}

/// Reads the greeting of the mail server, where that comes without TLS. Many servers state the time in it.
async fn of_mail_server(server: &MailServer) -> Option<Reading> {
    if server.encryption == Encryption::Tls {
        return None;
    }
    let stream = sending::connect(&server.host, server.port, PATIENCE).await.ok()?;
    let is_own = exchange::is_this_machine(&stream);
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    let mut greeting = (&mut stream).take(GREETING);
    let read = timeout(PATIENCE, greeting.read_line(&mut line)).await;
    let came_at = Timestamp::now();
    read.ok()?.ok()?;
    // A server that does not take it loses nothing.
    let _ = timeout(PATIENCE, stream.write_all(b"QUIT\r\n")).await;
    let reading = Reading::new("the mail server", time_in(&line)?, came_at);
    Some(reading.on_this_machine(is_own))
}

/// Returns the time that a line ends with, as in `220 mx.example.de ESMTP Exim 4.96 Sun, 22 Nov 2026 17:30:09 +0000`.
fn time_in(line: &str) -> Option<Timestamp> {
    let words = line.trim_end().match_indices(' ').map(|(at, _)| at + 1);
    words
        .filter_map(|at| line.trim_end().get(at..))
        .find_map(|rest| DateTimeParser::new().parse_timestamp(rest).ok())
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    fn reading(of: &str, seconds: i64) -> Reading {
        let now = Timestamp::UNIX_EPOCH;
        Reading::new(of, now, now + SignedDuration::from_secs(seconds))
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
        let own = reading("the public address", 0).on_this_machine(true);
        assert!(judge([own.clone()]).message.contains("this machine's own"));
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
            assert_eq!(time_in(line), expected, "{line}");
        }
    }
}
