//! What the server opens before it serves: sockets, certificates, the store, and what answers requests.

use std::sync::Arc;

use super::LISTENER_FAILED;
use super::apps::{self, DeskSource};
use super::listening::Listening;
use super::tls::StartedTls;
use crate::base::text::origin::Origin;
use crate::cli::CliError;
use crate::config::{Config, StorageMode, TlsSettings};
use crate::control;
use crate::server::acme;
use crate::site::reload::Followers;
use crate::store::Store;
use crate::web::App;

/// Everything that the configuration names, open, and what answers requests.
pub struct OpenedServer {
    /// The listeners.
    pub listening: Listening,
    /// Certificates; `None` without TLS.
    pub tls: Option<StartedTls>,
    /// The store; `None` in demo mode.
    pub store: Option<Arc<Store>>,
    /// Where commands reach this process; `None` where they reach the store themselves.
    pub control: Option<control::ControlListener>,
    /// What answers visitors.
    pub app: Arc<App>,
    /// What answers on the desk's listener.
    pub desk: Option<Arc<App>>,
    /// What applies a new configuration.
    pub followers: Followers,
}

impl OpenedServer {
    /// Opens everything. Sockets come before the store: an address that is taken is reported at once, however long
    /// the store takes.
    ///
    /// # Errors
    /// When any of it cannot be opened.
    pub async fn open(config: &Config, desk: Option<DeskSource>) -> Result<Self, CliError> {
        let mut tls = config.tls.as_ref().map(StartedTls::start).transpose()?;
        let listening = Listening::open(config, tls.as_ref().map(|tls| &tls.acceptor))?;
        let (store, control) = open_store(&config.storage).await?;
        if let (Some(tls), Some(place)) = (&mut tls, place_of_certificates(&config.storage, store.as_ref())) {
            tls.open_kept(place, &listening).await?;
        }
        let own = origin(config, &listening)?;
        let (app, followers) = apps::site(config, own, &listening, tls.as_ref(), store.as_ref())?;
        let desk = desk.map(|desk| apps::desk(desk, config, listening.desk.first(), &app));
        Ok(Self {
            listening,
            tls,
            store,
            control,
            app: Arc::new(app),
            desk: desk.transpose()?.map(Arc::new),
            followers,
        })
    }
}

/// Returns where visitors reach the site if the configuration does not say: at the first domain, else at the first
/// address, by TLS if there is one.
fn origin(config: &Config, listening: &Listening) -> Result<Origin, CliError> {
    let first = || {
        let tls = listening.first_tls().map(Origin::of_tls_address);
        tls.or(listening.first().map(Origin::of_address))
    };
    let domain = config.tls.as_ref().and_then(TlsSettings::origin);
    domain.or_else(first).ok_or_else(|| LISTENER_FAILED.into())
}

async fn open_store(
    storage: &StorageMode,
) -> Result<(Option<Arc<Store>>, Option<control::ControlListener>), CliError> {
    let StorageMode::Store(location) = storage else {
        return Ok((None, None));
    };
    let store = location.open().await?;
    // Commands reach a database without this process.
    let control = location.data_dir().map(|directory| {
        control::ControlListener::bind(directory).map_err(|error| {
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
