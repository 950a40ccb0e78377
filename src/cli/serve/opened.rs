//! What the server opens first: sockets, certificates and the store.

use std::sync::Arc;

use super::LISTENER_FAILED;
use super::listening::Listening;
use super::tls::StartedTls;
use crate::base::text::origin::Origin;
use crate::cli::Failure;
use crate::config::{Config, StorageMode, TlsSettings};
use crate::control;
use crate::server::acme;
use crate::store::Store;

/// Everything that the configuration names, open.
pub struct Opened {
    /// The listeners.
    pub listening: Listening,
    /// Certificates; `None` without TLS.
    pub tls: Option<StartedTls>,
    /// The store; `None` in demo mode.
    pub store: Option<Arc<Store>>,
    /// Where commands reach this process; `None` where they reach the store themselves.
    pub control: Option<control::Listener>,
}

impl Opened {
    /// Opens everything. Sockets come before the store: an address that is taken is reported at once, however long
    /// the store takes.
    ///
    /// # Errors
    /// When any of it cannot be opened.
    pub async fn open(config: &Config) -> Result<Self, Failure> {
        let mut tls = config.tls.as_ref().map(StartedTls::start).transpose()?;
        let listening = Listening::open(config, tls.as_ref().map(|tls| &tls.acceptor))?;
        let (store, control) = open_store(&config.storage).await?;
        if let (Some(tls), Some(place)) = (&mut tls, place_of_certificates(&config.storage, store.as_ref())) {
            tls.open_kept(place, &listening).await?;
        }
        Ok(Self {
            listening,
            tls,
            store,
            control,
        })
    }

    /// Returns where visitors reach the site if the configuration does not say: at the first domain, else at the first
    /// address, by TLS if there is one.
    pub fn origin(&self, config: &Config) -> Result<Origin, Failure> {
        if let Some(origin) = config.tls.as_ref().and_then(TlsSettings::origin) {
            return Ok(origin);
        }
        let plain = self.listening.first().map(Origin::of_address);
        let first = self.listening.first_tls().map(Origin::of_tls_address);
        first.or(plain).ok_or_else(|| LISTENER_FAILED.into())
    }
}

async fn open_store(
    storage: &StorageMode,
) -> Result<(Option<Arc<Store>>, Option<control::Listener>), Failure> {
    let StorageMode::Store(location) = storage else {
        return Ok((None, None));
    };
    let store = location.open().await?;
    // Commands reach a database without this process.
    let control = location.data_dir().map(|directory| {
        control::Listener::bind(directory).map_err(|error| {
            let directory = directory.display();
            format!(
                "cannot open the control socket in {directory}: {error}; check the directory's permissions"
            )
        })
    });
    Ok((Some(Arc::new(store)), control.transpose()?))
}

/// Returns where ordered certificates are kept; `None` without a store.
fn place_of_certificates(storage: &StorageMode, store: Option<&Arc<Store>>) -> Option<acme::Place> {
    if let Some(store) = store.filter(|store| store.is_shared()) {
        return Some(acme::Place::Shared(Arc::clone(store)));
    }
    match storage {
        StorageMode::Store(location) => location
            .data_dir()
            .map(|path| acme::Place::Directory(path.to_owned())),
        StorageMode::Demo => None,
    }
}
