//! Sends one mail to the server, step by step.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;

use super::failure::Step;
use super::message::{Outgoing, mailbox};
use super::reply::SmtpReply;
use super::session::{Session, SmtpTimes};
use crate::config::{Encryption, MailSettings};
use crate::outbox::sending::{SendError, tls_connector, unbracketed};

/// The port for implicit TLS, and how long a server may be silent there: long enough for a greeting from servers that do not slow
/// down spammers.
const TLS_PORT: u16 = 465;
const TLS_PORT_SILENCE: Duration = Duration::from_secs(7);

/// Sends mails through one server, each over its own connection.
pub struct SmtpTransport {
    settings: MailSettings,
    /// This machine's name in `EHLO`.
    hello: String,
    times: SmtpTimes,
}

impl SmtpTransport {
    /// Prepares to send, without reading or connecting. `hello_name` is this machine's name in `EHLO`.
    pub fn new(settings: MailSettings, hello_name: &str, times: SmtpTimes) -> Self {
        Self {
            hello: client_name(hello_name),
            times,
            settings,
        }
    }

    /// Sends a mail; returns the server's reply. The server is then responsible for the mail.
    ///
    /// # Errors
    /// When the server has not accepted the mail, or may have, since the connection broke after the content was sent.
    pub async fn send(&self, mail: &Outgoing) -> Result<String, SendError> {
        let from = &self.settings.from;
        let message = mail.build(&mailbox(from.name.as_deref(), &from.address))?;
        let (mut session, features) = self.open().await?;
        let recipient = &mail.to.email;
        let sent = async {
            let parameters = parameters(&features, recipient)?;
            let sender = format!("MAIL FROM:<{}>{parameters}", from.address);
            session.command(Step::Sender, &sender).await?;
            let recipient = format!("RCPT TO:<{recipient}>");
            session.command(Step::Recipient, &recipient).await?;
            Ok(session.data(&message).await?.text())
        };
        let sent = sent.await;
        session.quit().await;
        sent
    }

    /// Connects, encrypts and logs in, without sending a mail.
    ///
    /// # Errors
    /// When sending a mail would fail in one of these steps.
    pub async fn check(&self) -> Result<(), SendError> {
        let (session, _) = self.open().await?;
        session.quit().await;
        Ok(())
    }

    /// Opens a session, encrypts it if required, and logs in. Also returns the server's extensions.
    async fn open(&self) -> Result<(Session, SmtpReply), SendError> {
        let (host, port) = (&self.settings.server.host, self.settings.server.port);
        let encryption = self.settings.server.encryption;
        let mut session = Session::open(host, port, self.times).await?;
        let may_stay_clear = encryption == Encryption::StartTlsIfOffered && session.is_loopback();
        if encryption == Encryption::Tls {
            session = self.encrypt(session).await?;
        }
        let is_suspect = port == TLS_PORT && encryption != Encryption::Tls;
        let time = if is_suspect {
            TLS_PORT_SILENCE
        } else {
            self.times.whole
        };
        let greeted = timeout(time, session.exchange(Step::Greeting, b"")).await;
        greeted.unwrap_or_else(|_| {
            Err(SendError::transient(format_args!(
                "the mail server says nothing in the clear at port {TLS_PORT}, where servers speak TLS at once; use smtps://"
            )))
        })?;
        let hello = format!("EHLO {}", self.hello);
        let mut features = session.command(Step::Greeting, &hello).await?;
        if encryption != Encryption::Tls && features.extension("STARTTLS").is_some() {
            session.command(Step::Encryption, "STARTTLS").await?;
            session = self.encrypt(session).await?;
            features = session.command(Step::Greeting, &hello).await?;
        } else if encryption != Encryption::Tls && !may_stay_clear {
            return Err(SendError::transient(
                "the mail server does not offer STARTTLS, and no mail leaves this machine in the clear; use smtps://",
            ));
        }
        if let Some(login) = &self.settings.login {
            let offered = features.extension("AUTH").unwrap_or_default();
            session.log_in(offered, login).await?;
        }
        Ok((session, features))
    }

    async fn encrypt(&self, session: Session) -> Result<Session, SendError> {
        let host = unbracketed(&self.settings.server.host).to_owned();
        let name = ServerName::try_from(host).map_err(|_| {
            SendError::transient("the mail server's host has no name that a certificate can hold")
        })?;
        let tls = tls_connector(self.settings.roots.as_deref())?;
        session.encrypt(&tls, name).await
    }
}

/// Parameters of `MAIL` for a recipient: a non-ASCII local part needs a server that supports it.
fn parameters(features: &SmtpReply, recipient: &lettre::Address) -> Result<&'static str, SendError> {
    if recipient.user().is_ascii() {
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
