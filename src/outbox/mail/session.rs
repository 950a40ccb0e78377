//! An SMTP session (RFC 5321): commands and replies on a connection that may be upgraded to TLS, with a timeout for each step.

use std::io::{self, ErrorKind};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::either::Either;

use super::failure::Step;
use super::reply::SmtpReply;
use crate::config::Login;
use crate::outbox::sending::http_client::Stream;
use crate::outbox::sending::{self, SendError, is_loopback};

/// Timeout for QUIT. The mail's result is known by then.
const QUIT_TIME: Duration = Duration::from_secs(2);

/// Timeouts for a mail server.
#[derive(Debug, Clone, Copy)]
pub struct SmtpTimes {
    /// Timeout of the connection, the TLS handshake, and each reply. Servers that slow down spammers delay their greeting by up
    /// to half a minute.
    pub step: Duration,
    /// Timeout of the whole mail, so that a server that always answers just in time does not block the lane.
    pub whole: Duration,
}

impl Default for SmtpTimes {
    fn default() -> Self {
        Self {
            step: Duration::from_mins(1),
            whole: Duration::from_mins(3),
        }
    }
}

pub(super) struct Session {
    stream: BufReader<Stream>,
    clock: Clock,
}

/// Deadline of the mail, with the timeouts of its steps.
#[derive(Debug, Clone, Copy)]
struct Clock {
    times: SmtpTimes,
    end: Instant,
}

impl Clock {
    async fn within<T>(
        self,
        step: Step,
        action: impl Future<Output = io::Result<T>>,
    ) -> Result<T, SendError> {
        let end = self.end.min(Instant::now() + self.times.step);
        match timeout_at(end, action).await {
            Ok(done) => done.map_err(|error| step.broke_off(&error)),
            Err(_) if end == self.end => Err(SendError::transient(format_args!(
                "the mail server has not taken the mail within {} s",
                self.times.whole.as_secs()
            ))),
            Err(_) => Err(SendError::transient(format_args!(
                "the mail server did not answer in time ({step})"
            ))),
        }
    }
}

impl Session {
    /// Connects to a server, without TLS.
    ///
    /// # Errors
    /// When the server does not answer.
    pub(super) async fn open(host: &str, port: u16, times: SmtpTimes) -> Result<Self, SendError> {
        let end = Instant::now() + times.whole;
        let stream = sending::connect(host, port, times.step).await?;
        Ok(Self {
            stream: BufReader::new(Either::Left(stream)),
            clock: Clock { times, end },
        })
    }

    /// Whether the server is on this machine. Only known before TLS.
    pub(super) fn is_loopback(&self) -> bool {
        matches!(self.stream.get_ref(), Either::Left(stream) if is_loopback(stream))
    }

    /// Sends the bytes of a step, and reads the reply that completes it.
    ///
    /// # Errors
    /// When no reply arrives in time, or one that does not complete the step.
    pub(super) async fn exchange(&mut self, step: Step, bytes: &[u8]) -> Result<SmtpReply, SendError> {
        let stream = &mut self.stream;
        let exchange = async {
            stream.write_all(bytes).await?;
            stream.flush().await?;
            SmtpReply::read(stream).await
        };
        let reply = self.clock.within(step, exchange).await?;
        if step.is_completed_by(reply.code) {
            Ok(reply)
        } else {
            Err(step.failed_with(&reply))
        }
    }

    /// Sends a command, and reads the reply that completes it.
    ///
    /// # Errors
    /// Like [`Self::exchange`].
    pub(super) async fn command(&mut self, step: Step, command: &str) -> Result<SmtpReply, SendError> {
        self.exchange(step, format!("{command}\r\n").as_bytes()).await
    }

    /// Sends QUIT without waiting for the reply: if the process were killed while waiting, the mail would be sent again.
    pub(super) async fn quit(mut self) {
        let quit = async {
            self.stream.write_all(b"QUIT\r\n").await?;
            self.stream.shutdown().await
        };
        let _ = timeout(QUIT_TIME, quit).await;
    }

    /// Upgrades the connection to TLS, after the server has agreed.
    ///
    /// # Errors
    /// When the server does not authenticate, or has sent data after its reply: an attacker could inject plaintext replies that
    /// seem to have come over TLS.
    pub(super) async fn encrypt(
        self,
        tls: &TlsConnector,
        host: ServerName<'static>,
    ) -> Result<Self, SendError> {
        let encrypted = async {
            if !self.stream.buffer().is_empty() {
                return Err(io::Error::new(
                    ErrorKind::InvalidData,
                    "it says more before TLS begins",
                ));
            }
            let Either::Left(stream) = self.stream.into_inner() else {
                return Err(io::Error::other("TLS within TLS"));
            };
            tls.connect(host, stream).await
        };
        let stream = self.clock.within(Step::Encryption, encrypted).await?;
        Ok(Self {
            stream: BufReader::new(Either::Right(Box::new(stream))),
            clock: self.clock,
        })
    }

    /// Logs in with `PLAIN` or else `LOGIN`, whichever is offered.
    ///
    /// # Errors
    /// When neither is offered, or the server refuses.
    pub(super) async fn log_in(&mut self, offered: &str, login: &Login) -> Result<(), SendError> {
        let (user, password) = (login.username.as_str(), login.password.expose().as_str());
        let offers = |mechanism| {
            offered
                .split(' ')
                .any(|word| word.eq_ignore_ascii_case(mechanism))
        };
        let last = if offers("PLAIN") {
            let both = STANDARD.encode(format!("\0{user}\0{password}"));
            format!("AUTH PLAIN {both}")
        } else if offers("LOGIN") {
            // The first prompt asks for the name and the second for the password, whatever their text.
            self.command(Step::Prompt, "AUTH LOGIN").await?;
            self.command(Step::Prompt, &STANDARD.encode(user)).await?;
            STANDARD.encode(password)
        } else {
            return Err(SendError::transient(
                "the mail server takes no user name and password; leave them out, or use another port",
            ));
        };
        self.command(Step::LogIn, &last).await.map(drop)
    }

    /// Sends the content of a mail once the server is ready for it, and reads the reply that accepts it.
    ///
    /// # Errors
    /// When no reply arrives in time, or the server refuses.
    pub(super) async fn data(&mut self, message: &[u8]) -> Result<SmtpReply, SendError> {
        self.command(Step::Data, "DATA").await?;
        // A line that begins with a dot would end the mail, or lose the dot.
        let content = String::from_utf8_lossy(message).replace("\n.", "\n..") + ".\r\n";
        let taken = self.exchange(Step::Content, content.as_bytes()).await;
        // Without a refusal, the server may have the mail.
        taken.map_err(|error| match error.answer {
            Some(_) => error,
            None => error.perhaps_taken(),
        })
    }
}
