//! `taubenabwehr serve`: everything is checked and opened first, then announced, then served.

mod apps;
mod listening;
mod start_log;
mod tls;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use clap::error::ErrorKind;
use jiff::Timestamp;
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
use crate::server::{self, ConnectionLimits, Limits, MetricsPage};
use crate::site::reload::keep_reloading;
use crate::store::{Location, Store};
use crate::web::App;

use listening::Listening;
use start_log::log_start;
use tls::StartedTls;

/// Time that requests and commands in progress have to finish after SIGTERM.
const DRAIN_TIME: Duration = Duration::from_secs(7);

/// Time from SIGTERM until the process ends, whatever hangs. Container runtimes kill after 10 s.
const SHUTDOWN_TIME: Duration = Duration::from_secs(9);

/// Time for writing what was counted last, of [`SHUTDOWN_TIME`].
const COUNTS_TIME: Duration = Duration::from_millis(500);

/// How long it takes until a note that could not be written is tried again.
const NOTE_AGAIN: Duration = Duration::from_secs(5);

/// Why the server does not start if nothing listens, which only a bug can cause.
const LISTENER_FAILED: &str = "the listener has failed; please report it";

/// Serves until SIGTERM or Ctrl-C.
///
/// # Errors
/// When it cannot start; wrong usage if flags make no sense together, whichever source has set them.
pub fn run(args: ServeArgs, file: Option<ConfigFile>) -> Result<(), CliError> {
    let config = Config::from_args(args, file.as_ref()).map_err(|error| match error {
        ConfigError::Usage(reason) => usage(ErrorKind::MissingRequiredArgument, reason),
        error @ ConfigError::File(_) => error.into(),
    })?;
    // `config` holds all of it now, and thousands of firms need not be kept twice.
    drop(file);
    // This thread serves visitors, too, with the others that `--threads` asks for. Whatever waits for the disk has threads
    // of its own.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(start_and_serve(config));
    // Dropping the runtime would wait for threads that hang on a disk.
    runtime.shutdown_background();
    served
}

async fn start_and_serve(config: Config) -> Result<(), CliError> {
    let _outgrown = outlive_size_limits()?;
    let mut tls = config.certificate.as_ref().map(StartedTls::start).transpose()?;
    // Sockets come before the store: an address that is taken is reported at once, however long the store takes.
    let listening = Listening::open(&config, tls.as_ref().map(|tls| &tls.acceptor))?;
    let (store, control) = match config.location() {
        Some(location) => (Some(Arc::new(location.open().await?)), open_control(location)?),
        None => (None, None),
    };
    if let (Some(tls), Some(store)) = (&mut tls, &store) {
        tls.open_kept(&config, store, &listening).await?;
    }
    let app = apps::site(&config, &listening, tls.as_ref(), store.as_ref())?;
    let desk = apps::desk(&config, &listening, &app).map(Arc::new);
    let app = Arc::new(app);
    // From the announcement on, signals are heeded.
    let signals = shutdown_signal()?;
    let hangups = signal(SignalKind::hangup())?;

    listening.announce();
    let _flush = logging::start(config.flags.log_format)?;
    log_start(&config, &listening, &app.origin);
    if let Some(store) = &store {
        store.log_warnings().await;
    }
    let certificates = tls.as_ref().map(|tls| Arc::clone(&tls.resolver));
    // Not waited for: renewals never end by themselves.
    if let Some(tls) = tls {
        tls.keep_renewing(signal(SignalKind::hangup())?);
    }
    let limits = Arc::new(ConnectionLimits::new(Limits::default()));
    let metrics = apps::metrics(&config, &app, &limits, certificates);
    let shutdown = Shutdown::default();
    let handled = keep_going(&app, desk.as_ref(), config, hangups);
    if let Some(store) = store {
        let desk = desk.as_ref().map(|desk| desk.origin.to_string());
        // Of a file this is the only server; beside this one a database may have others, with a desk.
        if desk.is_some() || control.is_some() {
            tokio::spawn(note_desk(Arc::clone(&store), desk));
        }
        serve_store(store, control, &app, handled, &shutdown)?;
    }
    let of_metrics = MetricsPage::limits();
    server::serve(listening.metrics, &Arc::new(metrics), &of_metrics, &shutdown)?;
    server::serve(listening.public, &app, &limits, &shutdown)?;
    let desk = desk.as_ref().unwrap_or(&app);
    server::serve(Vec::from_iter(listening.desk), desk, &limits, &shutdown)?;
    notify::ready().await;
    let watched = Arc::clone(&app);
    tokio::spawn(async move { systemd::feed_watchdog(watched.store.as_deref()).await });
    signals.await;
    stop(&shutdown, &app).await;
    Ok(())
}

/// Opens where commands reach this process; they reach a database without it.
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

/// Starts what runs as long as the process. Returns how inquiries are handled, which a hangup changes.
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

/// Notes where the desk is, for its command; a database that is not reached yet may take a while.
async fn note_desk(store: Arc<Store>, desk: Option<String>) {
    while store.note_desk(desk.clone()).await.is_err() {
        sleep(NOTE_AGAIN).await;
    }
}

/// Answers commands, and sends what is to be delivered.
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

/// Makes writes past the file-size limit fail, as on a full disk. By default its signal ends the process, and not every
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
