//! Opening a store, and starting its writer.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::spawn_blocking;

use crate::base::text::berlin::in_berlin;
use crate::domain::referral::Secret;
use crate::store::context::Context;
use crate::store::location::DATABASE;
use crate::store::map::{Clock, Engine, EngineError, EntryKind, Span, View};
use crate::store::postgres::{Connector, PostgresEngine};
use crate::store::redb::{LOCK_WAIT, RedbEngine};
use crate::store::values::ids;
use crate::store::writer::StoreWriter;
use crate::store::{OpenError, READS, Store, facts, reads, values};

/// How long a starting server waits for the database before it continues without it.
const START: Duration = Duration::from_secs(5);

/// How far the newest inquiry may be ahead of the clock, since clocks are corrected by seconds.
const FUTURE: SignedDuration = SignedDuration::from_mins(5);

impl Store {
    /// Opens the store in a directory for a server; creates directory and file if they are missing. Waits up to two seconds for a
    /// file that another process holds.
    ///
    /// # Errors
    /// When it cannot be opened. An existing file is left unchanged.
    pub fn open(data_dir: &Path) -> Result<Self, OpenError> {
        Self::open_with_clock(data_dir, LOCK_WAIT, Arc::new(Timestamp::now))
    }

    /// Like [`Self::open`], with the caller's clock and waiting time.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn open_with_clock(data_dir: &Path, wait: Duration, clock: Clock) -> Result<Self, OpenError> {
        let engine = RedbEngine::open_or_create(data_dir, wait, clock)?;
        Self::of_directory(engine, data_dir)
    }

    /// Opens the store in a directory for a command; creates nothing and does not wait.
    ///
    /// # Errors
    /// When it cannot be opened; [`OpenError::is_in_use`] tells whether a server holds it.
    pub fn open_existing(data_dir: &Path) -> Result<Self, OpenError> {
        let engine = RedbEngine::open_existing(data_dir, Duration::ZERO, Arc::new(Timestamp::now))?;
        Self::of_directory(engine, data_dir)
    }

    /// Opens the store of a directory whose file is elsewhere, such as on a simulated disk.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn open_storage<B: ::redb::StorageBackend>(
        data_dir: &Path,
        storage: impl Fn() -> std::io::Result<B> + Send + Sync + 'static,
        clock: Clock,
    ) -> Result<Self, OpenError> {
        let engine = RedbEngine::open_storage(data_dir, storage, clock)?;
        Self::of_directory(engine, data_dir)
    }

    fn of_directory(engine: RedbEngine, data_dir: &Path) -> Result<Self, OpenError> {
        let (store, opened) = Self::start(Arc::new(engine), Duration::MAX)?;
        let place = data_dir.display().to_string();
        opened
            .map(|()| store)
            .map_err(|error| OpenError::Unusable { place, error })
    }

    /// Opens the store in a database for a server. If the database cannot be reached, the store is unavailable and recovers by
    /// itself.
    ///
    /// # Errors
    /// When the database was reached and cannot be used.
    pub async fn connect(connector: Connector) -> Result<Self, OpenError> {
        let (store, opened) = Self::begin(connector, None, START).await?;
        match opened {
            Err(error @ EngineError::Lost(_)) => {
                tracing::error!(%error, "inquiries are refused until the database can be reached");
                Ok(store)
            }
            opened => opened.map(|()| store).map_err(unusable),
        }
    }

    /// Opens the store in a database for a command, optionally with the caller's clock instead of the database's.
    ///
    /// # Errors
    /// When the database cannot be reached or used.
    pub async fn connect_now(connector: Connector, clock: Option<Clock>) -> Result<Self, OpenError> {
        let (store, opened) = Self::begin(connector, clock, super::DEADLINE).await?;
        opened.map(|()| store).map_err(unusable)
    }

    /// Starts opening the store in a database, and waits at most `time`.
    async fn begin(
        connector: Connector,
        clock: Option<Clock>,
        time: Duration,
    ) -> Result<(Self, Result<(), EngineError>), OpenError> {
        let engine = PostgresEngine::new(connector, clock);
        let started = spawn_blocking(move || Self::start(Arc::new(engine), time)).await;
        started.map_err(|error| OpenError::Thread(error.into()))?
    }

    /// Starts the writer of an engine, and waits at most `time` until it has opened the store.
    fn start(engine: Arc<dyn Engine>, time: Duration) -> Result<(Self, Result<(), EngineError>), OpenError> {
        let context = Arc::<Context>::default();
        let mut no_secret = [0; 32];
        getrandom::fill(&mut no_secret).map_err(|error| OpenError::Thread(error.into()))?;
        let (writer, opened) =
            StoreWriter::start(Arc::clone(&engine), Arc::clone(&context)).map_err(OpenError::Thread)?;
        let silent = |_| Err(EngineError::Lost("it does not answer".to_owned()));
        let opened = opened.recv_timeout(time).unwrap_or_else(silent);
        let store = Self {
            writer,
            context,
            engine,
            reads: Arc::new(Semaphore::new(READS)),
            no_secret: Secret::new(no_secret),
            checking: Mutex::new(()),
        };
        Ok((store, opened))
    }

    /// Logs warnings about the store. Opening it does not, because a server logs nothing until it has started.
    pub async fn log_warnings(&self) {
        let mut all = self.engine.warnings().to_vec();
        // Otherwise no database was reached, which has been logged.
        if self.context.secret.get().is_some() {
            let now = self.now();
            let found = self.read(move |view| warnings(view, now)).await;
            all.extend(found.unwrap_or_default());
        }
        for warning in all {
            tracing::warn!("{warning}");
        }
    }
}

fn unusable(error: EngineError) -> OpenError {
    OpenError::Unusable {
        place: DATABASE.to_owned(),
        error,
    }
}

fn warnings(view: &dyn View, now: Timestamp) -> Result<Vec<String>, EngineError> {
    let mut warnings = Vec::new();
    let newest = view.page(&Span::all(EntryKind::Inquiries).reversed(), 1)?.pop();
    let newest = newest.map(|(key, _)| values::id(&key)).transpose()?;
    if let Some(newest) = newest.map(|newest| values::to_time(ids::millis(newest)))
        && newest.duration_since(now) > FUTURE
    {
        // The clock was ahead and has been corrected.
        warnings.push(format!(
            "the newest inquiry was stored at {newest}, which is in the future: check the clock; idempotency keys of that time are \
             kept until seven days after it"
        ));
    }
    if let Some(at) = reads::fact_time(view, facts::SUSPENDED)? {
        warnings.push(format!(
            "the inquiries were restored from a backup at {}: what was to be sent and done for them then is held until `taubenabwehr \
             deliveries retry`",
            in_berlin(at)
        ));
    }
    Ok(warnings)
}
