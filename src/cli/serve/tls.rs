//! What `serve` starts for TLS: certificates, and whatever keeps them valid.

use std::net::SocketAddr;
use std::sync::Arc;

use rustls_pki_types::CertificateDer;
use tokio::signal::unix::Signal;

use super::listening::Listening;
use crate::base::panics::keep_alive;
use crate::base::text::origin::Origin;
use crate::cli::CliError;
use crate::config::{AcmeSettings, CertificateSource, TlsSettings};
use crate::server::acme::{self, Backoff, Keeper};
use crate::server::tls::{Acceptor, Renewal, Resolver};
use crate::web::HttpsRedirect;

/// TLS, ready for connections.
pub struct StartedTls {
    /// Makes handshakes.
    pub acceptor: Acceptor,
    /// Chooses the certificate, and what answers a directory's challenges.
    pub resolver: Arc<Resolver>,
    source: Source,
}

/// What keeps the certificate valid.
enum Source {
    /// Files that are read again.
    Files(Renewal),
    /// What is ordered, and the directory's roots. What is kept has not been read yet.
    Acme(AcmeSettings, Option<Vec<CertificateDer<'static>>>),
    /// What is ordered and kept.
    Kept(Box<Keeper>),
}

impl StartedTls {
    /// Reads the certificate.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn start(settings: &TlsSettings) -> Result<Self, CliError> {
        let resolver = Resolver::new();
        let source = match &settings.source {
            CertificateSource::Files(files) => {
                Source::Files(Renewal::start(files.clone(), Arc::clone(&resolver))?)
            }
            CertificateSource::Acme(settings) => Source::Acme(settings.clone(), settings.roots()?),
        };
        let acceptor = Acceptor::new(Arc::clone(&resolver));
        Ok(Self {
            acceptor: acceptor.map_err(|error| format!("cannot start TLS: {error}"))?,
            resolver,
            source,
        })
    }

    /// Reads the certificate that was ordered before. By now the data directory must belong to this process alone.
    ///
    /// # Errors
    /// When the data directory cannot be used.
    pub async fn open_kept(&mut self, place: acme::Place, listening: &Listening) -> Result<(), CliError> {
        if let Source::Acme(settings, roots) = &self.source {
            let setup = acme::Setup {
                settings: settings.clone(),
                roots: roots.clone(),
                place,
                resolver: Arc::clone(&self.resolver),
                answers_plain: listening.has_plain(),
                backoff: Backoff::default(),
            };
            self.source = Source::Kept(Box::new(Keeper::open(setup).await?));
        }
        Ok(())
    }

    /// Returns where plain requests are sent: to the public address if it is reached by TLS, else to the first address.
    pub fn redirect(&self, public: Option<&Origin>, first: SocketAddr) -> HttpsRedirect {
        let resolver = Arc::clone(&self.resolver);
        let is_public = public.is_some_and(Origin::is_https);
        HttpsRedirect {
            has_certificate: Arc::new(move || resolver.has_certificate()),
            port: (!is_public).then(|| first.port()),
        }
    }

    /// Keeps the certificate as new as its source. Must run inside the runtime.
    pub fn keep_renewing(self, mut hangups: Signal) {
        match self.source {
            Source::Files(mut renewal) => {
                renewal.log_first();
                tokio::spawn(keep_alive("reading the certificate again", async move || {
                    renewal.keep_reading(&mut hangups).await;
                }));
            }
            Source::Kept(keeper) => {
                tokio::spawn(keep_alive("renewing the certificate", async move || {
                    keeper.keep().await;
                }));
            }
            // Without a data directory, for which the flags were refused.
            Source::Acme(..) => {}
        }
    }
}
