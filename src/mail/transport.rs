//! Sending one mail to the server, step by step, each with its deadline.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lettre::transport::smtp;
use lettre::transport::smtp::authentication::{Credentials as LogIn, Mechanism};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, AsyncTokioStream, Certificate, CertificateStore, TlsParameters,
};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::{Response, Severity};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use super::failure::Step;
use super::mailbox::Mailbox;
use super::message::Outgoing;
use super::starttls::GuardedStream;
use crate::config::{Encryption, MailSettings};
use crate::sending::{self, SendError, is_loopback, unbracketed};
use crate::text::mail_address::Address;
use crate::text::one_line::one_line;

/// The time for a polite end. The mail's fate is known by then.
const QUIT_TIME: Duration = Duration::from_secs(2);

/// What the server says to `DATA` when it is ready for the mail.
const GO_AHEAD: u16 = 354;

/// How long to wait for a mail server.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// For the answer to one command, the handshake, or the connection. Servers that make senders of spam wait take up to
    /// half a minute for their greeting.
    pub step: Duration,
    /// For the whole mail, so that a server that answers just in time, again and again, holds nothing up.
    pub whole: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            step: Duration::from_mins(1),
            whole: Duration::from_mins(3),
        }
    }
}

/// Which recipients the server has taken a mail for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receipt {
    /// How many it took.
    pub accepted: usize,
    /// How many it refused for good.
    pub refused: usize,
    /// What the server said when it took the mail.
    pub answer: String,
}

/// Sends mails through one server, each over a connection of its own.
pub struct Transport {
    settings: MailSettings,
    from: Mailbox,
    hello: ClientId,
    times: Times,
    /// For STARTTLS. Made when first needed: the system's authorities take memory.
    tls: OnceCell<TlsParameters>,
    /// For TLS from the first byte, likewise.
    connector: OnceCell<TlsConnector>,
}

impl Transport {
    /// Prepares sending. Nothing is read or connected yet. `hello_name` is this machine's name in `EHLO`.
    ///
    /// # Errors
    /// When no mail can come from the sender's address.
    pub fn new(settings: MailSettings, hello_name: &str, times: Times) -> Result<Self, SendError> {
        let address = Address::parse(&settings.from.address)
            .map_err(|error| SendError::transient(format_args!("mail.from {error}")))?;
        Ok(Self {
            from: Mailbox::new(settings.from.name.as_deref(), address),
            hello: client_id(hello_name),
            times,
            settings,
            tls: OnceCell::new(),
            connector: OnceCell::new(),
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
        let mut connection = opened.unwrap_or_else(|_| {
            let seconds = self.times.whole.as_secs();
            Err(SendError::transient(format_args!(
                "the mail server has not answered within {seconds} s"
            )))
        })?;
        // The reply is irrelevant.
        let _ = timeout(QUIT_TIME, connection.quit()).await;
        Ok(())
    }

    /// Sends a mail, and says in `has_left` when its content begins to.
    async fn deliver(
        &self,
        mail: &Outgoing,
        message: &[u8],
        has_left: &AtomicBool,
    ) -> Result<Receipt, SendError> {
        let mut connection = self.open().await?;
        let sent = self.transact(&mut connection, mail, message, has_left).await;
        // The answer stands, so nobody waits for the farewell: a process that is killed during it would send the mail again.
        tokio::spawn(async move { timeout(QUIT_TIME, connection.abort()).await });
        sent
    }

    /// Opens a connection that is encrypted where it must be, and logged in.
    async fn open(&self) -> Result<AsyncSmtpConnection, SendError> {
        let mut connection = match self.settings.server.encryption {
            Encryption::Tls => self.connect_encrypted().await?,
            Encryption::StartTls | Encryption::StartTlsIfOffered => self.connect_and_upgrade().await?,
        };
        if let Some(login) = &self.settings.login {
            let mechanisms = [Mechanism::Plain, Mechanism::Login];
            if connection.server_info().get_auth_mechanism(&mechanisms).is_none() {
                return Err(SendError::transient(
                    "the mail server takes no user name and password; leave them out, or use another port",
                ));
            }
            let log_in = LogIn::new(login.username.clone(), login.password.expose().clone());
            self.step(Step::LogIn, connection.auth(&mechanisms, &log_in))
                .await?;
        }
        Ok(connection)
    }

    async fn connect_encrypted(&self) -> Result<AsyncSmtpConnection, SendError> {
        let host = &self.settings.server.host;
        let name = ServerName::try_from(unbracketed(host).to_owned()).map_err(|_| {
            SendError::transient("the mail server's host has no name that a certificate can hold")
        })?;
        let roots = self.settings.roots.as_deref();
        let tls = self
            .connector
            .get_or_try_init(|| async { sending::tls_connector(roots) })
            .await?;
        let (stream, peer) = self.connect().await?;
        let shaken = timeout(self.times.step, tls.connect(name, stream)).await;
        let stream = shaken
            .map_err(|_| Step::Encryption.timed_out())?
            .map_err(|error| Step::Encryption.cut_off(&error.to_string()))?;
        self.greet(GuardedStream::new(stream, peer)).await
    }

    async fn connect_and_upgrade(&self) -> Result<AsyncSmtpConnection, SendError> {
        let (stream, peer) = self.connect().await?;
        let may_stay_clear =
            self.settings.server.encryption == Encryption::StartTlsIfOffered && is_loopback(&stream);
        let mut connection = self.greet(GuardedStream::new(stream, peer)).await?;
        if connection.can_starttls() {
            let tls = self.tls().await?;
            self.step(Step::Encryption, connection.starttls(tls, &self.hello))
                .await?;
        } else if !may_stay_clear {
            return Err(SendError::transient(
                "the mail server does not offer STARTTLS, and no mail leaves this machine in the clear; use smtps://",
            ));
        }
        Ok(connection)
    }

    async fn connect(&self) -> Result<(TcpStream, SocketAddr), SendError> {
        let (host, port) = (&self.settings.server.host, self.settings.server.port);
        let stream = sending::connect(host, port, self.times.step).await?;
        let peer = stream
            .peer_addr()
            .map_err(|error| Step::Greeting.cut_off(&error.to_string()))?;
        Ok((stream, peer))
    }

    async fn greet(&self, stream: impl AsyncTokioStream + 'static) -> Result<AsyncSmtpConnection, SendError> {
        let greeted = AsyncSmtpConnection::connect_with_transport(Box::new(stream), &self.hello);
        self.step(Step::Greeting, greeted).await
    }

    async fn transact(
        &self,
        connection: &mut AsyncSmtpConnection,
        mail: &Outgoing,
        message: &[u8],
        has_left: &AtomicBool,
    ) -> Result<Receipt, SendError> {
        let parameters = parameters(connection, mail)?;
        let sender = Mail::new(Some(self.from.address().to_lettre()), parameters);
        let answer = self.step(Step::Sender, connection.command(sender)).await?;
        completed(Step::Sender, &answer)?;
        let mut receipt = self.name_recipients(connection, mail).await?;
        let answer = self.step(Step::Data, connection.command(Data)).await?;
        if !answer.has_code(GO_AHEAD) {
            return Err(Step::Data.answered_oddly());
        }
        has_left.store(true, Ordering::Relaxed);
        let answer = self.step(Step::Content, connection.message(message)).await?;
        completed(Step::Content, &answer)?;
        let words: Vec<&str> = answer.message().collect();
        receipt.answer = one_line(&format!("{} {}", answer.code(), words.join(" ")));
        Ok(receipt)
    }

    /// Names the recipients. One that is refused for good does not keep the mail from the others; one that is refused for
    /// now does, so that nobody gets the mail twice.
    async fn name_recipients(
        &self,
        connection: &mut AsyncSmtpConnection,
        mail: &Outgoing,
    ) -> Result<Receipt, SendError> {
        let mut receipt = Receipt::default();
        let mut refusal = SendError::permanent("the mail has no recipient");
        for recipient in &mail.to {
            let command = Rcpt::new(recipient.address().to_lettre(), vec![]);
            let answer = self.step(Step::Recipient, connection.command(command)).await;
            match answer.and_then(|answer| completed(Step::Recipient, &answer)) {
                Ok(()) => receipt.accepted += 1,
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

    async fn step<T>(
        &self,
        step: Step,
        action: impl Future<Output = Result<T, smtp::Error>>,
    ) -> Result<T, SendError> {
        match timeout(self.times.step, action).await {
            Ok(done) => done.map_err(|error| step.failed(&error)),
            Err(_) => Err(step.timed_out()),
        }
    }

    async fn tls(&self) -> Result<TlsParameters, SendError> {
        let tls = self.tls.get_or_try_init(|| async { tls(&self.settings) }).await?;
        Ok(tls.clone())
    }
}

/// Returns what `MAIL` asks of the server: addresses with umlauts before the `@` need a server that knows them.
fn parameters(connection: &AsyncSmtpConnection, mail: &Outgoing) -> Result<Vec<MailParameter>, SendError> {
    if mail.to.iter().all(|recipient| recipient.address().is_ascii()) {
        return Ok(vec![]);
    }
    let server = connection.server_info();
    if server.supports_feature(Extension::SmtpUtfEight) && server.supports_feature(Extension::EightBitMime) {
        return Ok(vec![
            MailParameter::SmtpUtfEight,
            MailParameter::Body(MailBodyParameter::EightBitMime),
        ]);
    }
    Err(SendError::permanent(
        "the mail server does not know addresses with letters beyond ASCII (SMTPUTF8)",
    ))
}

fn completed(step: Step, answer: &Response) -> Result<(), SendError> {
    if answer.code().severity == Severity::PositiveCompletion {
        Ok(())
    } else {
        Err(step.answered_oddly())
    }
}

fn tls(settings: &MailSettings) -> Result<TlsParameters, SendError> {
    let unusable = |error: smtp::Error| SendError::transient(format_args!("TLS cannot be set up: {error}"));
    let host = settings.server.host.clone();
    let mut builder = TlsParameters::builder(host).certificate_store(CertificateStore::None);
    for root in sending::roots(settings.roots.as_deref())? {
        let root = Certificate::from_der(root.to_vec()).map_err(unusable)?;
        builder = builder.add_root_certificate(root);
    }
    builder.build().map_err(unusable)
}

fn client_id(name: &str) -> ClientId {
    if let Ok(address) = unbracketed(name).parse::<Ipv6Addr>() {
        return ClientId::Ipv6(address);
    }
    match name.parse::<Ipv4Addr>() {
        Ok(address) => ClientId::Ipv4(address),
        Err(_) => ClientId::Domain(name.to_owned()),
    }
}
