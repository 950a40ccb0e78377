//! `taubenabwehr serve`: checks and opens everything first, then announces its addresses and serves.

mod apps;
mod listening;
mod start_log;
mod tls;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use clap::error::ErrorKind;
use jiff::Timestamp;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::{CliError, usage};
use crate::base::logging;
use crate::base::panics::keep_alive;
use crate::base::process::Shutdown;
use crate::base::process::notify;
use crate::config::args::ServeArgs;
use crate::config::{Config, ConfigError, ConfigFile, Handling};
use crate::control;
use crate::outbox;
use crate::server::systemd;
use crate::server::{ConnectionLimits, Limits, MetricsPage};
use crate::site::reload::keep_reloading;
use crate::store::{Location, Store};
use crate::web::App;

use listening::Listening;
use start_log::log_start;
use tls::StartedTls;

/// How long requests and commands in progress may take to finish after SIGTERM.
const DRAIN_TIME: Duration = Duration::from_secs(7);

/// Time from SIGTERM until the process ends, even if something hangs. Container runtimes kill after 10 s.
const SHUTDOWN_TIME: Duration = Duration::from_secs(9);

/// The part of [`SHUTDOWN_TIME`] for writing the last counts.
const COUNTS_TIME: Duration = Duration::from_millis(500);

/// Delay before a failed attempt to record the desk's address is repeated.
const NOTE_AGAIN: Duration = Duration::from_secs(5);

/// The error if the listener to use is missing, which only a bug can cause.
const LISTENER_FAILED: &str = "the listener has failed; please report it";

/// Serves until SIGTERM or Ctrl-C.
///
/// # Errors
/// When the server cannot start; wrong usage if flags conflict, whether set on the command line or elsewhere.
pub fn run(args: ServeArgs, file: Option<ConfigFile>) -> Result<(), CliError> {
    let config = Config::from_args(args, file).map_err(|error| match error {
        ConfigError::Usage(reason) => usage(ErrorKind::MissingRequiredArgument, reason),
        error @ ConfigError::File(_) => error.into(),
    })?;
    // Blocking disk I/O has its own threads.
    let threads = config.flags.threads().get();
    let mut builder = match threads {
        1 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    let runtime = builder.worker_threads(threads).enable_all().build()?;
    let served = runtime.block_on(start_and_serve(config));
    // Dropping the runtime would wait for threads that are blocked on a disk.
    runtime.shutdown_background();
    served
}

async fn start_and_serve(config: Config) -> Result<(), CliError> {
    let _outgrown = outlive_size_limits()?;
    let mut tls = config.certificate.as_ref().map(StartedTls::start).transpose()?;
    // Bind sockets before opening the store, so that an address in use is reported at once even if the store takes long to open.
    let listening = Listening::open(&config, tls.as_ref().map(|tls| &tls.acceptor))?;
    let (store, control) = match config.location() {
        Some(location) => (Some(Arc::new(location.open().await?)), open_control(location)?),
        None => (None, None),
    };
    if let (Some(tls), Some(store)) = (&mut tls, &store) {
        tls.open_kept(&config, store, &listening).await;
    }
    let app = apps::site(&config, &listening, tls.as_ref(), store.as_ref())?;
    let desk = apps::desk(&config, &listening, &app).map(Arc::new);
    let app = Arc::new(app);
    // Handle signals from the announcement on.
    let signals = shutdown_signal()?;
    let hangups = signal(SignalKind::hangup())?;

    listening.announce();
    let _flush = logging::start(config.flags.log_format)?;
    log_start(&config, &listening, &app.origin);
    if let Some(store) = &store {
        store.log_warnings().await;
    }
    let certificates = tls.as_ref().map(|tls| Arc::clone(&tls.resolver));
    // Not awaited: renewal never ends by itself.
    if let Some(tls) = tls {
        tls.keep_renewing(signal(SignalKind::hangup())?);
    }
    let limits = Arc::new(ConnectionLimits::new(Limits::default()));
    let metrics = apps::metrics(&config, &app, &limits, certificates);
    let shutdown = Shutdown::default();
    let handled = keep_going(&app, desk.as_ref(), config, hangups);
    if let Some(store) = store {
        let desk = desk.as_ref().map(|desk| desk.origin.to_string());
        // A file has only one server. In a database, another server may have recorded its desk, so only a desk overwrites it.
        if desk.is_some() || control.is_some() {
            tokio::spawn(note_desk(Arc::clone(&store), desk));
        }
        serve_store(store, control, &app, handled, &shutdown)?;
    }
    let (metrics, of_metrics) = (Arc::new(metrics), MetricsPage::limits());
    for listener in listening.metrics {
        listener.serve(&metrics, &of_metrics, &shutdown);
    }
    for listener in listening.public {
        listener.serve(&app, &limits, &shutdown);
    }
    if let Some((listener, desk)) = listening.desk.zip(desk) {
        listener.serve(&desk, &limits, &shutdown);
    }
    notify::ready().await;
    let watched = Arc::clone(&app);
    tokio::spawn(async move { systemd::feed_watchdog(watched.store.as_deref()).await });
    signals.await;
    stop(&shutdown, &app).await;
    Ok(())
}

/// Binds the control socket, through which commands reach this process. A database does not need one.
fn open_control(location: &Location) -> Result<Option<control::ControlListener>, CliError> {
    let control = location.data_dir().map(|directory| {
        control::ControlListener::bind(directory).map_err(|error| {
            let directory = directory.display();
            format!(
                "cannot open the control socket in {directory}: {error}; check the directory's permissions"
            )
        })
    });
    Ok(control.transpose()?)
}

/// Starts the tasks that run as long as the process. Returns how inquiries are handled, updated on SIGHUP.
fn keep_going(
    app: &Arc<App>,
    desk: Option<&Arc<App>>,
    config: Config,
    mut hangups: Signal,
) -> watch::Receiver<Arc<Handling>> {
    let (handling, handled) = watch::channel(Arc::new(config.handling));
    let (file, certificate) = (config.file, config.certificate);
    tokio::spawn(keep_alive("reading the configuration again", async move || {
        keep_reloading(&mut hangups, file.as_ref(), certificate.as_ref(), &handling).await;
    }));
    let (site, mut followed) = (Arc::clone(&app.site), handled.clone());
    tokio::spawn(keep_alive("applying the configuration", async move || {
        site.keep_following(&mut followed, Timestamp::now).await;
    }));
    let site = Arc::clone(&app.site);
    tokio::spawn(keep_alive("looking for reviews", async move || {
        site.keep_looking().await;
    }));
    for clients in [Some(app), desk].into_iter().flatten() {
        let clients = Arc::clone(clients);
        tokio::spawn(keep_alive("forgetting clients", async move || {
            clients.keep_forgetting_clients().await;
        }));
    }
    if let Some(store) = app.store.clone() {
        let funnel = Arc::clone(&app.funnel);
        tokio::spawn(keep_alive("writing what is counted", async move || {
            funnel.keep_flushing(&store).await;
        }));
    }
    handled
}

/// Records the desk's address for the `desk` command, retrying while the database is unreachable.
async fn note_desk(store: Arc<Store>, desk: Option<String>) {
    while store.note_desk(desk.clone()).await.is_err() {
        sleep(NOTE_AGAIN).await;
    }
}

/// Serves commands on the control socket, and starts the outbox.
fn serve_store(
    store: Arc<Store>,
    control: Option<control::ControlListener>,
    app: &App,
    handling: watch::Receiver<Arc<Handling>>,
    shutdown: &Shutdown,
) -> io::Result<()> {
    if let (Some(listener), Some(operations)) = (control, apps::operations(app)) {
        shutdown
            .tasks
            .spawn(control::serve(listener, operations, shutdown.requested()));
    }
    let setup = outbox::OutboxSetup {
        store,
        templates: Arc::clone(app.site().templates()),
        origin: app.origin.clone(),
        handling,
        policy: app.policy.clone(),
        farewells: Arc::clone(&app.farewells),
        pace: outbox::RetryPace::default(),
    };
    outbox::start(setup, shutdown)
}

/// Shuts everything down in order, within [`SHUTDOWN_TIME`].
async fn stop(shutdown: &Shutdown, app: &App) {
    tracing::info!("stopping");
    notify::stopping().await;
    let end = Instant::now() + SHUTDOWN_TIME;
    shutdown.request();
    if !shutdown.drain(DRAIN_TIME).await {
        tracing::warn!("some requests or commands did not finish in time");
    }
    if let Some(store) = &app.store {
        // The counts are not worth waiting for a hanging disk.
        let _ = timeout(COUNTS_TIME, app.funnel.flush(store)).await;
        // Writes the queue and closes the file cleanly. Acknowledged inquiries do not depend on it.
        if !store.close(end.saturating_duration_since(Instant::now())).await {
            tracing::warn!("the store did not close in time; it will be repaired at the next start");
        }
    }
    tracing::info!("stopped");
}

/// Makes writes beyond the file-size limit fail like those to a full disk. By default, SIGXFSZ ends the process, and not every
/// parent ignores it for its children.
fn outlive_size_limits() -> io::Result<Signal> {
    signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))
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
