//! Whether visitors reach the site, and by what certificate.

use http::{StatusCode, Uri};
use tokio_rustls::rustls::pki_types::ServerName;

use super::certificate;
use super::exchange::{self, PATIENCE, Reading};
use super::finding::Finding;
use crate::base::text::origin::Origin;
use crate::config::Config;
use crate::outbox::sending;
use crate::outbox::sending::http_client::{Server, Stream};

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
    let Ok(health) = format!("{url}/healthz").parse::<Uri>() else {
        return unreachable(format!("{url} is no address"), "correct --public-url");
    };
    let server = Server::new(url, &health);
    let stream = match server.connect(PATIENCE).await {
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
    let (stream, certificate) = if server.is_https() {
        let tls = match sending::tls_connector(None) {
            Ok(tls) => tls,
            Err(error) => return unreachable(error.to_string(), "install the package ca-certificates"),
        };
        let host = server.host();
        let Ok(name) = ServerName::try_from(host) else {
            return unreachable(
                format!("{host} is no name for a certificate"),
                "correct --public-url",
            );
        };
        let stream = match server.encrypt(stream, &tls, PATIENCE).await {
            Ok(stream) => stream,
            Err(error) => {
                return Visit {
                    certificate: certificate::refused(&error.to_string()),
                    ..unreachable(
                        format!("{url} cannot be visited: {error}"),
                        "see what is said of the certificate",
                    )
                };
            }
        };
        let chain = stream.get_ref().1.peer_certificates().unwrap_or_default();
        let certificate = certificate::judge(chain, &name);
        (Stream::Right(Box::new(stream)), certificate)
    } else {
        (Stream::Left(stream), certificate::absent())
    };
    let (address, clock) = ask(&server, stream, url).await;
    Visit {
        address,
        certificate,
        clock: clock.map(|reading| reading.on_this_machine(is_this_machine)),
    }
}

/// Asks for the health of the site.
async fn ask(server: &Server<'_>, stream: Stream, url: &str) -> (Finding, Option<Reading>) {
    let reply = match exchange::get(server, stream).await {
        Ok(reply) => reply,
        Err(error) => {
            let advice = "see the log of the server or proxy that answers there";
            return (Finding::error(CHECK, error.to_string(), advice), None);
        }
    };
    let finding = match reply.head.status {
        StatusCode::OK => Finding::ok(CHECK, format!("{url} answers")),
        StatusCode::SERVICE_UNAVAILABLE => Finding::error(
            CHECK,
            format!("{url} answers that inquiries cannot be stored"),
            "see the server's log, and that the disk has room",
        ),
        status => Finding::error(
            CHECK,
            format!("{url}/healthz answers {}", status.as_u16()),
            "see that the proxy in front passes every path on to this server",
        ),
    };
    (finding, Reading::of_reply("the public address", &reply))
}
