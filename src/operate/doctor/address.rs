//! Checks whether visitors can reach the site, and which certificate they get.

use std::net::SocketAddr;

use http::{StatusCode, Uri};
use tokio_util::either::Either;

use super::Finding;
use super::certificate;
use super::clock::Reading;
use super::exchange;
use crate::base::text::origin::Origin;
use crate::config::Config;
use crate::outbox::sending;
use crate::outbox::sending::http_client::Server;

const CHECK: &str = "public_address";

/// The result of a visit to the public address.
pub struct Visit {
    /// Whether the address responds.
    pub address: Finding,
    /// Whether its certificate is valid.
    pub certificate: Finding,
    /// The clock reading, if the response has a `Date` header.
    pub clock: Option<Reading>,
}

impl Visit {
    fn failed(reason: impl Into<String>, advice: &str) -> Self {
        Self {
            address: Finding::error(CHECK, reason, advice),
            certificate: Finding::warning(
                certificate::CHECK,
                "not seen, because the public address does not answer",
                "make it answer, and run this again",
            ),
            clock: None,
        }
    }
}

/// Visits the public address like a browser would.
pub async fn visit(config: &Config) -> Visit {
    if let Some(origin) = &config.flags.public_url {
        return go(origin).await;
    }
    // Falls back to the address that the server would use itself.
    let first = |addresses: &[SocketAddr]| addresses.first().copied();
    let (tls, plain) = (first(&config.flags.tls_listen), first(&config.flags.listen));
    let Some(origin) = config.origin(tls, plain) else {
        return Visit::failed("nothing is listened on", "give an address with --listen");
    };
    let mut visit = go(&origin).await;
    if config.certificate.is_none()
        && config
            .flags
            .listen
            .iter()
            .all(|address| address.ip().is_loopback())
    {
        visit.certificate = Finding::ok(certificate::CHECK, "not needed on this machine");
    }
    if visit.address.advice.is_none() {
        visit.address = Finding::warning(
            CHECK,
            format!("none is configured, so that links and mails name {origin}"),
            "set --public-url to the address by which visitors reach the site",
        );
    }
    visit
}

async fn go(url: &Origin) -> Visit {
    reach(url).await.unwrap_or_else(|failed| *failed)
}

async fn reach(url: &Origin) -> Result<Visit, Box<Visit>> {
    let health = format!("{url}/healthz").parse::<Uri>().unwrap_or_default();
    let server = Server::new(url.as_str(), &health);
    let tls = server.is_https().then(|| sending::tls_connector(None));
    let tls = tls.transpose();
    let tls = tls.map_err(|error| Visit::failed(error.to_string(), "install the package ca-certificates"))?;
    let connected = exchange::connect(&server, tls.as_ref()).await.map_err(|error| {
        Visit::failed(
            format!("{url} does not answer: {error}"),
            "see that the server and the proxy in front run, that the name leads here (DNS), and that the firewall \
             lets the port through",
        )
    });
    let (stream, is_own) = connected?;
    let stream = stream.map_err(|error| {
        let reason = format!("{url} cannot be visited: {error}");
        Visit {
            certificate: certificate::refused(&error.to_string()),
            ..Visit::failed(reason, "see what is said of the certificate")
        }
    })?;
    let certificate = match &stream {
        Either::Left(_) => Finding::warning(
            certificate::CHECK,
            "the public address is http://, so what visitors send can be read on its way",
            "serve it by HTTPS, and set --public-url to its https:// address",
        ),
        Either::Right(stream) => certificate::shown(stream.get_ref().1.peer_certificates()),
    };
    let (address, ahead) = match exchange::get(&server, stream).await {
        Ok((status, ahead)) => (judge(url, status), ahead),
        Err(error) => {
            let advice = "see the log of the server or proxy that answers there";
            (Finding::error(CHECK, error.to_string(), advice), None)
        }
    };
    let of = "the public address";
    Ok(Visit {
        address,
        certificate,
        clock: ahead.map(|ahead| Reading { of, ahead, is_own }),
    })
}

/// Judges the response of the health endpoint.
fn judge(url: &Origin, status: StatusCode) -> Finding {
    match status {
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
    }
}
