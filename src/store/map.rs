//! The interface of an engine: an ordered map of bytes for each kind of entry, read as of one moment and changed by one writer at a
//! time. Operations, indexes, leases, and backups are written once, on top of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

/// The key of an entry. Keys sort like their parts: numbers are big-endian, and only the last part has a variable length.
pub type Key = Vec<u8>;

/// The value of an entry.
pub type Value = Vec<u8>;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $label:literal;)*) => {
        /// A kind of entry, and the engine's table that holds it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EntryKind {
            $($(#[$doc])* $kind,)*
        }

        impl EntryKind {
            /// All kinds, in the order in which they are copied.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// The name shown to operators.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$kind => $label,)*
                }
            }

            /// The name of its table.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// Name → bytes: the secret from which tokens are derived.
    Secrets = "secrets", "secrets";
    /// Name → number: pauses, sessions of the desk, times of digests and backups.
    Facts = "facts", "facts";
    /// Inquiry → inquiry, referral and leases.
    Inquiries = "inquiries", "inquiries";
    /// Digest of an idempotency key → tag, inquiry, expiry.
    Keys = "keys", "idempotency keys";
    /// Expiry, digest of an idempotency key → nothing; derived from [`EntryKind::Keys`].
    Expiries = "expiries", "expiries of idempotency keys";
    /// Lane, time, inquiry or subscription → nothing; derived from these.
    Due = "due", "what is due";
    /// Firm → when it was last asked.
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
    /// Inquiry or subscription → when it was erased. An engine whose tables may be rolled back with an old copy of its file keeps
    /// this one separately, and makes it durable before anything else in the same commit. Append-only.
    Erased = "erased", "erased ids";
    /// Name → ACME account, certificate, or answer to a challenge.
    Acme = "acme", "acme";
    /// Instance → number of its last batch; only where several instances write.
    Writers = "writers", "writers";
}

impl EntryKind {
    /// Whether its entries are derived from others or apply only to this store. Backups and copies leave them out.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Expiries | Self::Due | Self::Acme | Self::Writers)
    }
}

/// Returns the current time; tests pass their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Why a store could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// [`Engine::reopen`] may help. The outcome of a commit in flight is unknown.
    #[error("{0}")]
    Lost(String),
    /// The store refuses the call, and reopening does not help.
    #[error("{0}")]
    Failed(String),
    /// A value cannot be decoded; names the value.
    #[error("{0}")]
    Damaged(&'static str),
}

/// The entries of a kind from one key up to, but excluding, another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Their kind.
    pub kind: EntryKind,
    /// The lowest key.
    pub from: Key,
    /// The first key after the span; `None` for no upper limit.
    pub before: Option<Key>,
    /// Whether the greatest key comes first.
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

    /// The entries whose keys start with `prefix`.
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

    /// The entries from a key onwards.
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

    /// The same entries, greatest key first.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            is_reversed: true,
            ..self
        }
    }

    /// The entries that remain after `key` has been read.
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

    /// Whether the span cannot contain any key.
    pub fn is_empty(&self) -> bool {
        self.before.as_ref().is_some_and(|before| *before <= self.from)
    }

    /// Returns the first `limit` of its entries, given in the order of their keys.
    pub fn first<T, C: FromIterator<T>>(
        &self,
        entries: impl DoubleEndedIterator<Item = T>,
        limit: usize,
    ) -> C {
        if self.is_reversed {
            entries.rev().take(limit).collect()
        } else {
            entries.take(limit).collect()
        }
    }

    /// Whether the span contains a key.
    pub fn contains(&self, key: &[u8]) -> bool {
        key >= self.from.as_slice() && self.before.as_ref().is_none_or(|before| key < before.as_slice())
    }
}

/// The contents of a store at one moment.
pub trait View {
    /// Returns the value of a key.
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError>;

    /// Returns the first `limit` entries of a span.
    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError>;
}

/// Calls `each` for the entries of a span in order, in constant memory, until it returns `false`.
///
/// # Errors
/// When they cannot be read, or `each` fails.
pub fn scan<E: From<EngineError>>(
    view: &dyn View,
    mut span: Span,
    mut each: impl FnMut(Key, Value) -> Result<bool, E>,
) -> Result<(), E> {
    // Photos are a thousand times as large as other values, most of which are a tenth of an inquiry.
    let limit = match span.kind {
        EntryKind::Photos => 8,
        EntryKind::Inquiries => 256,
        _ => 1024,
    };
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
    }
}

/// Collects the results of `read` for each entry of a span.
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

/// New values of keys, in key order; `None` removes the key.
#[derive(Debug, Clone, Default)]
pub struct Changes(pub BTreeMap<EntryKind, BTreeMap<Key, Option<Value>>>);

impl Changes {
    /// Puts or removes an entry.
    pub fn set(&mut self, kind: EntryKind, key: Key, change: Option<Value>) {
        self.0.entry(kind).or_default().insert(key, change);
    }

    /// Whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(BTreeMap::is_empty)
    }
}

/// A writer's turn: a view that no other writer can change until the turn ends. Dropping it changes nothing.
pub trait WriterTurn: View {
    /// Milliseconds since 1970 on the clock that all instances share.
    fn now(&self) -> u64;

    /// Whether another instance has written since this writer's last turn, so that cached state may be stale.
    fn others_have_written(&self) -> bool;

    /// Commits all changes durably or none; ends the turn at once if there are none. After [`EngineError::Lost`] the outcome is
    /// unknown until the next turn.
    fn commit(self: Box<Self>, changes: Changes) -> Result<(), EngineError>;
}

/// A store of entries.
pub trait Engine: Send + Sync {
    /// Opens a view. With `is_fixed` it shows one moment for as long as it is read; otherwise each read may show a later one.
    fn view(&self, is_fixed: bool) -> Result<Box<dyn View + Send>, EngineError>;

    /// Waits for the writer's turn. The keys that will be looked up in it are only a hint, with which a remote engine fetches
    /// their values in one round trip: a missing key only costs time.
    fn turn(&self, wanted: &[(EntryKind, Key)]) -> Result<Box<dyn WriterTurn + '_>, EngineError>;

    /// Puts entries into a store that is being filled. They become durable with the next commit of a turn. Without one, some of
    /// them may still be stored.
    fn fill(&self, entries: Changes) -> Result<(), EngineError> {
        self.turn(&[])?.commit(entries)
    }

    /// Finishes filling, durably: moves a file that was filled under another name into its place.
    fn end_fill(&self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Milliseconds since 1970 on the clock that all instances share, as well as it is known without waiting.
    fn now(&self) -> u64;

    /// The id of this writer among those of a database; `None` for an engine with a single writer. Constant for the life of the
    /// engine.
    fn writer(&self) -> Option<[u8; 16]>;

    /// Warnings for the operator about its files.
    fn warnings(&self) -> &[String] {
        &[]
    }

    /// Reopens the file or connection after [`EngineError::Lost`], without waiting: on success the next turn is worth trying, on
    /// failure callers are refused. Pending turns and views are lost.
    fn reopen(&self) -> Result<(), EngineError>;

    /// Closes the file or the connections and releases the store to others. Every later call fails.
    fn close(&self);

    /// Fails if others would no longer find the open file because it was moved or deleted. Called before each turn, after each
    /// commit, and every few seconds, so it must be quick.
    fn check(&self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Verifies the checksums of a file's pages, which no other read does; returns whether they are right.
    fn is_intact(&self) -> Result<bool, EngineError> {
        Ok(true)
    }

    /// How many bytes [`Self::wipe`] has to read; `None` if removed values leave nothing behind after a commit, so that it need not
    /// be called.
    fn wipe_size(&self) -> Option<u64> {
        None
    }

    /// Erases every byte of removed or replaced values. Calls `step` now and then to show that the disk responds.
    fn wipe(&self, _step: &dyn Fn()) -> Result<(), EngineError> {
        Ok(())
    }
}
