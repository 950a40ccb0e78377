//! Whether visitors reach the site, and by what certificate.

use http::Uri;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use super::certificate::{self, Trust};
use super::exchange::{self, PATIENCE};
use super::finding::Finding;
use super::reading::Reading;
use crate::config::Config;
use crate::origin::Origin;
use crate::sending::{self, unbracketed};

const CHECK: &str = "public_address";

/// What the public address says.
pub struct Visit {
    /// Whether it answers.
    pub address: Finding,
    /// Its certificate.
    pub certificate: Finding,
    /// The time of the answer, if it says one.
    pub clock: Option<Reading>,
}

/// Visits the public address, as a visitor does.
pub async fn visit(config: &Config) -> Visit {
    let origin = config.public_url.clone();
    let is_given = origin.is_some();
    // What the server itself names without `--public-url`.
    let of_tls = config.tls.as_ref().and_then(|tls| {
        let address = tls.listen.first().copied().map(Origin::of_tls_address);
        tls.origin().or(address)
    });
    let of_plain = || config.listen.first().copied().map(Origin::of_address);
    let Some(origin) = origin.or(of_tls).or_else(of_plain) else {
        return Visit {
            address: Finding::error(CHECK, "nothing is listened on", "give an address with --listen"),
            certificate: certificate::unseen(),
            clock: None,
        };
    };
    let mut visit = go(&origin).await;
    if !is_given {
        if config.tls.is_none() && config.listen.iter().all(|address| address.ip().is_loopback()) {
            visit.certificate = certificate::not_needed();
        }
        if visit.address.advice.is_none() {
            visit.address = Finding::warning(
                CHECK,
                format!(
                    "none is configured, so that links and mails name {}",
                    origin.as_str()
                ),
                "set --public-url to the address by which visitors reach the site",
            );
        }
    }
    visit
}

async fn go(origin: &Origin) -> Visit {
    let unreachable = |reason: String, advice: &str| Visit {
        address: Finding::error(CHECK, reason, advice),
        certificate: certificate::unseen(),
        clock: None,
    };
    let url = origin.as_str();
    let Ok(uri) = url.parse::<Uri>() else {
        return unreachable(format!("{url} is no address"), "correct --public-url");
    };
    let is_https = uri.scheme_str() == Some("https");
    let port = uri.port_u16().unwrap_or(if is_https { 443 } else { 80 });
    let host = unbracketed(uri.host().unwrap_or_default());
    let stream = match sending::connect(host, port, PATIENCE).await {
        Ok(stream) => stream,
        Err(error) => {
            return unreachable(
                format!("{url} does not answer: {error}"),
                "see that the server and the proxy in front run, that the name leads here (DNS), and that the firewall \
                 lets the port through",
            );
        }
    };
    let is_this_machine = exchange::is_this_machine(&stream);
    let reading = |reading: Option<Reading>| reading.map(|reading| reading.on_this_machine(is_this_machine));
    if !is_https {
        let (address, clock) = ask(stream, origin).await;
        let certificate = certificate::absent();
        return Visit {
            address,
            certificate,
            clock: reading(clock),
        };
    }
    let trust = match Trust::new(None) {
        Ok(trust) => trust,
        Err(error) => return unreachable(error.to_string(), "install the package ca-certificates"),
    };
    let Ok(name) = ServerName::try_from(host.to_owned()) else {
        return unreachable(
            format!("{host} is no name for a certificate"),
            "correct --public-url",
        );
    };
    let connector = TlsConnector::from(std::sync::Arc::clone(&trust.client));
    let shaken = timeout(PATIENCE, connector.connect(name.clone(), stream)).await;
    match shaken.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into())) {
        Ok(stream) => {
            let chain = stream.get_ref().1.peer_certificates().unwrap_or_default();
            let certificate = trust.judge(chain, &name);
            let (address, clock) = ask(stream, origin).await;
            Visit {
                address,
                certificate,
                clock: reading(clock),
            }
        }
        Err(error) => Visit {
            certificate: certificate::refused(&error.to_string()),
            ..unreachable(
                format!("{url} cannot be visited: {error}"),
                "see what is said of the certificate",
            )
        },
    }
}

/// Asks for the health of the site.
async fn ask(stream: impl AsyncRead + AsyncWrite + Unpin, origin: &Origin) -> (Finding, Option<Reading>) {
    let url = origin.as_str();
    let answer = match exchange::get(stream, origin.authority(), "/healthz").await {
        Ok(answer) => answer,
        Err(error) => {
            let advice = "see the log of the server or proxy that answers there";
            return (
                Finding::error(CHECK, format!("{url} broke off: {error}"), advice),
                None,
            );
        }
    };
    let finding = match answer.status() {
        "200" => Finding::ok(CHECK, format!("{url} answers")),
        "503" => Finding::error(
            CHECK,
            format!("{url} answers that inquiries cannot be stored"),
            "see the server's log, and that the disk has room",
        ),
        status => Finding::error(
            CHECK,
            format!("{url}/healthz answers {}", crate::one_line::one_line(status)),
            "see that the proxy in front passes every path on to this server",
        ),
    };
    (finding, answer.reading("the public address"))
}
