//! The writer's turn: a transaction that holds the lock of all instances. It begins in its own round trip, whose answer is
//! awaited before anything is written. Everything that an instance has sent without an acknowledgement therefore belongs to a
//! session that holds the lock. Once another session has the lock, that transaction is over, and the writer's row, updated in the
//! same transaction, shows whether it was committed. Sending BEGIN together with the writes would break this: an abandoned
//! transaction could begin after the one that checks for it.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio_postgres::types::{ToSql, Type};

use super::PostgresEngine;
use super::link::{Link, Parameter, STEP, entries, find, is_busy};
use crate::store::map::{Changes, EngineError, EntryKind, Key, Span, Value, View, WriterTurn};

/// Begins a transaction that holds the lock. It must see what others have committed, so the isolation level is explicit. The
/// server ends the transaction if this client hangs, so that the lock is released soon.
pub const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '4s'; \
     SET LOCAL lock_timeout = '1500ms'; SELECT pg_advisory_xact_lock(hashtext('taubenabwehr'), hashtext(current_schema()))";

/// How long to wait for the lock in total: longer than a hanging instance can hold it.
const QUEUE: Duration = Duration::from_secs(5);

/// Reads the clock, and the writers' rows.
const STAMP: &str = "SELECT NULL::bytea, NULL::bytea, (extract(epoch FROM clock_timestamp()) * 1000)::bigint \
     UNION ALL SELECT k, v, 0 FROM writers";

/// The writer's turn.
pub struct PostgresTurn<'e> {
    /// Gets the connection back at the end.
    engine: &'e PostgresEngine,
    /// The connection with the open transaction.
    link: Link,
    /// Entries read ahead; `None` for missing ones.
    known: HashMap<(EntryKind, Key), Option<Value>>,
    /// The time of the turn.
    pub now: u64,
    /// Whether other instances have written since the last turn.
    pub others_have_written: bool,
    /// The rows of other writers.
    pub others: BTreeMap<Key, Value>,
}

impl<'e> PostgresTurn<'e> {
    /// Waits for the lock, and reads the wanted entries ahead.
    pub fn begin(
        engine: &'e PostgresEngine,
        link: Link,
        wanted: &[(EntryKind, Key)],
    ) -> Result<Self, EngineError> {
        let started = Instant::now();
        let mut turn = Self {
            engine,
            link,
            known: HashMap::new(),
            now: 0,
            others_have_written: false,
            others: BTreeMap::new(),
        };
        // Each attempt is shorter than a step, to tell a hanging server from a hanging instance.
        loop {
            let begun = match turn.attempt(wanted, started.elapsed() < QUEUE) {
                Ok(false) => turn.link.execute(STEP, "ROLLBACK"),
                Ok(true) => return Ok(turn),
                Err(error) => Err(error),
            };
            if let Err(error) = begun {
                engine.end(turn.link, Err(error.clone()))?;
                return Err(error);
            }
        }
    }

    /// Returns `false` if another instance holds the lock and `may_wait` is set.
    fn attempt(&mut self, wanted: &[(EntryKind, Key)], may_wait: bool) -> Result<bool, EngineError> {
        let link = &self.link;
        let client = link.client();
        let mut keys = BTreeMap::<EntryKind, Vec<&Key>>::new();
        for (kind, key) in wanted {
            keys.entry(*kind).or_default().push(key);
        }
        let reads = keys.into_iter().map(|(kind, keys)| (kind, keys, find(kind)));
        let reads: Vec<_> = reads.collect();
        let begun = link.wait(STEP, async {
            let read = join_all(reads.iter().map(|(_, keys, find)| async move {
                let parameters: [Parameter<'_>; 1] = [(keys, Type::BYTEA_ARRAY)];
                entries(&client.query_typed(find, &parameters).await?)
            }));
            let (begun, stamp, found) =
                tokio::join!(biased; client.batch_execute(BEGIN), client.query_typed(STAMP, &[]), read);
            match begun {
                Err(error) if may_wait && is_busy(&error) => return Ok(None),
                begun => begun?,
            }
            let stamp = stamp?;
            let now = stamp.first().map_or(Ok(0), |row| row.try_get::<_, i64>(2))?;
            let others = entries(stamp.get(1..).unwrap_or_default())?;
            Ok(Some((
                now,
                others,
                found.into_iter().collect::<Result<Vec<_>, _>>()?,
            )))
        })?;
        let Some((now, others, found)) = begun else {
            return Ok(false);
        };
        let known = &mut self.known;
        known.extend(wanted.iter().map(|key| (key.clone(), None)));
        for ((kind, ..), found) in reads.iter().zip(found) {
            known.extend(found.into_iter().map(|(key, value)| ((*kind, key), Some(value))));
        }
        let others = others.into_iter().filter(|(key, _)| *key != self.engine.writer);
        self.others = others.collect();
        self.now = u64::try_from(now).unwrap_or_default();
        Ok(true)
    }
}

impl View for PostgresTurn<'_> {
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        match self.known.get(&(kind, key.to_vec())) {
            Some(known) => Ok(known.clone()),
            None => self.link.get(kind, key, STEP),
        }
    }

    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        self.link.page(span, limit, STEP)
    }
}

impl WriterTurn for PostgresTurn<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    fn others_have_written(&self) -> bool {
        self.others_have_written
    }

    fn commit(self: Box<Self>, changes: Changes) -> Result<(), EngineError> {
        let committed = commit(&self.link, changes, STEP);
        self.engine.end(self.link, committed)
    }
}

/// Sends everything at once, with one statement for all entries put into a table.
pub fn commit(link: &Link, changes: Changes, time: Duration) -> Result<(), EngineError> {
    let mut steps: Vec<(String, Vec<Vec<Vec<u8>>>)> = Vec::new();
    for (kind, entries) in changes.0 {
        let (mut keys, mut values, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for (key, value) in entries {
            match value {
                Some(value) => {
                    keys.push(key);
                    values.push(value);
                }
                None => gone.push(key),
            }
        }
        let table = kind.name();
        if !keys.is_empty() {
            let put = format!(
                "INSERT INTO {table} (k, v) SELECT * FROM unnest($1::bytea[], $2::bytea[]) \
                 ON CONFLICT (k) DO UPDATE SET v = excluded.v"
            );
            steps.push((put, vec![keys, values]));
        }
        if !gone.is_empty() {
            steps.push((format!("DELETE FROM {table} WHERE k = ANY($1)"), vec![gone]));
        }
    }
    let client = link.client();
    link.wait(time, async {
        let sent = join_all(steps.iter().map(|(statement, columns)| async move {
            let columns: Vec<Parameter<'_>> = columns
                .iter()
                .map(|column| (column as &(dyn ToSql + Sync), Type::BYTEA_ARRAY))
                .collect();
            client.query_typed(statement, &columns).await.map(drop)
        }));
        let end = if steps.is_empty() { "ROLLBACK" } else { "COMMIT" };
        let (sent, ended) = tokio::join!(biased; sent, client.batch_execute(end));
        sent.into_iter().collect::<Result<(), _>>().and(ended)
    })
}
