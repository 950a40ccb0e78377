//! A transaction of many operations: the store's contents overlaid with their changes. This is the only place that keeps records
//! and their indexes in step, whatever the engine.

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::Arc;

use jiff::Timestamp;

use crate::domain::matching::{FirmRotation, RequestHistory};
use crate::domain::referral::confirmation_quota::{
    ConfirmationQuota, LIMIT, MAX_MAILBOXES, SentTimes, counts_since,
};
use crate::domain::referral::{MatchingState, Secret};
use crate::store::entry::{Deliverable, StoredRecord};
use crate::store::facts::{pauses, unreachable};
use crate::store::map::{Changes, EngineError, EntryKind, Key, Span, Value, View, WriterTurn, scan};
use crate::store::values::ids::{Id, Ids, random};
use crate::store::values::keyed_request::KeyName;
use crate::store::values::{
    KeyEntry, due_key, encode, id, millis, parts_of_confirmation, parts_of_due, time_key, to_time,
};
use crate::store::{facts, reads, schema};

/// Expired keys and confirmations removed with each batch, in addition to two for each operation: enough that their number shrinks
/// even under full load, few enough not to delay an inquiry.
const FORGOTTEN_AT_ONCE: usize = 16;

/// How long to wait after the last expired entry was removed, in milliseconds.
const FORGET_EVERY: u64 = 60_000;

/// The part of the store that the writer keeps in memory.
#[derive(Default)]
pub struct WriterCache {
    /// Generates the ids of new inquiries.
    pub ids: Ids,
    /// The handling policy and the rotation of firms.
    pub matching: MatchingState,
    /// The secret that tokens and keyed digests are derived from; `None` until the store has been read.
    pub secret: Option<Secret>,
    /// When each mailbox was sent confirmations in the last 24 hours. The store keeps them by time: writes to a table by mailbox
    /// would be scattered all over it, which would cost a third of the throughput.
    sent: HashMap<Id, SentTimes>,
    /// The time up to which confirmations have been read.
    sent_until: u64,
    /// When expired entries were last removed completely, in milliseconds since 1970.
    forgot_at: u64,
    /// When the store last looked for firms to ask for outcomes, in milliseconds since 1970.
    pub asked_at: u64,
    /// Whether the store records that removed data may have left traces.
    pub has_traces: bool,
}

impl WriterCache {
    /// Loads the store's contents. `is_behind`: the cache was correct until others wrote; otherwise it may be ahead of the store.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn load(&mut self, view: &dyn View, now: Timestamp, is_behind: bool) -> Result<(), EngineError> {
        if let Some((last, _)) = view.page(&Span::all(EntryKind::Inquiries).reversed(), 1)?.pop() {
            self.ids.skip_to(id(&last)?);
        }
        let facts = reads::facts(view)?;
        schema::check(&facts)?;
        self.has_traces = facts.contains_key(facts::TRACES);
        let firms = Arc::clone(&self.matching.policy.firms);
        self.matching.rotation = FirmRotation::new(firms, reads::asks(view)?);
        self.use_facts_about_firms(&facts);
        if !is_behind {
            self.secret = reads::secret(view)?;
            self.sent.clear();
            self.sent_until = 0;
            self.forgot_at = 0;
        }
        let since = self.sent_until.max(counts_since(now));
        scan(
            view,
            Span::from(EntryKind::Confirmations, since.to_be_bytes()),
            |key, count| {
                // An unreadable entry must not block the store; a check reports it.
                let Ok((at, mailbox)) = parts_of_confirmation(&key) else {
                    return Ok(true);
                };
                let sent = self.sent.entry(mailbox).or_default();
                let known = sent.0.iter().filter(|&&known| known == at).count();
                let count = usize::from(count.first().copied().unwrap_or(1));
                (known..count.min(LIMIT)).for_each(|_| sent.note(at));
                self.sent_until = self.sent_until.max(at);
                Ok::<_, EngineError>(true)
            },
        )
    }

    /// Updates which firms are paused or unreachable.
    pub fn use_facts_about_firms(&mut self, facts: &BTreeMap<String, u64>) {
        self.matching.rotation.paused = pauses(facts);
        self.matching.rotation.unreachable = unreachable(facts);
    }
}

/// What a batch leaves in the file until it is wiped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Traces {
    /// Photos that visitors removed from inquiries that remain.
    OfPhotos,
    /// Withdrawn or erased inquiries, or a text that was taken back.
    OfErased,
}

/// Side effects to announce once a batch is committed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects {
    /// Whether something may have become due.
    pub has_due: bool,
    /// Whether reviews were written, changed, judged or removed.
    pub touches_reviews: bool,
    /// What was removed.
    pub traces: Option<Traces>,
}

/// The context of operations. Each sees the changes of the operations before it in the batch.
pub struct Tx<'t> {
    turn: &'t dyn WriterTurn,
    /// Changes of the completed operations.
    kept: Changes,
    /// Changes of the current operation.
    changes: Changes,
    /// The writer's cache of the store.
    pub cache: &'t mut WriterCache,
    /// The time of the transaction, to the millisecond.
    pub now: Timestamp,
    /// The id of this process.
    pub holder: Id,
    /// Side effects to announce after the commit.
    pub effects: Effects,
}

impl<'t> Tx<'t> {
    /// Begins a transaction.
    pub fn new(turn: &'t dyn WriterTurn, cache: &'t mut WriterCache, holder: Id) -> Self {
        Self {
            now: to_time(turn.now()),
            turn,
            changes: Changes::default(),
            kept: Changes::default(),
            cache,
            holder,
            effects: Effects::default(),
        }
    }

    /// Creates the entries that every store must have.
    ///
    /// # Errors
    /// When the system provides no random bits, or the store has an unknown format.
    pub fn prepare(&mut self) -> Result<(), EngineError> {
        if self.cache.secret.is_none() {
            if !self.page(&Span::all(EntryKind::Inquiries), 1)?.is_empty() {
                return Err(EngineError::Damaged(
                    "the secret of the inquiries' pages cannot be read",
                ));
            }
            self.note(facts::SCHEMA, Some(schema::CURRENT));
            let secret = random::<32>()?;
            self.put(EntryKind::Secrets, reads::SECRET, secret);
            self.cache.secret = Some(Secret::new(secret));
        }
        self.keep();
        Ok(())
    }

    /// Adds the current operation's changes to those that will be committed.
    pub fn keep(&mut self) {
        for (kind, changed) in mem::take(&mut self.changes.0) {
            self.kept.0.entry(kind).or_default().extend(changed);
        }
    }

    /// Discards the current operation's changes to the store, but not those to the cache.
    pub fn undo(&mut self) {
        self.changes = Changes::default();
    }

    /// Ends a transaction of `operations` operations; returns what is to be committed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn finish(
        mut self,
        operations: usize,
        can_have_traces: bool,
    ) -> Result<(Changes, Effects), EngineError> {
        for firm in self.cache.matching.rotation.take_asked() {
            let asks = self.cache.matching.rotation.asks(&firm);
            if let Some(asks) = asks.map(RequestHistory::to_bytes) {
                self.put(EntryKind::Asks, firm.as_str(), asks);
            }
        }
        self.forget(FORGOTTEN_AT_ONCE + 2 * operations)?;
        if self.effects.traces.is_some() && can_have_traces {
            self.note(facts::TRACES, Some(1));
            self.cache.has_traces = true;
        }
        self.keep();
        Ok((self.kept, self.effects))
    }

    /// Removes expired idempotency keys and confirmations, at most `limit` of each.
    fn forget(&mut self, limit: usize) -> Result<(), EngineError> {
        let now = millis(self.now);
        if now.abs_diff(self.cache.forgot_at) < FORGET_EVERY {
            return Ok(());
        }
        // Read from the transaction, not the turn: an expired key that was reused in this batch has a new expiry.
        let keys = self.page(&Span::before(EntryKind::Expiries, (now + 1).to_be_bytes()), limit)?;
        let counted = counts_since(self.now).to_be_bytes();
        let sent = self.page(&Span::before(EntryKind::Confirmations, counted), limit)?;
        if keys.len() < limit && sent.len() < limit {
            self.cache.forgot_at = now;
            let now = self.now;
            self.cache.sent.retain(|_, sent| !sent.is_over(now));
        }
        for (expiry, _) in keys {
            self.remove(EntryKind::Keys, expiry.get(8..).unwrap_or_default());
            self.remove(EntryKind::Expiries, expiry);
        }
        for (key, _) in sent {
            self.remove(EntryKind::Confirmations, key);
        }
        Ok(())
    }

    /// Puts an entry.
    pub fn put(&mut self, kind: EntryKind, key: impl Into<Key>, value: impl Into<Value>) {
        self.changes.set(kind, key.into(), Some(value.into()));
    }

    /// Removes an entry.
    pub fn remove(&mut self, kind: EntryKind, key: impl Into<Key>) {
        self.changes.set(kind, key.into(), None);
    }

    /// Removes all entries whose keys start with `prefix`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn remove_all(&mut self, kind: EntryKind, prefix: &[u8]) -> Result<(), EngineError> {
        for key in reads::keys(self, Span::prefix(kind, prefix))? {
            self.remove(kind, key);
        }
        Ok(())
    }

    /// Saves an inquiry or a subscription together with its due times.
    pub fn save<T: Deliverable>(&mut self, entry: &StoredRecord<T>) {
        self.move_due(&entry.indexed, &entry.due_keys());
        self.put(T::KIND, entry.id, entry.encode());
    }

    /// Removes an inquiry or a subscription with its index entries.
    pub fn remove_entry<T: Deliverable>(&mut self, entry: &StoredRecord<T>) {
        self.move_due(&entry.indexed, &[]);
        self.remove(T::KIND, entry.id);
    }

    fn move_due(&mut self, before: &[Key], after: &[Key]) {
        for key in before.iter().filter(|key| !after.contains(key)) {
            self.remove(EntryKind::Due, key.as_slice());
        }
        for key in after.iter().filter(|key| !before.contains(key)) {
            self.put(EntryKind::Due, key.as_slice(), Value::new());
            self.effects.has_due = true;
        }
    }

    /// Stores an idempotency key, replacing its former entry.
    pub fn put_key(&mut self, name: &KeyName, before: Option<&KeyEntry>, entry: &KeyEntry) {
        if let Some(before) = before {
            self.remove(EntryKind::Expiries, time_key(before.expires_at, name));
        }
        self.put(
            EntryKind::Expiries,
            time_key(entry.expires_at, name),
            Value::new(),
        );
        self.put(EntryKind::Keys, *name, encode(entry, 0));
    }

    /// Whether a mailbox may be sent one more mail of its kind; counts it if so.
    pub fn may_send(&mut self, quota: &ConfirmationQuota) -> bool {
        let cache = &mut *self.cache;
        let may_send = match cache.sent.get(&quota.key) {
            Some(sent) => sent.may_send(quota, self.now),
            None => cache.sent.len() < MAX_MAILBOXES,
        };
        if may_send {
            let now = millis(self.now);
            let sent = cache.sent.entry(quota.key).or_default();
            sent.note(now);
            cache.sent_until = cache.sent_until.max(now);
            let count = sent.0.iter().filter(|&&at| at == now).count();
            let count = u8::try_from(count).unwrap_or(u8::MAX);
            self.put(EntryKind::Confirmations, time_key(now, &quota.key), [count]);
        }
        may_send
    }

    /// Sets a fact, or removes it.
    pub fn note(&mut self, name: impl Into<String>, value: Option<u64>) {
        let value = value.map(|value| value.to_be_bytes().to_vec());
        self.changes
            .set(EntryKind::Facts, name.into().into_bytes(), value);
    }

    /// Records that reviews have changed. If published ones are affected, invalidates caches here and in other instances, which
    /// then read all inquiries; a visitor's text alone must not cause that.
    pub fn note_reviews(&mut self, is_published: bool) {
        self.note(facts::REVIEWS_WRITTEN, Some(millis(self.now)));
        if is_published {
            self.note(facts::REVIEWS, Some(millis(self.now)));
            self.effects.touches_reviews = true;
        }
    }

    /// Records that an id was erased.
    pub fn note_erased(&mut self, id: &Id) {
        self.put(EntryKind::Erased, *id, millis(self.now).to_be_bytes());
        self.leave_traces(Traces::OfErased);
    }

    /// Records that removed data may have left traces.
    pub fn leave_traces(&mut self, traces: Traces) {
        self.effects.traces = self.effects.traces.max(Some(traces));
    }

    /// Returns the time and id of inquiries or subscriptions that pass `is_meant` and are due, the most overdue first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn due(
        &self,
        lane: u8,
        limit: usize,
        is_meant: impl Fn(&Id) -> bool,
    ) -> Result<Vec<(u64, Id)>, EngineError> {
        let mut span = Span::prefix(EntryKind::Due, &[lane]);
        span.before = Some(due_key(lane, millis(self.now) + 1, &Id::default()));
        let mut due = Vec::new();
        scan(self, span, |key, _| {
            let (at, id) = parts_of_due(&key)?;
            if is_meant(&id) {
                due.push((at, id));
            }
            Ok::<_, EngineError>(due.len() < limit)
        })?;
        Ok(due)
    }

    /// Returns when something is next due in a lane, after now.
    ///
    /// # Errors
    /// When that cannot be read.
    pub fn next_due(&self, lane: u8) -> Result<Option<u64>, EngineError> {
        let mut span = Span::prefix(EntryKind::Due, &[lane]);
        span.from = due_key(lane, millis(self.now) + 1, &Id::default());
        let next = self.page(&span, 1)?.pop();
        next.map(|(key, _)| Ok(parts_of_due(&key)?.0)).transpose()
    }
}

impl View for Tx<'_> {
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        let change = |changes: &Changes| changes.0.get(&kind)?.get(key).cloned();
        match change(&self.changes).or_else(|| change(&self.kept)) {
            Some(change) => Ok(change),
            None => self.turn.get(kind, key),
        }
    }

    /// Merges stored entries with changed ones, in the order of the span.
    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        let both = [&self.kept, &self.changes].into_iter();
        let changed = both.filter_map(|overlay| overlay.0.get(&span.kind)).flatten();
        let changed: Vec<_> = changed.filter(|(key, _)| span.contains(key)).collect();
        // Enough remain even if all changes are removals.
        let stored = self.turn.page(span, limit.saturating_add(changed.len()))?;
        let mut merged: BTreeMap<Key, Value> = stored.into_iter().collect();
        for (key, change) in changed {
            match change {
                Some(value) => drop(merged.insert(key.clone(), value.clone())),
                None => drop(merged.remove(key)),
            }
        }
        Ok(span.first(merged.into_iter(), limit))
    }
}
