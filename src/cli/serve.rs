//! `taubenabwehr serve`: everything is checked and opened first, then announced, then served.

mod apps;
mod listening;
mod opened;
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

use super::failure::CliError;
use crate::base::logging;
use crate::base::logging::LogFormat;
use crate::base::panics::keep_alive;
use crate::base::process::Shutdown;
use crate::base::process::notify;
use crate::config::args::ServeArgs;
use crate::config::{Config, ConfigFile, DeskUsage, Handling, StorageMode, TlsSettings};
use crate::control;
use crate::outbox;
use crate::outbox::Census;
use crate::server::systemd;
use crate::server::tls::Resolver;
use crate::server::{self, ConnectionLimits, Limits, MetricsPage};
use crate::site::reload::{Followers, Reloading, keep_following, keep_reloading};
use crate::store::{FILE_NAME, Store};
use crate::web::App;

use apps::DeskSource;
use opened::OpenedServer;
use start_log::log_start;

/// Time that requests and commands in progress have to finish after SIGTERM.
const DRAIN_TIME: Duration = Duration::from_secs(7);

/// Time from SIGTERM until the process ends, whatever hangs. Container runtimes kill after 10 s.
const SHUTDOWN_TIME: Duration = Duration::from_secs(9);

/// Time for writing what was counted last, of [`SHUTDOWN_TIME`].
const COUNTS_TIME: Duration = Duration::from_millis(500);

/// How long it takes until a note that could not be written is tried again.
const NOTE_AGAIN: Duration = Duration::from_secs(5);

/// Why the server ends if the loop that accepts connections has ended by itself, which only a bug can cause.
const LISTENER_FAILED: &str = "the listener has failed; please report it";

/// Serves until SIGTERM or Ctrl-C.
///
/// # Errors
/// When it cannot start; wrong usage if flags make no sense together, whichever source has set them.
pub fn run(args: ServeArgs, file: Option<ConfigFile>) -> Result<(), CliError> {
    TlsSettings::from_args(&args)
        .map_err(|wrong| CliError::usage(ErrorKind::MissingRequiredArgument, wrong))?;
    DeskUsage::check(&args).map_err(|wrong| CliError::usage(ErrorKind::MissingRequiredArgument, wrong))?;
    let log_format = args.log_format;
    let path = file.as_ref().map(|file| file.path().to_owned());
    let desk = args.desk_listen.map(|_| (args.clone(), path));
    let config = Config::from_args(args, file.as_ref())?;
    // `config` holds all of it now, and thousands of firms need not be kept twice.
    drop(file);
    // This thread serves visitors, too, with the others that `--threads` asks for. Whatever waits for the disk has threads
    // of its own.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(start_and_serve(config, log_format, desk));
    // Dropping the runtime would wait for threads that hang on a disk.
    runtime.shutdown_background();
    served
}

async fn start_and_serve(
    config: Config,
    log_format: LogFormat,
    desk: Option<DeskSource>,
) -> Result<(), CliError> {
    let _outgrown = outlive_size_limits()?;
    let opened = OpenedServer::open(&config, desk).await?;
    // From the announcement on, signals are heeded.
    let signals = shutdown_signal()?;
    let hangups = signal(SignalKind::hangup())?;

    opened.listening.announce();
    let _flush = logging::start(log_format)?;
    log_start(&config, &opened.listening, &opened.app.origin);
    if let Some(store) = &opened.store {
        store.log_warnings().await;
    }
    let app = Arc::clone(&opened.app);
    let shutdown = Shutdown::default();
    let listener_ended = start(config, opened, hangups, &shutdown)?;
    notify::ready().await;
    tokio::spawn(feed_watchdog(Arc::clone(&app)));
    let result = tokio::select! {
        () = signals => Ok(()),
        () = listener_ended => Err(LISTENER_FAILED.into()),
    };
    stop(&shutdown, &app).await;
    result
}

/// Starts serving visitors, and everything that runs beside that. The returned future completes when nothing listens any more.
fn start(
    config: Config,
    opened: OpenedServer,
    hangups: Signal,
    shutdown: &Shutdown,
) -> Result<impl Future<Output = ()> + use<>, CliError> {
    let OpenedServer {
        listening,
        app,
        desk,
        followers,
        ..
    } = opened;
    let certificates = opened.tls.as_ref().map(|tls| Arc::clone(&tls.resolver));
    // Not waited for: renewals never end by themselves.
    if let Some(tls) = opened.tls {
        tls.keep_renewing(signal(SignalKind::hangup())?);
    }
    let reloading = Reloading::of(config.file, config.tls.as_ref());
    let (handling, handled) = watch::channel(Arc::new(config.handling));
    if let Some(store) = opened.store {
        let desk = desk.as_ref().map(|desk| desk.origin.to_string());
        // Of a file this is the only server; beside this one a database may have others, with a desk.
        if desk.is_some() || opened.control.is_some() {
            tokio::spawn(note_desk(Arc::clone(&store), desk));
        }
        serve_store(store, opened.control, &app, handled.clone(), shutdown)?;
    }
    if let Some(desk) = &desk {
        let clients = Arc::clone(desk);
        tokio::spawn(keep_alive(
            "forgetting who knocked at the desk",
            async move || {
                clients.keep_forgetting_clients().await;
            },
        ));
    }
    keep_going(&app, (hangups, reloading, handling), (handled, followers));
    let limits = Arc::new(ConnectionLimits::new(Limits::default()));
    let metrics = metrics_app(&app, &limits, &config.storage, certificates);
    let of_metrics = MetricsPage::limits();
    drop(server::serve(listening.metrics, &metrics, &of_metrics, shutdown)?);
    let public = server::serve(listening.public, &app, &limits, shutdown)?;
    let desk = desk.map(|desk| server::serve(listening.desk, &desk, &limits, shutdown));
    let desk = desk.transpose()?;
    Ok(async move {
        match desk {
            None => public.await,
            Some(desk) => tokio::select! {
                () = public => {}
                () = desk => {}
            },
        }
    })
}

/// Starts what runs as long as the process.
fn keep_going(
    app: &Arc<App>,
    (mut hangups, reloading, handling): (Signal, Reloading, watch::Sender<Arc<Handling>>),
    (mut handled, followers): (watch::Receiver<Arc<Handling>>, Followers),
) {
    tokio::spawn(keep_alive("reading the configuration again", async move || {
        keep_reloading(&mut hangups, &reloading, &handling).await;
    }));
    tokio::spawn(keep_alive("applying the configuration", async move || {
        keep_following(&mut handled, &followers, Timestamp::now).await;
    }));
    let site = Arc::clone(&app.site);
    tokio::spawn(keep_alive("looking for reviews", async move || {
        site.keep_looking().await;
    }));
    let clients = Arc::clone(app);
    tokio::spawn(keep_alive("forgetting clients", async move || {
        clients.keep_forgetting_clients().await;
    }));
    let counting = Arc::clone(app);
    tokio::spawn(keep_alive("writing what is counted", async move || {
        flush_counts(&counting).await;
    }));
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
        shutdown.spawn(control::serve(listener, operations, shutdown.requested()));
    }
    let setup = outbox::OutboxSetup {
        store,
        templates: Arc::clone(&app.templates),
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

/// Makes the service manager restart the server if its store hangs.
async fn feed_watchdog(app: Arc<App>) {
    systemd::feed_watchdog(app.store.as_deref()).await;
}

/// Writes what was counted, again and again.
async fn flush_counts(app: &App) {
    if let Some(store) = &app.store {
        app.funnel.keep_flushing(store).await;
    }
}

/// Builds what answers the operator's monitoring.
fn metrics_app(
    app: &App,
    limits: &Arc<ConnectionLimits>,
    storage: &StorageMode,
    certificates: Option<Arc<Resolver>>,
) -> Arc<App> {
    let directory = match storage {
        StorageMode::Store(location) => location.data_dir(),
        StorageMode::Demo => None,
    };
    let page = MetricsPage {
        metrics: Arc::clone(&app.metrics),
        limits: Arc::clone(limits),
        store: app.store.clone(),
        file: directory.map(|directory| directory.join(FILE_NAME)),
        certificates,
        census: Census::default(),
    };
    Arc::new(App {
        handler: Some(Arc::new(page)),
        ..App::new(
            Arc::clone(&app.site),
            Arc::clone(&app.templates),
            app.security_headers.clone(),
            app.origin.clone(),
        )
    })
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
