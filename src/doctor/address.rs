//! Whether visitors reach the site, by what certificate, and what time its answer says.

use std::time::Duration;

use http::Uri;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use super::certificate::{self, Trust};
use super::finding::Finding;
use crate::config::Config;
use crate::origin::Origin;
use crate::sending::{self, unbracketed};

const CHECK: &str = "public_address";

/// For connecting, the handshake and the answer, each: longer than any visitor waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// How much of an answer is read; its head is all that matters.
const ANSWER: u64 = 16 << 10;

/// What the public address says.
pub struct Visit {
    /// Whether it answers.
    pub address: Finding,
    /// Its certificate.
    pub certificate: Finding,
    /// The time of the answer, if it says one, and of this machine when it came.
    pub times: Option<(Timestamp, Timestamp)>,
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
            times: None,
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
        times: None,
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
    if !is_https {
        let (address, times) = ask(stream, origin).await;
        let certificate = certificate::absent();
        return Visit {
            address,
            certificate,
            times,
        };
    }
    let trust = match Trust::of_the_system() {
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
            let (address, times) = ask(stream, origin).await;
            Visit {
                address,
                certificate,
                times,
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
async fn ask(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    origin: &Origin,
) -> (Finding, Option<(Timestamp, Timestamp)>) {
    let url = origin.as_str();
    let answer = timeout(PATIENCE, exchange(stream, origin)).await;
    let came_at = Timestamp::now();
    let answer = answer.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into()));
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            let advice = "see the log of the server or proxy that answers there";
            return (
                Finding::error(CHECK, format!("{url} broke off: {error}"), advice),
                None,
            );
        }
    };
    let mut lines = answer.lines();
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .unwrap_or("nothing");
    let date = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("date").then(|| value.trim().to_owned())
    });
    let date = date.and_then(|date| DateTimeParser::new().parse_timestamp(&date).ok());
    let finding = match status {
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
    (finding, date.map(|date| (date, came_at)))
}

async fn exchange(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    origin: &Origin,
) -> std::io::Result<String> {
    let host = origin.authority();
    let request = format!(
        "GET /healthz HTTP/1.1\r\nHost: {host}\r\nUser-Agent: taubenabwehr-doctor\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    stream.flush().await?;
    let mut answer = Vec::new();
    let mut stream = stream.take(ANSWER);
    // Read until the head is there: what follows may not end.
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut answer).await? == 0 {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
