//! What an engine is: an ordered map of bytes for each kind of entry, read as of one moment and changed by one writer at a time.
//! Operations, indexes, leases, backups and everything else are written once, above it.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

/// The key of an entry. Keys sort as their parts do: numbers are big-endian, and only the last part has no fixed length.
pub type Key = Vec<u8>;

/// The value of an entry.
pub type Value = Vec<u8>;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $label:literal;)*) => {
        /// A kind of entry, and the table of an engine that holds it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EntryKind {
            $($(#[$doc])* $kind,)*
        }

        impl EntryKind {
            /// All of them, in the order in which they are copied.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// Names it for an operator.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$kind => $label,)*
                }
            }

            /// Returns the name of its table.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// Name → bytes: the secret from which tokens follow.
    Secrets = "secrets", "secrets";
    /// Name → number: pauses, sessions of the desk, times of digests and backups.
    Facts = "facts", "facts";
    /// Inquiry → inquiry, referral and leases.
    Inquiries = "inquiries", "inquiries";
    /// Digest of an idempotency key → tag, inquiry, expiry.
    Keys = "keys", "idempotency keys";
    /// Expiry, digest of an idempotency key → nothing; follows from [`EntryKind::Keys`].
    Expiries = "expiries", "expiries of idempotency keys";
    /// Lane, time, inquiry or subscription → nothing; follows from these.
    Due = "due", "what is due";
    /// Firm → when it was asked lately.
    Asks = "asks", "turns of firms";
    /// Time, digest of a mailbox → how many confirmations it was sent.
    Confirmations = "confirmations", "confirmations";
    /// Day, name → number.
    Counts = "counts", "counts";
    /// Digest of an address → subscription to the newsletter, and its lease.
    Subscriptions = "subscriptions", "subscriptions";
    /// Inquiry, firm → acceptance.
    Ledger = "ledger", "acceptances";
    /// Month → closing.
    Closings = "closings", "closed months";
    /// Inquiry, number, size → JPEG.
    Photos = "photos", "photos";
    /// Inquiry or subscription → when it was erased. An engine whose other tables may come back with an old copy of a file keeps
    /// this one apart from them, and makes it durable before what else is committed with it. Entries are only added.
    Erased = "erased", "erased ids";
    /// Name → ACME account, certificate, or answer to a challenge.
    Acme = "acme", "acme";
    /// Instance → number of its last batch; only where several instances write.
    Writers = "writers", "writers";
}

impl EntryKind {
    /// Returns whether its entries follow from others, or concern this store alone. Backups and copies leave them out.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Expiries | Self::Due | Self::Acme | Self::Writers)
    }
}

/// Tells the time; tests have their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Why a store was not read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// [`Engine::reopen`] may help. Nobody knows whether a commit that was under way was made.
    #[error("{0}")]
    Lost(String),
    /// The store refuses, and opening it again does not help.
    #[error("{0}")]
    Failed(String),
    /// A value is not what was written; says what cannot be read.
    #[error("{0}")]
    Damaged(&'static str),
}

/// The entries of a kind from one key on and before another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Their kind.
    pub kind: EntryKind,
    /// The least key.
    pub from: Key,
    /// The key behind the greatest; `None` if there is no limit.
    pub before: Option<Key>,
    /// Whether the greatest comes first.
    pub is_reversed: bool,
}

impl Span {
    /// All entries of a kind.
    pub fn all(kind: EntryKind) -> Self {
        Self {
            kind,
            from: Key::new(),
            before: None,
            is_reversed: false,
        }
    }

    /// The entries whose keys begin with some bytes.
    pub fn prefix(kind: EntryKind, prefix: &[u8]) -> Self {
        let mut before = prefix.to_vec();
        while before.last() == Some(&u8::MAX) {
            before.pop();
        }
        let before = before
            .last_mut()
            .map(|last| *last += 1)
            .is_some()
            .then_some(before);
        Self {
            from: prefix.to_vec(),
            before,
            ..Self::all(kind)
        }
    }

    /// The entries from a key on.
    pub fn from(kind: EntryKind, from: impl Into<Key>) -> Self {
        Self {
            from: from.into(),
            ..Self::all(kind)
        }
    }

    /// The entries before a key.
    pub fn before(kind: EntryKind, before: impl Into<Key>) -> Self {
        Self {
            before: Some(before.into()),
            ..Self::all(kind)
        }
    }

    /// The same entries, the greatest first.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            is_reversed: true,
            ..self
        }
    }

    /// The entries that are left once one of them was read.
    #[must_use]
    pub fn after(self, key: &[u8]) -> Self {
        if self.is_reversed {
            return Self {
                before: Some(key.to_vec()),
                ..self
            };
        }
        let mut from = key.to_vec();
        from.push(0);
        Self { from, ..self }
    }

    /// Returns whether no key can be in it.
    pub fn is_empty(&self) -> bool {
        self.before.as_ref().is_some_and(|before| *before <= self.from)
    }

    /// Returns whether it has a key.
    pub fn contains(&self, key: &[u8]) -> bool {
        key >= self.from.as_slice() && self.before.as_ref().is_none_or(|before| key < before.as_slice())
    }
}

/// What a store holds at one moment.
pub trait View {
    /// Returns the value of a key.
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError>;

    /// Returns the first entries of a span, at most so many.
    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError>;
}

/// How many entries are read at once: first few, since callers may have enough, and then more.
const PAGES: (usize, usize) = (32, 512);

/// Calls `each` for the entries of a span in their order, in constant memory, until it returns `false`.
///
/// # Errors
/// When they cannot be read, or `each` fails.
pub fn scan<E: From<EngineError>>(
    view: &dyn View,
    mut span: Span,
    mut each: impl FnMut(Key, Value) -> Result<bool, E>,
) -> Result<(), E> {
    // Photos are a thousand times as large as other values, and most others are a tenth of an inquiry.
    let most = match span.kind {
        EntryKind::Photos => 8,
        EntryKind::Inquiries => PAGES.1,
        _ => 8 * PAGES.1,
    };
    let mut limit = PAGES.0.min(most);
    loop {
        let page = view.page(&span, limit)?;
        let is_last = page.len() < limit;
        if let Some((last, _)) = page.last() {
            span = span.after(last);
        }
        for (key, value) in page {
            if !each(key, value)? {
                return Ok(());
            }
        }
        if is_last {
            return Ok(());
        }
        limit = most;
    }
}

/// Reads all entries of a span by a function.
///
/// # Errors
/// When they cannot be read, or the function fails.
pub fn collect<T, C: Default + Extend<T>>(
    view: &dyn View,
    span: Span,
    read: impl Fn(&[u8], &[u8]) -> Result<T, EngineError>,
) -> Result<C, EngineError> {
    let mut found = C::default();
    scan(view, span, |key, value| {
        found.extend([read(&key, &value)?]);
        Ok::<_, EngineError>(true)
    })?;
    Ok(found)
}

/// Keys that a batch will look up, so that a distant engine can read them in one round trip. A hint: leaving some out costs time alone.
#[derive(Debug, Default)]
pub struct Wanted(pub BTreeMap<EntryKind, Vec<Key>>);

impl Wanted {
    /// Adds a key.
    pub fn add(&mut self, kind: EntryKind, key: impl Into<Key>) {
        self.0.entry(kind).or_default().push(key.into());
    }
}

/// What becomes of keys, in their order: they get a value, or are removed (`None`).
#[derive(Debug, Clone, Default)]
pub struct Changes(pub BTreeMap<EntryKind, BTreeMap<Key, Option<Value>>>);

impl Changes {
    /// Puts or removes an entry.
    pub fn set(&mut self, kind: EntryKind, key: Key, change: Option<Value>) {
        self.0.entry(kind).or_default().insert(key, change);
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(BTreeMap::is_empty)
    }
}

/// A writer's turn: a view that nobody else changes until the turn has ended. Dropping it changes nothing.
pub trait WriterTurn: View {
    /// Returns the milliseconds since 1970 by the clock that all instances share.
    fn now(&self) -> u64;

    /// Returns whether another instance has written since this writer's last turn, so that what it remembers may be out of date.
    fn others_have_written(&self) -> bool;

    /// Makes the changes durable, all or none; ends the turn at once if there are none. After [`EngineError::Lost`] nobody knows
    /// whether they were made; the next turn shows it.
    fn commit(self: Box<Self>, changes: Changes) -> Result<(), EngineError>;
}

/// A store of entries.
pub trait Engine: Send + Sync {
    /// Returns what is there now. `is_fixed`: as of one moment, however long it is read; otherwise of one moment or a later one.
    fn view(&self, is_fixed: bool) -> Result<Box<dyn View + Send>, EngineError>;

    /// Returns how many entries of a kind there are now, or, where counting takes long, about how many.
    fn count(&self, kind: EntryKind) -> Result<u64, EngineError>;

    /// Waits for the writer's turn.
    fn turn(&self, wanted: &Wanted) -> Result<Box<dyn WriterTurn + '_>, EngineError>;

    /// Adds entries, all of whose keys are new, to a store that is being filled. They need not be durable before the next commit of a
    /// turn, and may be there in part if it never comes.
    fn fill(&self, entries: Changes) -> Result<(), EngineError> {
        self.turn(&Wanted::default())?.commit(entries)
    }

    /// Returns the milliseconds since 1970 by the clock that all instances share, as far as that is known without waiting.
    fn now(&self) -> u64;

    /// Names this writer among those of a database; `None` where it is the only one. Fixed for the life of the engine.
    fn writer(&self) -> Option<[u8; 16]>;

    /// Opens file or connection again after [`EngineError::Lost`], at once: where it succeeds, the next turn is worth trying, and
    /// where it fails, callers are refused. Turns and views that were under way are lost.
    fn reopen(&self) -> Result<(), EngineError>;

    /// Closes file or connections, and lets others have the store. Every later call fails.
    fn close(&self);

    /// Fails if what is open is no longer what others would find: a file that was moved or removed. Asked before each turn, after each
    /// commit, and every few seconds. Must be quick.
    fn check(&self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Checks the checksums of a file's pages, which nobody else reads; returns whether they are right.
    fn is_intact(&self) -> Result<bool, EngineError> {
        Ok(true)
    }

    /// Returns how many bytes [`Self::wipe`] has to read; `None` if nothing is left of removed values after a commit, so that it need
    /// not be called.
    fn wipe_size(&self) -> Option<u64> {
        None
    }

    /// Leaves no byte of removed and replaced values; what is there stays. `only_if_sparse`: does nothing unless much space would be
    /// given back. Returns whether it did something. Calls `step` now and then, to show that the disk answers.
    fn wipe(&self, _only_if_sparse: bool, _step: &dyn Fn()) -> Result<bool, EngineError> {
        Ok(false)
    }
}
