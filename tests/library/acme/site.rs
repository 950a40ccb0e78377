//! A site with a plain and a TLS listener, reduced to what an ACME directory and a browser see.

use std::net::{self, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use taubenabwehr::config::AcmeSettings;
use taubenabwehr::server::acme::{AcmeCache, Keeper};
use taubenabwehr::server::tls::Resolver;
use taubenabwehr::store::Store;
use taubenabwehr::web::Challenges;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::sinks::Gate;
use crate::sinks::tls_client::trusting;

/// Far more than a busy machine needs.
const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until `find` returns a value.
pub async fn patiently<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = find().await {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "timed out waiting for {what}");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Waits until a condition holds.
pub async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    patiently(what, async || condition().await.then_some(())).await;
}

pub struct Site {
    _data: TempDir,
    pub resolver: Arc<Resolver>,
    /// The store of the data directory, or one that other instances share.
    pub store: Arc<Store>,
    pub http: SocketAddr,
    pub tls: SocketAddr,
    domains: Vec<String>,
    directory: String,
    ca: PathBuf,
    /// The sockets of both listeners. They stay open over a restart, so that no other process gets their ports.
    sockets: [net::TcpListener; 2],
    listeners: Vec<JoinHandle<()>>,
}

impl Site {
    /// A listening site without a certificate.
    pub fn new(gate: &Gate, domains: &[&str]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let sockets = [(); 2].map(|()| net::TcpListener::bind("127.0.0.1:0").unwrap());
        let mut site = Self {
            store: Arc::new(Store::open(data.path()).unwrap()),
            _data: data,
            http: sockets[0].local_addr().unwrap(),
            tls: sockets[1].local_addr().unwrap(),
            domains: domains.iter().map(|&domain| domain.to_owned()).collect(),
            directory: gate.directory(),
            ca: gate.ca(),
            resolver: Arc::default(),
            sockets,
            listeners: Vec::new(),
        };
        site.listen();
        site
    }

    /// The site after a restart: it keeps only the store and the ports.
    pub async fn restarted(mut self, domains: &[&str]) -> Self {
        for listener in self.listeners.drain(..) {
            listener.abort();
            let _ = listener.await;
        }
        self.resolver = Arc::default();
        self.domains = domains.iter().map(|&domain| domain.to_owned()).collect();
        self.listen();
        self
    }

    fn listen(&mut self) {
        let [http, tls] = self.sockets.each_ref().map(|socket| {
            socket.set_nonblocking(true).unwrap();
            TcpListener::from_std(socket.try_clone().unwrap()).unwrap()
        });
        let resolver = Arc::clone(&self.resolver);
        self.listeners = vec![
            tokio::spawn(answer_http(http, self.resolver.challenges.clone())),
            tokio::spawn(shake_hands(tls, resolver)),
        ];
    }

    /// Runs the keeper of the certificate until aborted.
    pub fn keep(&self, plain_ports: &[u16]) -> JoinHandle<()> {
        let domains: Vec<_> = self
            .domains
            .iter()
            .map(|domain| domain.parse().unwrap())
            .collect();
        let keeper = Keeper {
            settings: AcmeSettings {
                domains,
                contact: None,
                directory: self.directory.parse().unwrap(),
                roots_file: None,
            },
            roots: Some(vec![CertificateDer::from_pem_file(&self.ca).unwrap()]),
            cache: AcmeCache::new(self.store.clone(), &self.directory),
            resolver: self.resolver.clone(),
            answers_plain: !plain_ports.is_empty(),
            first_pause: Duration::from_millis(50),
        };
        tokio::spawn(async move {
            keeper.serve_kept().await;
            keeper.keep().await;
        })
    }

    /// Whether a client that trusts this root gets a certificate for this name.
    pub async fn shakes_hands(&self, name: &str, root: &CertificateDer<'static>) -> bool {
        let stream = TcpStream::connect(self.tls).await.unwrap();
        let name = ServerName::try_from(name.to_owned()).unwrap();
        let connector = TlsConnector::from(trusting(root, &[]));
        connector.connect(name, stream).await.is_ok()
    }

    /// Waits until a client that trusts this root gets a certificate for this name.
    pub async fn serves(&self, name: &str, root: &CertificateDer<'static>) {
        patiently(name, async || self.shakes_hands(name, root).await.then_some(())).await;
    }

    /// When the certificate expires; `None` before there is one.
    pub fn end(&self) -> Option<Timestamp> {
        Some(self.resolver.certificate()?.validity.end)
    }

    /// What is stored for the directory under a name; empty if nothing is.
    pub async fn kept(&self, name: &str) -> String {
        let kept = AcmeCache::new(self.store.clone(), &self.directory)
            .read(name)
            .await;
        String::from_utf8(kept.unwrap()).unwrap()
    }

    /// The number of attempts that have failed in a row.
    pub async fn failures(&self) -> u64 {
        let failures: serde_json::Value =
            serde_json::from_str(&self.kept("failures.json").await).unwrap_or_default();
        failures["count"].as_u64().unwrap_or_default()
    }
}

async fn shake_hands(listener: TcpListener, resolver: Arc<Resolver>) {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_cert_resolver(resolver);
    config.alpn_protocols = vec![b"http/1.1".to_vec(), b"acme-tls/1".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    while let Ok((stream, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            if let Ok(mut stream) = acceptor.accept(stream).await {
                let _ = stream.shutdown().await;
            }
        });
    }
}

async fn answer_http(listener: TcpListener, challenges: Challenges) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let challenges = challenges.clone();
        tokio::spawn(async move {
            let mut head = vec![0; 4096];
            let Ok(Ok(read)) = timeout(PATIENCE, stream.read(&mut head)).await else {
                return;
            };
            let head = String::from_utf8_lossy(&head[..read]).into_owned();
            let path = head.split(' ').nth(1).unwrap_or_default();
            let answer = match challenges.answer(path) {
                Some(body) => format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()),
                None => "HTTP/1.0 404 Not Found\r\n\r\n".to_owned(),
            };
            let _ = stream.write_all(answer.as_bytes()).await;
        });
    }
}
