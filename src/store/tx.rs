//! A transaction of many operations: what the store holds, with what they have changed. Records and their indexes are kept together
//! here, whatever the engine.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use uuid::Uuid;

use super::entry::{Entry, SubscriptionEntry};
use super::map::{Change, Changes, EngineError, Key, Kind, Span, Turn, Value, View, scan};
use super::values::{
    KeyEntry, confirmation_key, due_key, expiry_key, id, number, parts_of_confirmation, to_time,
};
use super::{reads, schema};
use crate::domain::matching::{FirmRotation, RequestHistory};
use crate::domain::referral::{Due, Lane, MatchingState, Secret};
use crate::store::facts::{pauses, unreachable};
use crate::store::time::millis;
use crate::store::values::confirmation::{ConfirmationQuota, LIMIT, MAX_MAILBOXES, Sent, counts_since};
use crate::store::values::fact::Fact;
use crate::store::values::ids::{Id, Ids};
use crate::store::values::keyed_request::{KeyName, REMEMBERED};
use crate::store::values::leases::Holder;

/// The fact that removed data may have left traces in the file.
pub const TRACES: &str = "traces";

/// Expired keys and confirmations that are forgotten with each batch, beside two for each of its operations: enough that their number
/// falls even under full load, few enough that no inquiry waits for it.
const FORGOTTEN_AT_ONCE: usize = 16;

/// What a writer keeps in memory of the store.
pub struct Memory {
    /// Makes ids of new inquiries.
    pub ids: Ids,
    /// What is done with inquiries, and whose turn it is.
    pub matching: MatchingState,
    /// What tokens and keyed digests follow from; `None` until the store was read.
    pub secret: Option<Secret>,
    /// When mailboxes were sent confirmations in the last 24 hours. The store has them by time: a table by mailbox would be written all
    /// over, which costs a third of all inquiries a second.
    sent: HashMap<Id, Sent>,
    /// Up to when confirmations were read.
    sent_until: u64,
    /// Before these times, in milliseconds since 1970, no key expires and no confirmation ends.
    forget_from: [u64; 2],
    /// Whether removed data may have left traces, as the store says.
    pub has_traces: bool,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            ids: Ids::after(None),
            matching: MatchingState::default(),
            secret: None,
            sent: HashMap::new(),
            sent_until: 0,
            forget_from: [0; 2],
            has_traces: false,
        }
    }
}

impl Memory {
    /// Reads what the store says. `is_behind`: what is known was true until others wrote; otherwise it may be ahead of the store.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn load(
        &mut self,
        view: &(impl View + ?Sized),
        now: Timestamp,
        is_behind: bool,
    ) -> Result<(), EngineError> {
        if let Some((last, _)) = view.page(&Span::all(Kind::Inquiries).reversed(), 1)?.pop() {
            self.ids.skip_to(id(&last)?);
        }
        let facts = reads::facts(view)?;
        schema::check(&facts)?;
        self.has_traces = facts.contains_key(TRACES);
        let firms = Arc::clone(&self.matching.policy.firms);
        self.matching.rotation = FirmRotation::new(firms, reads::asks(view)?);
        self.use_facts_about_firms(&facts);
        if !is_behind {
            self.secret = reads::secret(view)?;
            self.sent.clear();
            self.sent_until = 0;
            self.forget_from = [0; 2];
        }
        let since = self.sent_until.max(counts_since(now));
        scan(
            view,
            Span::from(Kind::Confirmations, since.to_be_bytes()),
            |key, count| {
                // What cannot be read keeps nobody from anything; a check finds it.
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
}

impl Memory {
    /// Has firms chosen with regard to pauses and refused addresses.
    pub fn use_facts_about_firms(&mut self, facts: &BTreeMap<String, u64>) {
        self.matching.rotation.set_paused(pauses(facts));
        self.matching.rotation.set_unreachable(unreachable(facts));
    }
}

/// What a batch leaves in the file until that is wiped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Traces {
    /// Photos that visitors have removed; their inquiries stay.
    OfPhotos,
    /// What was withdrawn or erased, or a text that was taken back.
    OfErased,
}

/// What others are to hear of a batch once it is committed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects {
    /// Whether something may have become due.
    pub has_due: bool,
    /// Whether reviews were written, changed, judged or removed.
    pub touches_reviews: bool,
    /// What was removed.
    pub traces: Option<Traces>,
}

/// What operations work on. What they read is what those before them in the batch have left.
pub struct Tx<'t> {
    turn: &'t dyn Turn,
    changes: Changes,
    /// What the operation under way has changed, as it was before.
    undo: Vec<(Kind, Key, Option<Change>)>,
    /// What the writer keeps in memory.
    pub memory: &'t mut Memory,
    /// The time of the transaction, to the millisecond.
    pub now: Timestamp,
    /// This process.
    pub holder: Holder,
    /// Whether no other process can have the store, so that leases of others are of dead ones.
    pub is_alone: bool,
    /// What others are to hear of it.
    pub effects: Effects,
}

impl<'t> Tx<'t> {
    /// Begins a transaction.
    pub fn new(turn: &'t dyn Turn, memory: &'t mut Memory, holder: Holder) -> Self {
        Self {
            now: to_time(turn.now()),
            turn,
            changes: Changes::default(),
            undo: Vec::new(),
            memory,
            holder,
            is_alone: false,
            effects: Effects::default(),
        }
    }

    /// Makes what a new store must have.
    ///
    /// # Errors
    /// When the system gives no random bits, or the store is of an unknown format.
    pub fn prepare(&mut self) -> Result<(), EngineError> {
        if self.memory.secret.is_none() {
            if !self.page(&Span::all(Kind::Inquiries), 1)?.is_empty() {
                return Err(EngineError::Damaged(
                    "the secret of the inquiries' pages cannot be read",
                ));
            }
            self.note(schema::SCHEMA, Some(schema::CURRENT));
            let secret = random::<32>()?;
            self.put(Kind::Secrets, reads::SECRET, secret);
            self.memory.secret = Some(Secret::new(secret));
        }
        self.keep();
        Ok(())
    }

    /// Keeps what the operation under way has changed.
    pub fn keep(&mut self) {
        self.undo.clear();
    }

    /// Undoes what the operation under way has changed of the store, but not of the memory.
    pub fn undo(&mut self) {
        for (kind, key, before) in self.undo.drain(..).rev() {
            let changed = self.changes.0.entry(kind).or_default();
            match before {
                Some(before) => drop(changed.insert(key, before)),
                None => drop(changed.remove(&key)),
            }
        }
    }

    /// Ends a transaction of so many operations; returns what is to be committed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn finish(
        mut self,
        operations: usize,
        can_have_traces: bool,
    ) -> Result<(Changes, Effects), EngineError> {
        for firm in self.memory.matching.rotation.take_new().firms() {
            if let Some(asks) = self
                .memory
                .matching
                .rotation
                .asks(firm)
                .map(RequestHistory::to_bytes)
            {
                self.put(Kind::Asks, firm.as_str(), asks);
            }
        }
        let limit = FORGOTTEN_AT_ONCE + 2 * operations;
        self.forget_until(Kind::Expiries, millis(self.now), REMEMBERED, limit)?;
        let before_counted = counts_since(self.now).saturating_sub(1);
        self.forget_until(Kind::Confirmations, before_counted, 0, limit)?;
        if self.effects.traces.is_some() && can_have_traces {
            self.note(TRACES, Some(1));
            self.memory.has_traces = true;
        }
        Ok((self.changes, self.effects))
    }

    /// Forgets entries whose keys begin with a time that has come, at most so many. Entries that are new have a time at least so much
    /// later.
    fn forget_until(&mut self, kind: Kind, time: u64, later: u64, limit: usize) -> Result<(), EngineError> {
        let from = usize::from(kind == Kind::Confirmations);
        if self.memory.forget_from.get(from).is_some_and(|from| time < *from) {
            return Ok(());
        }
        // Of the transaction, not of the turn: an expired key that was used again in this batch has another expiry.
        let past = self.page(&Span::before(kind, (time + 1).to_be_bytes()), limit)?;
        let is_all = past.len() < limit;
        for (key, _) in past {
            if kind == Kind::Expiries {
                self.remove(Kind::Keys, key.get(8..).unwrap_or_default());
            }
            self.remove(kind, key);
        }
        if is_all {
            let next = self.page(&Span::from(kind, (time + 1).to_be_bytes()), 1)?.pop();
            let next = match next {
                Some((key, _)) => number(key.get(..8).unwrap_or_default())?,
                None => time + 1 + later,
            };
            if let Some(from) = self.memory.forget_from.get_mut(from) {
                *from = next;
            }
            let now = self.now;
            if kind == Kind::Confirmations {
                self.memory.sent.retain(|_, sent| !sent.is_over(now));
            }
        }
        Ok(())
    }

    /// Puts an entry.
    pub fn put(&mut self, kind: Kind, key: impl Into<Key>, value: impl Into<Value>) {
        self.set(kind, key.into(), Some(value.into()));
    }

    /// Removes an entry.
    pub fn remove(&mut self, kind: Kind, key: impl Into<Key>) {
        self.set(kind, key.into(), None);
    }

    fn set(&mut self, kind: Kind, key: Key, change: Change) {
        let before = self.changes.set(kind, key.clone(), change);
        self.undo.push((kind, key, before));
    }

    /// Removes all entries whose keys begin with some bytes; returns whether there were any.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn remove_all(&mut self, kind: Kind, prefix: &[u8]) -> Result<bool, EngineError> {
        let keys = reads::keys(self, Span::prefix(kind, prefix))?;
        let is_any = !keys.is_empty();
        for key in keys {
            self.remove(kind, key);
        }
        Ok(is_any)
    }

    /// Returns what is known of an inquiry; `None` if that is nothing.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn entry(&self, id: Uuid) -> Result<Option<Entry>, EngineError> {
        reads::entry(self, id)
    }

    /// Saves what is known of an inquiry, and when it is due.
    ///
    /// # Errors
    /// When it cannot be encoded.
    pub fn save(&mut self, entry: &Entry) -> Result<(), EngineError> {
        let id = entry.record.id.as_bytes();
        self.move_due(id, entry.indexed(), entry.due(), lane_of_inquiries);
        self.put(Kind::Inquiries, *id, entry.encode()?);
        Ok(())
    }

    /// Removes all that is known of an inquiry.
    pub fn remove_entry(&mut self, entry: &Entry) {
        let id = entry.record.id.as_bytes();
        self.move_due(id, entry.indexed(), Due::default(), lane_of_inquiries);
        self.remove(Kind::Inquiries, *id);
    }

    /// Returns a subscription; `None` if there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn subscription(&self, key: &Id) -> Result<Option<SubscriptionEntry>, EngineError> {
        reads::subscription(self, key)
    }

    /// Saves a subscription, and when it is due.
    ///
    /// # Errors
    /// When it cannot be encoded.
    pub fn save_subscription(&mut self, key: &Id, entry: &SubscriptionEntry) -> Result<(), EngineError> {
        self.move_due(key, entry.indexed(), entry.due(), lane_of_subscriptions);
        self.put(Kind::Subscriptions, *key, entry.encode()?);
        Ok(())
    }

    /// Removes a subscription.
    pub fn remove_subscription(&mut self, key: &Id, entry: &SubscriptionEntry) {
        self.move_due(key, entry.indexed(), Due::default(), lane_of_subscriptions);
        self.remove(Kind::Subscriptions, *key);
        self.leave_traces(Traces::OfErased);
    }

    fn move_due(&mut self, id: &Id, before: Due, after: Due, number: fn(Lane) -> u8) {
        for lane in Lane::ALL {
            let (before, after) = (before.of(lane), after.of(lane));
            if before == after {
                continue;
            }
            if let Some(before) = before {
                self.remove(Kind::Due, due_key(number(lane), millis(before), id));
            }
            if let Some(after) = after {
                self.put(Kind::Due, due_key(number(lane), millis(after), id), Value::new());
                self.effects.has_due = true;
            }
        }
    }

    /// Remembers an idempotency key, in place of what was known of it.
    pub fn put_key(&mut self, name: &KeyName, before: Option<&KeyEntry>, entry: &KeyEntry) {
        if let Some(before) = before {
            self.remove(Kind::Expiries, expiry_key(before.expires_at, name));
        }
        self.put(Kind::Expiries, expiry_key(entry.expires_at, name), Value::new());
        self.put(Kind::Keys, *name, entry.encode());
    }

    /// Returns whether a mailbox may be sent one more mail of its kind, and counts it if so.
    pub fn may_send(&mut self, quota: &ConfirmationQuota) -> bool {
        let memory = &mut *self.memory;
        let may_send = match memory.sent.get(&quota.key) {
            Some(sent) => sent.may_send(quota, self.now),
            None => memory.sent.len() < MAX_MAILBOXES,
        };
        if may_send {
            let now = millis(self.now);
            let sent = memory.sent.entry(quota.key).or_default();
            sent.note(now);
            memory.sent_until = memory.sent_until.max(now);
            let count = sent.0.iter().filter(|&&at| at == now).count();
            let count = u8::try_from(count).unwrap_or(u8::MAX);
            self.put(Kind::Confirmations, confirmation_key(now, &quota.key), [count]);
        }
        may_send
    }

    /// Returns the time that a fact says; `None` if it is not noted.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn noted(&self, fact: Fact) -> Result<Option<Timestamp>, EngineError> {
        Ok(reads::fact(self, fact.name())?.map(to_time))
    }

    /// Returns everything that is noted.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn facts(&self) -> Result<BTreeMap<String, u64>, EngineError> {
        reads::facts(self)
    }

    /// Notes a fact, or that it is no longer true.
    pub fn note(&mut self, name: impl Into<String>, value: Option<u64>) {
        let value = value.map(|value| value.to_be_bytes().to_vec());
        self.set(Kind::Facts, name.into().into_bytes(), value);
    }

    /// Notes that reviews have changed, and, if that concerns what is published, that what is known of them is out of date, here and in
    /// other instances: all inquiries are read for that, which a visitor's word alone must not bring about.
    pub fn note_reviews(&mut self, is_published: bool) {
        self.note(Fact::ReviewsWritten.name(), Some(millis(self.now)));
        if is_published {
            self.note(Fact::Reviews.name(), Some(millis(self.now)));
            self.effects.touches_reviews = true;
        }
    }

    /// Notes that something was erased.
    pub fn note_erased(&mut self, id: &Id) {
        self.put(Kind::Erased, *id, millis(self.now).to_be_bytes());
        self.leave_traces(Traces::OfErased);
    }

    /// Notes that removed data may leave traces.
    pub fn leave_traces(&mut self, traces: Traces) {
        self.effects.traces = self.effects.traces.max(Some(traces));
    }

    /// Returns the inquiries or subscriptions for which something is due, most overdue first, with the time.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn due(&self, lane: u8, limit: usize) -> Result<Vec<(u64, Id)>, EngineError> {
        self.due_of(lane, limit, |_| true)
    }

    /// As [`Self::due`], of those that are meant.
    ///
    /// # Errors
    /// As there.
    pub fn due_of(
        &self,
        lane: u8,
        limit: usize,
        is_meant: impl Fn(&Id) -> bool,
    ) -> Result<Vec<(u64, Id)>, EngineError> {
        let mut span = Span::prefix(Kind::Due, &[lane]);
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

    /// Returns when something is due next in a lane, after now.
    ///
    /// # Errors
    /// When that cannot be read.
    pub fn next_due(&self, lane: u8) -> Result<Option<u64>, EngineError> {
        let mut span = Span::prefix(Kind::Due, &[lane]);
        span.from = due_key(lane, millis(self.now) + 1, &Id::default());
        let next = self.page(&span, 1)?.pop();
        next.map(|(key, _)| Ok(parts_of_due(&key)?.0)).transpose()
    }
}

/// Returns random bits.
///
/// # Errors
/// When the system gives none.
pub fn random<const BYTES: usize>() -> Result<[u8; BYTES], EngineError> {
    let mut bytes = [0; BYTES];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| EngineError::Failed(format!("the system gives no random bits: {error}")))?;
    Ok(bytes)
}

/// Returns the number of a lane in the index, for inquiries. Numbers are part of the format: never give one a new meaning.
pub fn lane_of_inquiries(lane: Lane) -> u8 {
    match lane {
        Lane::Clock => 0,
        Lane::Mail => 1,
        Lane::Webhook => 2,
    }
}

/// As [`lane_of_inquiries`], for subscriptions.
pub fn lane_of_subscriptions(lane: Lane) -> u8 {
    3 + lane_of_inquiries(lane)
}

/// Returns what a key of the index says behind its lane: the time, and the inquiry or subscription.
fn parts_of_due(key: &[u8]) -> Result<(u64, Id), EngineError> {
    let rest = key.get(1..).unwrap_or_default();
    let (at, id_of) = rest
        .split_at_checked(8)
        .ok_or(EngineError::Damaged("what is due cannot be read"))?;
    Ok((number(at)?, id(id_of)?))
}

impl View for Tx<'_> {
    fn get(&self, kind: Kind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        match self.changes.0.get(&kind).and_then(|changed| changed.get(key)) {
            Some(changed) => Ok(changed.clone()),
            None => self.turn.get(kind, key),
        }
    }

    /// Merges what is stored with what was changed, in the order of the span.
    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        let changed = self.changes.0.get(&span.kind);
        let mut new: Vec<(&Key, &Value)> = changed
            .into_iter()
            .flatten()
            .filter(|(key, _)| span.contains(key))
            .filter_map(|(key, change)| Some((key, change.as_ref()?)))
            .collect();
        let Some(changed) = changed.filter(|changed| !changed.is_empty()) else {
            return self.turn.page(span, limit);
        };
        // The next one is at the end.
        if !span.is_reversed {
            new.reverse();
        }
        let is_before = |one: &Key, other: &Key| (one < other) != span.is_reversed;
        let mut page = Vec::new();
        let mut add_new = |page: &mut Vec<_>, until: Option<&Key>| {
            while page.len() < limit
                && let Some((key, value)) =
                    new.pop_if(|(key, _)| until.is_none_or(|until| is_before(key, until)))
            {
                page.push((key.clone(), value.clone()));
            }
        };
        scan(self.turn, span.clone(), |key, value| {
            add_new(&mut page, Some(&key));
            if page.len() < limit && !changed.contains_key(&key) {
                page.push((key, value));
            }
            Ok::<_, EngineError>(page.len() < limit)
        })?;
        add_new(&mut page, None);
        Ok(page)
    }

    fn count(&self, kind: Kind) -> Result<u64, EngineError> {
        self.turn.count(kind)
    }
}
