//! One session of SMTP (RFC 5321): commands and replies, on a connection that may be upgraded to TLS.

use std::io::{self, ErrorKind};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::either::Either;

use crate::base::text::mail_address::one_line;
use crate::config::Login;
use crate::outbox::sending::http_client::Stream;

/// How many bytes a reply may have. The longest, lists of extensions, have a few kibibytes.
const LONGEST_REPLY: usize = 16 * 1024;

/// A reply of the server.
#[derive(Debug)]
pub(super) struct SmtpReply {
    /// From 200 to 599.
    pub(super) code: u16,
    /// The text after the code of each line, with replacement characters for bytes that are not UTF-8.
    pub(super) lines: Vec<String>,
}

/// A connection to a mail server.
pub(super) struct Connection {
    stream: BufReader<Stream>,
}

impl SmtpReply {
    /// Returns code and text in one line.
    pub(super) fn text(&self) -> String {
        one_line(&format!("{} {}", self.code, self.lines.join(" ")))
    }

    pub(super) fn is_success(&self) -> bool {
        self.code / 100 == 2
    }

    /// Returns the words after a keyword in a reply to `EHLO`; `None` if the server does not offer it.
    pub(super) fn extension(&self, keyword: &str) -> Option<&str> {
        // The first line greets.
        let mut lines = self.lines.iter().skip(1);
        lines.find_map(|line| {
            let (name, rest) = line.split_once([' ', '=']).unwrap_or((line, ""));
            name.eq_ignore_ascii_case(keyword).then_some(rest)
        })
    }

    /// Takes a line of a reply; returns true for the last. The text may be missing (RFC 5321, section 4.2.1).
    fn add(&mut self, line: &[u8]) -> Option<bool> {
        let line = line.trim_ascii_end();
        let (code, rest) = line
            .split_at_checked(3)
            .filter(|(code, _)| code.iter().all(u8::is_ascii_digit))?;
        let code = str::from_utf8(code).ok()?.parse().ok()?;
        let (is_last, text) = match rest.split_first() {
            None => (true, rest),
            Some((b' ', text)) => (true, text),
            Some((b'-', text)) => (false, text),
            Some(_) => return None,
        };
        let is_other = !self.lines.is_empty() && self.code != code;
        if is_other || !(200..600).contains(&code) {
            return None;
        }
        self.code = code;
        self.lines.push(String::from_utf8_lossy(text).into_owned());
        Some(is_last)
    }
}

impl Connection {
    pub(super) fn new(stream: Stream) -> Self {
        Self {
            stream: BufReader::new(stream),
        }
    }

    /// Reads a reply.
    ///
    /// # Errors
    /// `InvalidData` when it is not one of SMTP, or too long; `UnexpectedEof` when the server closes the connection before its end.
    pub(super) async fn reply(&mut self) -> io::Result<SmtpReply> {
        let mut reply = SmtpReply {
            code: 0,
            lines: Vec::new(),
        };
        let mut left = LONGEST_REPLY;
        loop {
            let mut line = Vec::new();
            let limit = u64::try_from(left).unwrap_or_default();
            left -= (&mut self.stream)
                .take(limit)
                .read_until(b'\n', &mut line)
                .await?;
            if line.last() != Some(&b'\n') {
                return Err(if left == 0 {
                    io::Error::new(ErrorKind::InvalidData, "its reply is too long")
                } else {
                    ErrorKind::UnexpectedEof.into()
                });
            }
            match reply.add(&line) {
                Some(true) => return Ok(reply),
                Some(false) => {}
                None => {
                    return Err(io::Error::new(
                        ErrorKind::InvalidData,
                        "its reply is not one of SMTP",
                    ));
                }
            }
        }
    }

    /// Sends a command, and reads the reply to it.
    ///
    /// # Errors
    /// As [`Self::reply`].
    pub(super) async fn command(&mut self, command: &str) -> io::Result<SmtpReply> {
        self.stream.write_all(format!("{command}\r\n").as_bytes()).await?;
        self.stream.flush().await?;
        self.reply().await
    }

    /// Sends QUIT, and closes the connection.
    ///
    /// # Errors
    /// When that cannot be sent.
    pub(super) async fn quit(mut self) -> io::Result<()> {
        self.stream.write_all(b"QUIT\r\n").await?;
        self.stream.shutdown().await
    }

    /// Encrypts the connection, after the server has agreed to.
    ///
    /// # Errors
    /// When the server does not authenticate, or has sent more than its reply: somebody who can write into the connection could
    /// otherwise forge replies that seem to have come over TLS.
    pub(super) async fn encrypt(self, tls: &TlsConnector, host: ServerName<'static>) -> io::Result<Self> {
        if !self.stream.buffer().is_empty() {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "it says more before TLS begins",
            ));
        }
        let Either::Left(stream) = self.stream.into_inner() else {
            return Err(io::Error::other("TLS within TLS"));
        };
        let stream = tls.connect(host, stream).await?;
        Ok(Self::new(Either::Right(Box::new(stream))))
    }

    /// Logs in by the first mechanism of `PLAIN` and `LOGIN` that is among those offered; `None` if neither is.
    ///
    /// # Errors
    /// As [`Self::reply`].
    pub(super) async fn log_in(&mut self, offered: &str, login: &Login) -> io::Result<Option<SmtpReply>> {
        let (user, password) = (login.username.as_str(), login.password.expose().as_str());
        let offers = |mechanism| {
            offered
                .split(' ')
                .any(|word| word.eq_ignore_ascii_case(mechanism))
        };
        if offers("PLAIN") {
            let both = STANDARD.encode(format!("\0{user}\0{password}"));
            return self.command(&format!("AUTH PLAIN {both}")).await.map(Some);
        }
        if !offers("LOGIN") {
            return Ok(None);
        }
        // The first prompt asks for the name and the second for the password, whatever their text.
        let mut reply = self.command("AUTH LOGIN").await?;
        for secret in [user, password] {
            if reply.code == 334 {
                reply = self.command(&STANDARD.encode(secret)).await?;
            }
        }
        Ok(Some(reply))
    }

    /// Sends the content of a mail, and reads the reply to it.
    ///
    /// # Errors
    /// As [`Self::reply`].
    pub(super) async fn content(&mut self, message: &[u8]) -> io::Result<SmtpReply> {
        let mut content = Vec::with_capacity(message.len() + 64);
        for line in message.split_inclusive(|&byte| byte == b'\n') {
            if line.starts_with(b".") {
                content.push(b'.');
            }
            content.extend_from_slice(line);
        }
        if !content.ends_with(b"\r\n") {
            content.extend_from_slice(b"\r\n");
        }
        self.stream.write_all(&content).await?;
        self.command(".").await
    }
}
