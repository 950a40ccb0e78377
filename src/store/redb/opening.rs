//! Opening the file, and starting its writer.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::RwLock;
use redb::{ReadableDatabase, StorageBackend};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;

use super::directory::LOCK_WAIT;
use super::handle::{Handle, Shared};
use super::open::{self, Opened};
use super::open_error::{self, OpenError};
use super::schema::{self, TRACES};
use super::source::DatabaseSource;
use super::writer::{COMPACT_AFTER_START, COMPACT_EVERY, Parts, State, Upkeep};
use super::{READS, Redb, error, secrets};
use crate::store::core::{self, Fact};
use crate::store::facts::restored;
use crate::store::time::Clock;
use crate::store::writer::{Context, Writer};
use crate::store::{Engine, Store};

/// How far the newest id may lie in the future before the operator is warned: clocks of servers differ by seconds.
const FUTURE: Duration = Duration::from_mins(5);

impl Redb {
    /// Opens the file in a directory and creates both if they are missing. Waits up to [`LOCK_WAIT`] for a file that
    /// another process holds.
    ///
    /// # Errors
    /// When it cannot be opened. An existing file is then as it was, byte for byte.
    pub fn open_or_create(data_dir: &Path) -> Result<Store, OpenError> {
        Self::open_with_clock(data_dir, LOCK_WAIT, Arc::new(Timestamp::now))
    }

    /// Opens the file with a clock of the caller's.
    ///
    /// # Errors
    /// As for [`Self::open_or_create`].
    pub fn open_with_clock(data_dir: &Path, wait: Duration, clock: Clock) -> Result<Store, OpenError> {
        let opened = open::or_create(data_dir, wait)?;
        Self::start(opened, DatabaseSource::file(data_dir), clock, COMPACT_AFTER_START)
    }

    /// Opens the file in a directory; creates nothing and waits for nothing.
    ///
    /// # Errors
    /// When it cannot be opened, [`OpenError::Locked`] when another process has it.
    pub fn open_existing(data_dir: &Path) -> Result<Store, OpenError> {
        let opened = open::existing(data_dir, Duration::ZERO)?;
        Self::start(
            opened,
            DatabaseSource::file(data_dir),
            Arc::new(Timestamp::now),
            COMPACT_EVERY,
        )
    }

    /// Opens the file that a storage of the caller's holds, such as a simulated disk, and opens it again from there
    /// after a fault. Erasures put their new file into the directory.
    ///
    /// # Errors
    /// When the storage does not hold inquiries.
    pub fn open_storage<B: StorageBackend>(
        data_dir: &Path,
        storage: impl Fn() -> std::io::Result<B> + Send + 'static,
        clock: Clock,
    ) -> Result<Store, OpenError> {
        let source = DatabaseSource::storage(data_dir, storage);
        let opened = source.open()?;
        Self::start(opened, source, clock, COMPACT_AFTER_START)
    }

    fn start(
        opened: Opened,
        mut source: DatabaseSource,
        clock: Clock,
        compact_after: Duration,
    ) -> Result<Store, OpenError> {
        let Opened {
            database,
            identity,
            lock,
            mut warnings,
        } = opened;
        source.keep(lock);
        let newest = error::attempt(|| schema::last_id(&database));
        let newest = newest.map_err(|error| open_error::explain(source.data_dir(), error))?;
        warnings.extend(
            newest
                .and_then(core::time)
                .and_then(|newest| from_the_future(newest, clock())),
        );
        let traces = error::attempt(|| schema::flag(&database, TRACES));
        let has_traces = traces.map_err(|error| open_error::explain(source.data_dir(), error))?;
        let secret = error::attempt(|| secrets::read(&database));
        let secret = secret.map_err(|error| open_error::explain(source.data_dir(), error))?;
        let held = error::attempt(|| schema::time(&database.begin_read()?, Fact::Suspended.name()));
        let held = held.map_err(|error| open_error::explain(source.data_dir(), error))?;
        warnings.extend(held.map(restored));
        let handle: Shared = Arc::new(RwLock::new(Some(Handle::from(database))));
        let context = Context::default();
        let parts = Parts {
            context: context.clone(),
            handle: Arc::clone(&handle),
            clock: Arc::clone(&clock),
            secret: secret.clone(),
            opened_at: clock(),
        };
        let upkeep = Upkeep {
            compact_after,
            has_traces,
            identity,
        };
        let state = State::new(parts, source, upkeep);
        let thread = |source| OpenError::Thread { source };
        let runtime = Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(thread)?;
        let writer = Writer::start(runtime, |requests| state.run(requests)).map_err(thread)?;
        let engine = Self {
            handle,
            secret,
            reads: Arc::new(Semaphore::new(READS)),
            clock,
            warnings,
        };
        Ok(Store::new(writer, context, Engine::Redb(engine)))
    }
}

/// Returns a warning if the newest inquiry was stored by a clock that was ahead of today's.
fn from_the_future(newest: Timestamp, now: Timestamp) -> Option<String> {
    let is_ahead = newest.duration_since(now) > jiff::SignedDuration::try_from(FUTURE).unwrap_or_default();
    is_ahead.then(|| {
        format!(
            "the newest inquiry was stored at {newest}, which is in the future: check the clock; idempotency keys \
             of that time are kept until seven days after it"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inquiry::NewInquiry;
    use crate::referral::NewReferral;

    #[test]
    fn a_newest_inquiry_from_the_future_is_a_warning() {
        let now: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
        for usual in ["2026-11-08T11:00:00Z", "2026-11-08T12:05:00Z"] {
            assert_eq!(from_the_future(usual.parse().unwrap(), now), None);
        }
        let warning = from_the_future("2027-01-01T00:00:00Z".parse().unwrap(), now).unwrap();
        assert!(
            warning.contains("2027-01-01T00:00:00Z, which is in the future"),
            "{warning}"
        );
    }

    #[tokio::test]
    async fn it_is_found_when_a_file_is_opened() {
        let dir = tempfile::tempdir().unwrap();
        let open = |time: &str| {
            let time: Timestamp = time.parse().unwrap();
            Redb::open_with_clock(dir.path(), Duration::ZERO, Arc::new(move || time)).unwrap()
        };
        let warnings = |store: &Store| match &store.engine {
            Engine::Redb(engine) => engine.warnings.len(),
            Engine::Postgres(_) => 0,
        };
        let body = r#"{"postal_code":"20095","property_type":"residential","first_name":"Anna","last_name":"Meier",
            "email_address":"anna@example.de","phone_number":"+49 40 1234567"}"#;
        let inquiry = NewInquiry::parse(body.as_bytes(), "2026-11-08T12:00:00Z".parse().unwrap()).unwrap();
        let store = open("2027-01-01T00:00:00Z");
        assert_eq!(warnings(&store), 0);
        store.insert(inquiry, NewReferral::default(), None).await.unwrap();
        drop(store);
        assert_eq!(warnings(&open("2026-11-08T12:00:00Z")), 1);
        assert_eq!(warnings(&open("2027-01-02T00:00:00Z")), 0);
    }
}
