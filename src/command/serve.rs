//! `taubenabwehr serve`: everything is checked and opened first, then announced, then served.

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::listening::{ListenError, Listening};
use super::tls::{StartedTls, TlsError};
use crate::build_info::BuildInfo;
use crate::cli::ServeArgs;
use crate::common_limit::CommonLimit;
use crate::config::{Config, ConfigError, ConfigFile, StorageMode, TlsSettings};
use crate::following::{Followers, keep_following};
use crate::handler::App;
use crate::headers::SecurityHeaders;
use crate::origin::Origin;
use crate::outbox::Census;
use crate::rate_limit::RateLimit;
use crate::reload::{Reloading, keep_reloading};
use crate::server::{self, ConnectionLimits, Limits, Listener, MetricsSource, Transport};
use crate::shutdown::Shutdown;
use crate::site::{BrokenSite, Site};
use crate::site_source::SiteSource;
use crate::store::{FILE_NAME, OpenError, Shared, Store};
use crate::systemd::notify;
use crate::templates::{BrokenTemplate, Templates};
use crate::tls::Resolver;
use crate::{acme, control, logging, outbox, systemd};
use logging::LogFormat;

/// Time that requests and commands under way have to finish after SIGTERM.
const DRAIN_TIME: Duration = Duration::from_secs(7);

/// Time from SIGTERM until the process ends, whatever hangs. Container runtimes kill after 10 s.
const SHUTDOWN_TIME: Duration = Duration::from_secs(9);

/// Time for writing what was counted last, of [`SHUTDOWN_TIME`].
const COUNTS_TIME: Duration = Duration::from_millis(500);

/// How many changes by forms of private pages a client may make for each inquiry that it may send: a firm that comes back
/// from a holiday answers many in a row.
const CHANGES: NonZeroU32 = NonZeroU32::new(3).unwrap();

/// Why the server cannot start; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A flag, the configuration file, or a file that one of them names.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A listener.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// The certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The store.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The store does not answer.
    #[error("the store could not be read in time; check the disk of the data directory")]
    StoreStalled,
    /// The control socket.
    #[error("cannot open the control socket in {directory}: {source}; check the directory's permissions")]
    Control {
        /// The data directory.
        directory: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The embedded site.
    #[error(transparent)]
    Site(#[from] BrokenSite),
    /// The embedded templates.
    #[error(transparent)]
    Templates(#[from] BrokenTemplate),
    /// The runtime, signals, or standard output.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
    /// The loop that accepts connections ended by itself, which only a bug can cause.
    #[error("the listener has failed; please report it")]
    ListenerFailed,
}

/// Serves until SIGTERM or Ctrl-C.
pub fn run(args: ServeArgs, file: Option<ConfigFile>) -> Result<(), ServeError> {
    let log_format = args.log_format;
    let config = Config::from_args(args, file.as_ref())?;
    // What it says is in `config` now, and thousands of firms need not be kept twice.
    drop(file);
    // This thread serves visitors, too, with the others that `--threads` asks for. Whatever waits for the disk has threads
    // of its own.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(start_and_serve(config, log_format));
    // Dropping the runtime would wait for threads that hang on a disk.
    runtime.shutdown_background();
    served
}

async fn start_and_serve(config: Config, log_format: LogFormat) -> Result<(), ServeError> {
    let mut tls = config.tls.as_ref().map(StartedTls::start).transpose()?;
    let listening = Listening::open(&config, tls.as_ref().map(|tls| &tls.acceptor))?;
    let address = listening
        .public
        .first()
        .map(Listener::address)
        .ok_or(ServeError::ListenerFailed)?;
    let is_tls = |listener: &&Listener| matches!(listener.transport(), Transport::Tls(_));
    let first_tls = listening.public.iter().find(is_tls).map(Listener::address);
    let (store, control) = open_store(&config.storage).await?;
    let shared = store.as_ref().and_then(|store| store.shared());
    if let (Some(tls), Some(place)) = (&mut tls, place_of_certificates(&config.storage, shared.as_ref())) {
        let plain = listening.public.iter().filter(|listener| !is_tls(listener));
        let ports = plain.map(|listener| listener.address().port()).collect();
        tls.open_kept(place, ports).await?;
    }
    let plan = Arc::new(config.handling.plan());
    if let Some(store) = &store {
        let followed = store.follow(Arc::clone(&plan));
        followed.map_err(|_| ServeError::StoreStalled)?;
    }
    let (plan, planned) = watch::channel(plan);
    let own = first_tls.map_or_else(|| Origin::of_address(address), Origin::of_tls_address);
    let own = config.tls.as_ref().and_then(TlsSettings::origin).unwrap_or(own);
    let source = site_source(&config, own);
    let site = source.make(&source.promises(&config.handling))?;
    let (site, made) = watch::channel(Arc::new(site));
    let app = Arc::new(App {
        store: store.clone(),
        plan: planned,
        https: tls
            .as_ref()
            .zip(first_tls)
            .map(|(tls, address)| tls.redirect(config.public_url.as_ref(), address)),
        challenges: tls.as_ref().map(StartedTls::challenges).unwrap_or_default(),
        ..prepare(&config, &source, made, shared.as_ref())?
    });
    let signals = shutdown_signal()?;
    let hangups = signal(SignalKind::hangup())?;

    listening.announce();
    let _flush = logging::start(log_format)?;
    log_start(&config, &listening, &app.origin);
    if let Some(store) = &store {
        store.log_warnings();
    }
    let shutdown = Shutdown::default();
    if let (Some(listener), Some(store)) = (control, store.clone()) {
        shutdown.spawn(control::serve(listener, store, shutdown.requested()));
    }
    let (handling, handled) = watch::channel(Arc::new(config.handling));
    if let Some(store) = store.clone() {
        let setup = outbox::Setup {
            store,
            templates: Arc::clone(&app.templates),
            origin: app.origin.clone(),
            handling: handled.clone(),
            clock: Arc::new(Timestamp::now),
            pace: outbox::Pace::default(),
        };
        outbox::start(setup, &shutdown)?;
    }
    let certificates = tls.as_ref().map(StartedTls::resolver);
    // Not waited for: they never end by themselves.
    if let Some(tls) = tls {
        tls.keep_renewing(signal(SignalKind::hangup())?);
    }
    let reloading = Reloading::of(config.file, config.tls.as_ref());
    tokio::spawn(keep_reloading(hangups, reloading, handling));
    let followers = Followers {
        store: store.clone(),
        plan,
        site,
        source,
    };
    tokio::spawn(keep_following(handled, followers));
    tokio::spawn(forget_clients(Arc::clone(&app)));
    tokio::spawn(flush_counts(Arc::clone(&app)));
    let limits = Arc::new(ConnectionLimits::new(Limits::default()));
    for listener in listening.metrics {
        let source = metrics_source(&app, &limits, &config.storage, certificates.clone());
        server::serve_metrics(listener, source, &shutdown)?;
    }
    let listener_ended = server::serve(listening.public, &app, &limits, &shutdown)?;
    notify::ready().await;
    tokio::spawn(feed_watchdog(Arc::clone(&app)));
    let result = tokio::select! {
        () = signals => Ok(()),
        () = listener_ended => Err(ServeError::ListenerFailed),
    };
    stop(&shutdown, &app).await;
    result
}

/// Ends everything in order, within [`SHUTDOWN_TIME`].
async fn stop(shutdown: &Shutdown, app: &App) {
    tracing::info!("stopping");
    notify::stopping().await;
    let end = Instant::now() + SHUTDOWN_TIME;
    shutdown.request();
    if !shutdown.drain(DRAIN_TIME).await {
        tracing::warn!("some requests or commands did not finish in time");
    }
    if let Some(store) = &app.store {
        // On a disk that hangs, counts are not worth waiting for.
        let _ = timeout(COUNTS_TIME, app.funnel.flush(store)).await;
        // Writes the queue and closes the file cleanly. No acknowledged inquiry depends on it.
        if !store.close(end.saturating_duration_since(Instant::now())).await {
            tracing::warn!("the store did not close in time; it will be repaired at the next start");
        }
    }
    tracing::info!("stopped");
}

/// Keeps no client's address longer than the privacy notice says.
async fn forget_clients(app: Arc<App>) {
    app.keep_forgetting_clients().await;
}

/// Has the service manager start the server again if its store hangs.
async fn feed_watchdog(app: Arc<App>) {
    systemd::feed_watchdog(app.store.as_deref()).await;
}

/// Writes what is counted.
async fn flush_counts(app: Arc<App>) {
    if let Some(store) = &app.store {
        app.funnel.keep_flushing(store).await;
    }
}

async fn open_store(
    storage: &StorageMode,
) -> Result<(Option<Arc<Store>>, Option<control::Listener>), ServeError> {
    let StorageMode::Store(location) = storage else {
        return Ok((None, None));
    };
    let store = location.open().await?;
    // Commands reach a database without this process.
    let control = location.data_dir().map(|directory| {
        control::Listener::bind(directory).map_err(|source| ServeError::Control {
            directory: directory.to_owned(),
            source,
        })
    });
    Ok((Some(Arc::new(store)), control.transpose()?))
}

/// Returns where certificates are kept that are ordered; `None` without a store.
fn place_of_certificates(storage: &StorageMode, shared: Option<&Shared>) -> Option<acme::Place> {
    if let Some(shared) = shared {
        return Some(acme::Place::Shared(shared.clone()));
    }
    match storage {
        StorageMode::Store(location) => location
            .data_dir()
            .map(|path| acme::Place::Directory(path.to_owned())),
        StorageMode::Demo => None,
    }
}

fn site_source(config: &Config, own: Origin) -> SiteSource {
    let origin = config.public_url.clone().unwrap_or(own);
    SiteSource {
        settings: config.settings.clone(),
        security_headers: SecurityHeaders::new(&config.settings, origin.as_str()),
        is_demo: config.storage == StorageMode::Demo,
        origin,
    }
}

fn prepare(
    config: &Config,
    source: &SiteSource,
    site: watch::Receiver<Arc<Site>>,
    shared: Option<&Shared>,
) -> Result<App, ServeError> {
    let templates = Templates::new(&config.settings, &source.origin)?;
    let limit = |name, times: NonZeroU32| {
        let common =
            |inquiries: NonZeroU32| CommonLimit::new(name, inquiries.saturating_mul(times), shared.cloned());
        config.rate_limit.map(common)
    };
    Ok(App {
        rate_limit: limit("inquiries", NonZeroU32::MIN),
        newsletter_limit: limit("newsletter", NonZeroU32::MIN),
        token_limit: config.rate_limit.map(RateLimit::new),
        change_limit: limit("changes", CHANGES),
        trusted_proxies: config.trusted_proxies.clone(),
        access_log: config.access_log,
        ..App::new(
            site,
            templates,
            source.security_headers.clone(),
            source.origin.clone(),
        )
    })
}

fn metrics_source(
    app: &App,
    limits: &Arc<ConnectionLimits>,
    storage: &StorageMode,
    certificates: Option<Arc<Resolver>>,
) -> MetricsSource {
    let directory = match storage {
        StorageMode::Store(location) => location.data_dir(),
        StorageMode::Demo => None,
    };
    MetricsSource {
        metrics: Arc::clone(&app.metrics),
        limits: Arc::clone(limits),
        store: app.store.clone(),
        file: directory.map(|directory| directory.join(FILE_NAME)),
        certificates,
        census: Census::default(),
    }
}

/// Logs what the operator should know.
fn log_start(config: &Config, listening: &Listening, origin: &Origin) {
    for listener in &listening.public {
        tracing::info!(version = %BuildInfo::of_this_executable(), address = %listener, public_url = %origin, "listening");
    }
    for listener in &listening.metrics {
        tracing::info!(address = %listener, "serving metrics");
    }
    for flag in &listening.ignored {
        tracing::info!("--{flag} is ignored: the service manager passes sockets of this kind");
    }
    if let Some(file) = &config.file {
        tracing::info!(file = %file.path.display(), "configured: {}", config.handling);
    }
    if config.storage == StorageMode::Demo {
        tracing::warn!("demo mode: inquiries are answered with success and NOT kept");
    }
    if !config.sample_keys.is_empty() {
        tracing::warn!(
            keys = config.sample_keys.join(", "),
            "imprint and privacy notice name the sample operator; copy content/site.toml, put your own data into its \
             [operator] table and start with --site FILE"
        );
    }
    if !config.claims_without_basis.is_empty() {
        tracing::warn!(
            claims = config.claims_without_basis.join(", "),
            "the site shows advertising claims without a basis; prove each with `basis` and `period` in the [claims] table \
             of --site FILE, or switch it off there"
        );
    }
    if let Some(first) = listening.public.first()
        && config.public_url.is_none()
        && !first.address().ip().is_loopback()
    {
        tracing::warn!(
            "links, sitemaps and the feed name {origin}; give the public address with --public-url"
        );
    }
    if let (Some(tls), Some(public)) = (&config.tls, &config.public_url)
        && !tls.listen.is_empty()
        && !public.is_https()
    {
        tracing::warn!(
            "the public address {public} is not reached by TLS; give one with https:// as --public-url"
        );
    }
    if config.tls.as_ref().is_some_and(|tls| tls.listen.is_empty()) {
        tracing::warn!("the certificate is not used: nothing listens for TLS; add --tls-listen ADDRESS");
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
