//! `taubenabwehr serve`: everything is checked and opened first, then announced, then served.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::cli::{LogFormat, ServeArgs};
use crate::config::origin::Origin;
use crate::config::{Config, ConfigError, Keeping};
use crate::handler::{App, openapi};
use crate::headers::Defences;
use crate::rate_limit::RateLimit;
use crate::server::{self, Limits};
use crate::site::{BrokenSite, Site};
use crate::store::{OpenError, Store};
use crate::{control, logging};

/// How long the end of the server waits for a disk.
const STORE_CLOSE_TIME: Duration = Duration::from_secs(2);

/// Why the server cannot start; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A flag or the settings file.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The public listener.
    #[error("cannot listen on {address}: {source}; choose another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The control socket.
    #[error("cannot open the control socket in {directory}: {source}; check the directory's permissions")]
    Control {
        /// The data directory.
        directory: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The embedded site.
    #[error(transparent)]
    Site(#[from] BrokenSite),
    /// Runtime, signals, standard output.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
}

/// Serves until SIGTERM or Ctrl-C.
///
/// # Errors
/// When the server cannot start.
pub fn run(args: ServeArgs) -> Result<(), ServeError> {
    let log_format = args.log_format;
    let config = Config::from_args(args)?;
    // One thread serves all connections: requests cost microseconds, and what waits for the disk has threads of its own.
    // On two cores with 64 clients it takes more than twice the inquiries of one thread a core, which spends its time
    // waking the others up.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(start_and_serve(config, log_format))
}

async fn start_and_serve(config: Config, log_format: LogFormat) -> Result<(), ServeError> {
    let listener = server::listen(config.listen).map_err(|source| ServeError::Listen {
        address: config.listen,
        source,
    })?;
    let address = listener.local_addr()?;
    let (store, control) = open_store(&config.keeping)?;
    let app = Arc::new(prepare(&config, address, store.clone())?);
    let (stop, stopped) = watch::channel(());
    let signals = shutdown_signal()?;

    announce(&config, address, &app.origin, log_format);
    if let Some(store) = &store {
        store.log_warnings();
    }
    let control = match (control, store.clone()) {
        (Some(listener), Some(store)) => Some(tokio::spawn(control::serve(
            listener,
            store,
            ended(stopped.clone()),
        ))),
        _ => None,
    };
    // Ends with the runtime.
    tokio::spawn(forget_clients(Arc::clone(&app)));
    server::serve(listener, app, Limits::default(), signals).await;
    tracing::info!("stopping");
    drop(stop);
    if let Some(control) = control {
        let _ = control.await;
    }
    if let Some(store) = store {
        // The queue is written and the file closed cleanly; nothing acknowledged depends on it.
        store.close(STORE_CLOSE_TIME).await;
    }
    tracing::info!("stopped");
    Ok(())
}

/// Keeps no client's address longer than the privacy notice says.
async fn forget_clients(app: Arc<App>) {
    if let Some(limit) = &app.rate_limit {
        limit.keep_forgetting().await;
    }
}

fn open_store(keeping: &Keeping) -> Result<(Option<Arc<Store>>, Option<control::Listener>), ServeError> {
    let Keeping::Directory(directory) = keeping else {
        return Ok((None, None));
    };
    let store = Store::open(directory)?;
    let control = control::Listener::bind(directory).map_err(|source| ServeError::Control {
        directory: directory.clone(),
        source,
    })?;
    Ok((Some(Arc::new(store)), Some(control)))
}

fn prepare(config: &Config, address: SocketAddr, store: Option<Arc<Store>>) -> Result<App, BrokenSite> {
    let origin = config
        .public_url
        .clone()
        .unwrap_or_else(|| Origin::of_address(address));
    let defences = Defences::new(&config.settings, origin.as_str());
    let demo = config.keeping == Keeping::Demo;
    let mut site = Site::prepare(&config.settings, &origin, demo, &defences)?;
    let described = origin.clone();
    site.add(&defences, openapi::PATH, openapi::CONTENT_TYPE, move || {
        openapi::document(&described)
    });
    Ok(App {
        site,
        defences,
        store,
        rate_limit: config.rate_limit.map(RateLimit::new),
        trusted_proxies: config.trusted_proxies.clone(),
        origin,
    })
}

/// Says on standard output where the site is, and in the log what the operator should know.
fn announce(config: &Config, address: SocketAddr, origin: &Origin, log_format: LogFormat) {
    let mut stdout = io::stdout();
    // A closed standard output (a service manager's) is no reason not to serve.
    let _ = writeln!(stdout, "taubenabwehr is listening on http://{address}").and_then(|()| stdout.flush());
    logging::start(log_format);
    tracing::info!(version = env!("CARGO_PKG_VERSION"), address = %format_args!("http://{address}"), public_url = %origin, "listening");
    if config.keeping == Keeping::Demo {
        tracing::warn!("demo mode: inquiries are answered with success and NOT kept");
    }
    if !config.sample_keys.is_empty() {
        tracing::warn!(
            keys = config.sample_keys.join(", "),
            "imprint and privacy notice name the sample operator; copy content/site.toml, put your own data into its \
             [operator] table and start with --site FILE"
        );
    }
    if config.public_url.is_none() && !address.ip().is_loopback() {
        tracing::warn!(
            "links, sitemaps and the feed name http://{address}; give the public address with --public-url"
        );
    }
}

/// Completes on SIGTERM or Ctrl-C.
fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Completes when the sender is gone.
async fn ended(mut stopped: watch::Receiver<()>) {
    while stopped.changed().await.is_ok() {}
}
