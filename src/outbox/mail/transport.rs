//! Sends one mail to the server, step by step.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;

use super::connection::{Connection, SmtpTimes};
use super::failure::{SmtpReply, Step};
use super::message::Mailbox;
use super::message::Outgoing;
use crate::base::text::mail_address::Address;
use crate::config::{Encryption, MailSettings};
use crate::outbox::sending::{LazyTls, SendError, unbracketed};

/// The port for implicit TLS, and how long a server may be silent there: long enough for a greeting from servers that do not slow
/// down spammers.
const TLS_PORT: u16 = 465;
const TLS_PORT_SILENCE: Duration = Duration::from_secs(7);

/// Sends mails through one server, each over its own connection.
pub struct SmtpTransport {
    settings: MailSettings,
    from: Mailbox,
    /// This machine's name in `EHLO`.
    hello: String,
    times: SmtpTimes,
    tls: LazyTls,
}

impl SmtpTransport {
    /// Prepares sending, without reading or connecting. `hello_name` is this machine's name in `EHLO`.
    ///
    /// # Errors
    /// When the sender's address is invalid.
    pub fn new(settings: MailSettings, hello_name: &str, times: SmtpTimes) -> Result<Self, SendError> {
        let address = Address::parse(&settings.from.address)
            .map_err(|error| SendError::transient(format_args!("mail.from {error}")))?;
        Ok(Self {
            from: Mailbox::new(settings.from.name.as_deref(), address),
            hello: client_name(hello_name),
            times,
            tls: LazyTls::new(settings.roots.clone()),
            settings,
        })
    }

    /// Sends a mail; returns the server's reply. The server is then responsible for the mail.
    ///
    /// # Errors
    /// When the server has not accepted the mail, or that is unknown, since the connection broke off after the content was sent.
    pub async fn send(&self, mail: &Outgoing) -> Result<String, SendError> {
        let message = mail.build(&self.from)?;
        let (mut connection, features) = self.open().await?;
        let recipient = mail.to.address();
        let sent = async {
            let parameters = parameters(&features, recipient)?;
            let sender = format!("MAIL FROM:<{}>{parameters}", self.from.address());
            connection.command(Step::Sender, &sender).await?;
            let recipient = format!("RCPT TO:<{recipient}>");
            connection.command(Step::Recipient, &recipient).await?;
            Ok(connection.data(&message).await?.text())
        };
        let sent = sent.await;
        connection.quit().await;
        sent
    }

    /// Connects, encrypts and logs in, without sending a mail.
    ///
    /// # Errors
    /// When sending a mail would fail in one of these steps.
    pub async fn check(&self) -> Result<(), SendError> {
        let (connection, _) = self.open().await?;
        connection.quit().await;
        Ok(())
    }

    /// Opens a connection, encrypts it if required, and logs in. Also returns the server's extensions.
    async fn open(&self) -> Result<(Connection, SmtpReply), SendError> {
        let (host, port) = (&self.settings.server.host, self.settings.server.port);
        let encryption = self.settings.server.encryption;
        let mut connection = Connection::open(host, port, self.times).await?;
        let may_stay_clear = encryption == Encryption::StartTlsIfOffered && connection.is_loopback();
        if encryption == Encryption::Tls {
            connection = self.encrypt(connection).await?;
        }
        self.greeting(&mut connection).await?;
        let mut features = self.greet(&mut connection).await?;
        if encryption != Encryption::Tls && features.extension("STARTTLS").is_some() {
            connection.command(Step::Encryption, "STARTTLS").await?;
            connection = self.encrypt(connection).await?;
            features = self.greet(&mut connection).await?;
        } else if encryption != Encryption::Tls && !may_stay_clear {
            return Err(SendError::transient(
                "the mail server does not offer STARTTLS, and no mail leaves this machine in the clear; use smtps://",
            ));
        }
        if let Some(login) = &self.settings.login {
            let offered = features.extension("AUTH").unwrap_or_default();
            connection.log_in(offered, login).await?;
        }
        Ok((connection, features))
    }

    async fn greeting(&self, connection: &mut Connection) -> Result<SmtpReply, SendError> {
        let MailSettings { server, .. } = &self.settings;
        let is_suspect = server.port == TLS_PORT && server.encryption != Encryption::Tls;
        let time = if is_suspect {
            TLS_PORT_SILENCE
        } else {
            self.times.whole
        };
        let greeted = timeout(time, connection.greeting()).await;
        greeted.unwrap_or_else(|_| {
            Err(SendError::transient(format_args!(
                "the mail server says nothing in the clear at port {TLS_PORT}, where servers speak TLS at once; use smtps://"
            )))
        })
    }

    async fn greet(&self, connection: &mut Connection) -> Result<SmtpReply, SendError> {
        let hello = format!("EHLO {}", self.hello);
        connection.command(Step::Greeting, &hello).await
    }

    async fn encrypt(&self, connection: Connection) -> Result<Connection, SendError> {
        let host = unbracketed(&self.settings.server.host).to_owned();
        let name = ServerName::try_from(host).map_err(|_| {
            SendError::transient("the mail server's host has no name that a certificate can hold")
        })?;
        connection.encrypt(self.tls.get().await?, name).await
    }
}

/// Parameters of `MAIL` for a recipient: a non-ASCII local part needs a server that supports it.
fn parameters(features: &SmtpReply, recipient: &Address) -> Result<&'static str, SendError> {
    if recipient.is_ascii() {
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
