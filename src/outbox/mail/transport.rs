//! Sending one mail to the server, step by step, each with its deadline.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::either::Either;

use super::connection::{Connection, SmtpReply};
use super::failure::Step;
use super::message::Mailbox;
use super::message::Outgoing;
use crate::base::text::mail_address::Address;
use crate::config::{Encryption, MailSettings};
use crate::outbox::sending::{self, SendError, is_loopback, unbracketed};

/// The time for QUIT. The mail's result is known by then.
const QUIT_TIME: Duration = Duration::from_secs(2);

/// The port where servers expect TLS at once, and how long one may be silent there: a greeting takes less
/// where spammers are not slowed down.
const TLS_PORT: u16 = 465;
const TLS_PORT_SILENCE: Duration = Duration::from_secs(7);

/// The server's reply to `DATA` when it is ready for the mail.
const GO_AHEAD: u16 = 354;

/// How long to wait for a mail server.
#[derive(Debug, Clone, Copy)]
pub struct SmtpTimes {
    /// For the answer to one command, the handshake, or the connection. Servers that slow down spammers take up to
    /// half a minute for their greeting.
    pub step: Duration,
    /// For the whole mail, so that a server that always answers just in time does not block the lane.
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

/// Which recipients the server has accepted a mail for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receipt {
    /// How many it took.
    pub accepted: usize,
    /// How many it refused permanently.
    pub refused: usize,
    /// The server's reply when it accepted the mail.
    pub answer: String,
}

/// Sends mails through one server, each over a connection of its own.
pub struct SmtpTransport {
    settings: MailSettings,
    from: Mailbox,
    /// This machine's name in `EHLO`.
    hello: String,
    times: SmtpTimes,
    /// Made when first needed: the system's authorities take memory.
    tls: OnceCell<TlsConnector>,
}

/// A connection, encrypted where required, and the server's extensions.
struct Session {
    connection: Connection,
    features: SmtpReply,
}

impl Session {
    /// Sends QUIT without waiting for the reply: a process that is killed meanwhile would send the mail again.
    async fn quit(self) {
        let _ = timeout(QUIT_TIME, self.connection.quit()).await;
    }
}

impl SmtpTransport {
    /// Prepares sending. Nothing is read or connected yet. `hello_name` is this machine's name in `EHLO`.
    ///
    /// # Errors
    /// When no mail can come from the sender's address.
    pub fn new(settings: MailSettings, hello_name: &str, times: SmtpTimes) -> Result<Self, SendError> {
        let address = Address::parse(&settings.from.address)
            .map_err(|error| SendError::transient(format_args!("mail.from {error}")))?;
        Ok(Self {
            from: Mailbox::new(settings.from.name.as_deref(), address),
            hello: client_name(hello_name),
            times,
            settings,
            tls: OnceCell::new(),
        })
    }

    /// Sends a mail. Once it returns, the server is responsible for it.
    ///
    /// # Errors
    /// When it has not, or when that is not known, as when the connection broke off after the mail was sent.
    pub async fn send(&self, mail: &Outgoing) -> Result<Receipt, SendError> {
        let message = mail.build(&self.from)?;
        let whole = self.times.whole;
        let has_left = AtomicBool::new(false);
        let sent = timeout(whole, self.deliver(mail, &message, &has_left)).await;
        sent.unwrap_or_else(|_| {
            let seconds = whole.as_secs();
            let error = SendError::transient(format_args!(
                "the mail server has not taken the mail within {seconds} s"
            ));
            Err(if has_left.load(Ordering::Relaxed) {
                error.perhaps_taken()
            } else {
                error
            })
        })
    }

    /// Connects, encrypts and logs in, and sends nothing.
    ///
    /// # Errors
    /// When a mail would not come as far.
    pub async fn check(&self) -> Result<(), SendError> {
        let opened = timeout(self.times.whole, self.open()).await;
        let session = opened.unwrap_or_else(|_| {
            let seconds = self.times.whole.as_secs();
            Err(SendError::transient(format_args!(
                "the mail server has not answered within {seconds} s"
            )))
        })?;
        session.quit().await;
        Ok(())
    }

    /// Sends a mail, and says in `has_left` when its content begins to.
    async fn deliver(
        &self,
        mail: &Outgoing,
        message: &[u8],
        has_left: &AtomicBool,
    ) -> Result<Receipt, SendError> {
        let mut session = self.open().await?;
        let sent = self.transact(&mut session, mail, message, has_left).await;
        session.quit().await;
        sent
    }

    /// Opens a connection that is encrypted where it must be, and logged in.
    async fn open(&self) -> Result<Session, SendError> {
        let (host, port) = (&self.settings.server.host, self.settings.server.port);
        let encryption = self.settings.server.encryption;
        let stream = sending::connect(host, port, self.times.step).await?;
        let may_stay_clear = encryption == Encryption::StartTlsIfOffered && is_loopback(&stream);
        let mut connection = Connection::new(Either::Left(stream));
        if encryption == Encryption::Tls {
            connection = self.encrypt(connection).await?;
        }
        self.greeting(&mut connection).await?;
        let mut features = self.greet(&mut connection).await?;
        if encryption != Encryption::Tls && features.extension("STARTTLS").is_some() {
            self.completed(Step::Encryption, connection.command("STARTTLS"))
                .await?;
            connection = self.encrypt(connection).await?;
            features = self.greet(&mut connection).await?;
        } else if encryption != Encryption::Tls && !may_stay_clear {
            return Err(SendError::transient(
                "the mail server does not offer STARTTLS, and no mail leaves this machine in the clear; use smtps://",
            ));
        }
        if let Some(login) = &self.settings.login {
            let offered = features.extension("AUTH").unwrap_or_default();
            let reply = self
                .within(Step::LogIn, connection.log_in(offered, login))
                .await?;
            let reply = reply.ok_or_else(|| {
                SendError::transient(
                    "the mail server takes no user name and password; leave them out, or use another port",
                )
            })?;
            Step::LogIn.success(&reply)?;
        }
        Ok(Session { connection, features })
    }

    async fn greeting(&self, connection: &mut Connection) -> Result<(), SendError> {
        let MailSettings { server, .. } = &self.settings;
        let is_suspect = server.port == TLS_PORT && server.encryption != Encryption::Tls;
        let greeted = self.completed(Step::Greeting, connection.reply());
        let time = if is_suspect {
            TLS_PORT_SILENCE
        } else {
            self.times.whole
        };
        let greeted = timeout(time, greeted).await;
        greeted.unwrap_or_else(|_| {
            Err(SendError::transient(format_args!(
                "the mail server says nothing in the clear at port {TLS_PORT}, where servers speak TLS at once; use smtps://"
            )))
        })?;
        Ok(())
    }

    async fn greet(&self, connection: &mut Connection) -> Result<SmtpReply, SendError> {
        let hello = format!("EHLO {}", self.hello);
        self.completed(Step::Greeting, connection.command(&hello)).await
    }

    async fn encrypt(&self, connection: Connection) -> Result<Connection, SendError> {
        let MailSettings { server, roots, .. } = &self.settings;
        let name = ServerName::try_from(unbracketed(&server.host).to_owned()).map_err(|_| {
            SendError::transient("the mail server's host has no name that a certificate can hold")
        })?;
        let tls = self
            .tls
            .get_or_try_init(|| async { sending::tls_connector(roots.as_deref()) })
            .await?;
        self.within(Step::Encryption, connection.encrypt(tls, name)).await
    }

    async fn transact(
        &self,
        session: &mut Session,
        mail: &Outgoing,
        message: &[u8],
        has_left: &AtomicBool,
    ) -> Result<Receipt, SendError> {
        let parameters = parameters(&session.features, mail)?;
        let connection = &mut session.connection;
        let sender = format!("MAIL FROM:<{}>{parameters}", self.from.address());
        self.completed(Step::Sender, connection.command(&sender)).await?;
        let mut receipt = self.name_recipients(connection, mail).await?;
        let answer = self.within(Step::Data, connection.command("DATA")).await?;
        if answer.code != GO_AHEAD {
            return Err(Step::Data.failed_with(&answer));
        }
        has_left.store(true, Ordering::Relaxed);
        let answer = self.completed(Step::Content, connection.content(message)).await?;
        receipt.answer = answer.text();
        Ok(receipt)
    }

    /// Names the recipients. One that is refused permanently does not keep the mail from the others; one that is refused for
    /// now does, so that no recipient gets the mail twice.
    async fn name_recipients(
        &self,
        connection: &mut Connection,
        mail: &Outgoing,
    ) -> Result<Receipt, SendError> {
        let mut receipt = Receipt::default();
        let mut refusal = SendError::permanent("the mail has no recipient");
        for recipient in &mail.to {
            let command = format!("RCPT TO:<{}>", recipient.address());
            match self
                .completed(Step::Recipient, connection.command(&command))
                .await
            {
                Ok(_) => receipt.accepted += 1,
                Err(error) if error.is_permanent() => {
                    receipt.refused += 1;
                    refusal = error;
                }
                Err(error) => return Err(error),
            }
        }
        if receipt.accepted == 0 {
            return Err(refusal);
        }
        Ok(receipt)
    }

    async fn completed(
        &self,
        step: Step,
        action: impl Future<Output = io::Result<SmtpReply>>,
    ) -> Result<SmtpReply, SendError> {
        let reply = self.within(step, action).await?;
        step.success(&reply)?;
        Ok(reply)
    }

    async fn within<T>(
        &self,
        step: Step,
        action: impl Future<Output = io::Result<T>>,
    ) -> Result<T, SendError> {
        match timeout(self.times.step, action).await {
            Ok(done) => done.map_err(|error| step.broke_off(&error)),
            Err(_) => Err(step.timed_out()),
        }
    }
}

/// Returns what `MAIL` asks of the server: addresses with umlauts before the `@` need a server that knows them.
fn parameters(features: &SmtpReply, mail: &Outgoing) -> Result<&'static str, SendError> {
    if mail.to.iter().all(|recipient| recipient.address().is_ascii()) {
        return Ok("");
    }
    let has = |keyword| features.extension(keyword).is_some();
    if has("SMTPUTF8") && has("8BITMIME") {
        return Ok(" SMTPUTF8 BODY=8BITMIME");
    }
    Err(SendError::permanent(
        "the mail server does not know addresses with letters beyond ASCII (SMTPUTF8)",
    ))
}

fn client_name(name: &str) -> String {
    if let Ok(address) = unbracketed(name).parse::<Ipv6Addr>() {
        return format!("[IPv6:{address}]");
    }
    match name.parse::<Ipv4Addr>() {
        Ok(address) => format!("[{address}]"),
        Err(_) => name.to_owned(),
    }
}
