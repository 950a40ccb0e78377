//! TLS of the server: its certificates, and the tasks that renew them.

use std::net::SocketAddr;
use std::sync::Arc;

use rustls_pki_types::CertificateDer;
use tokio::signal::unix::Signal;

use super::listening::Listening;
use crate::base::panics::keep_alive;
use crate::base::text::origin::Origin;
use crate::cli::CliError;
use crate::config::{CertificateSource, Config};
use crate::server::acme::{AcmeCache, FIRST_PAUSE, Keeper};
use crate::server::tls::{Acceptor, Renewal, Resolver};
use crate::store::Store;
use crate::web::HttpsRedirect;

/// TLS, ready for connections.
pub struct StartedTls {
    /// Performs handshakes.
    pub acceptor: Acceptor,
    /// Chooses the certificate, and answers the directory's challenges.
    pub resolver: Arc<Resolver>,
    renewal: Option<Renewal>,
    /// The only trusted roots for the ACME directory; `None` for those of the system.
    roots: Option<Vec<CertificateDer<'static>>>,
    keeper: Option<Keeper>,
}

impl StartedTls {
    /// Loads the files that the flags name.
    ///
    /// # Errors
    /// When a file cannot be used.
    pub fn start(source: &CertificateSource) -> Result<Self, CliError> {
        let resolver = Arc::<Resolver>::default();
        let acceptor = Acceptor::new(Arc::clone(&resolver));
        let (renewal, roots) = match source {
            CertificateSource::Files(files) => {
                (Some(Renewal::start(files.clone(), Arc::clone(&resolver))?), None)
            }
            CertificateSource::Acme(settings) => (None, settings.roots()?),
        };
        Ok(Self {
            acceptor: acceptor.map_err(|error| format!("cannot start TLS: {error}"))?,
            resolver,
            renewal,
            roots,
            keeper: None,
        })
    }

    /// Loads the last ordered certificate, if ACME is used.
    pub async fn open_kept(&mut self, config: &Config, store: &Arc<Store>, listening: &Listening) {
        let Some(CertificateSource::Acme(settings)) = &config.certificate else {
            return;
        };
        let keeper = Keeper {
            settings: settings.clone(),
            roots: self.roots.take(),
            cache: AcmeCache::new(Arc::clone(store), &settings.directory),
            resolver: Arc::clone(&self.resolver),
            answers_plain: listening.has_plain(),
            first_pause: FIRST_PAUSE,
        };
        keeper.serve_kept().await;
        self.keeper = Some(keeper);
    }

    /// The redirect for plain requests: to the public address if that is HTTPS, else to the first address with TLS.
    pub fn redirect(&self, public: Option<&Origin>, first: SocketAddr) -> HttpsRedirect {
        let resolver = Arc::clone(&self.resolver);
        let is_public = public.is_some_and(Origin::is_https);
        HttpsRedirect {
            has_certificate: Arc::new(move || resolver.has_certificate()),
            port: (!is_public).then(|| first.port()),
        }
    }

    /// Keeps the certificate up to date. Must be called within the runtime.
    pub fn keep_renewing(self, mut hangups: Signal) {
        if let Some(mut renewal) = self.renewal {
            renewal.log_first();
            tokio::spawn(keep_alive("reading the certificate again", async move || {
                renewal.keep_reading(&mut hangups).await;
            }));
        } else if let Some(keeper) = self.keeper {
            tokio::spawn(keep_alive("renewing the certificate", async move || {
                keeper.keep().await;
            }));
        }
    }
}
