//! What `serve` starts for TLS: certificates, and whatever keeps them valid.

use std::net::SocketAddr;
use std::sync::Arc;

use clap::CommandFactory;
use clap::error::ErrorKind;
use tokio::signal::unix::Signal;

use crate::cli::{Cli, ServeArgs};
use crate::config::{CertificateSource, TlsSettings};
use crate::handler::HttpsRedirect;
use crate::origin::Origin;
use crate::tls::{Acceptor, FileFault, LibraryError, Renewal, Resolver};

/// Why TLS cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificate files.
    #[error(transparent)]
    Files(#[from] FileFault),
    /// The library.
    #[error("cannot start TLS: {0}")]
    Library(#[from] LibraryError),
}

/// Ends the process if flags about TLS make no sense together, whichever of them the configuration file has set.
pub fn check_usage(args: &ServeArgs) {
    if let Err(usage) = TlsSettings::from_args(args) {
        let error = Cli::command().error(ErrorKind::MissingRequiredArgument, usage);
        error.exit();
    }
}

/// TLS, ready for connections.
pub struct StartedTls {
    /// Makes handshakes.
    pub acceptor: Acceptor,
    resolver: Arc<Resolver>,
    renewal: Renewal,
}

impl StartedTls {
    /// Reads the certificate.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn start(settings: &TlsSettings) -> Result<Self, TlsError> {
        let resolver = Resolver::new();
        let renewal = match &settings.source {
            CertificateSource::Files(files) => Renewal::start(files.clone(), Arc::clone(&resolver))?,
        };
        Ok(Self {
            acceptor: Acceptor::new(Arc::clone(&resolver))?,
            resolver,
            renewal,
        })
    }

    /// Returns where plain requests are sent: to the public address if it is reached by TLS, else to the first address.
    pub fn redirect(&self, public: Option<&Origin>, first: SocketAddr) -> HttpsRedirect {
        let resolver = Arc::clone(&self.resolver);
        if public.is_some_and(Origin::is_https) {
            HttpsRedirect::to_public(resolver)
        } else {
            HttpsRedirect::to_port(first.port(), resolver)
        }
    }

    /// Keeps the certificate as new as its source. Must run inside the runtime.
    pub fn keep_renewing(self, hangups: Signal) {
        tokio::spawn(self.renewal.keep_reading(hangups));
    }
}
