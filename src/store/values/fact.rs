//! Facts about the store.

/// Begins the names of facts that say until when a firm is paused; its id ends them.
pub const PAUSE_PREFIX: &str = "paused:";

/// Begins the names of facts that say since when a firm's address is refused; its id and the digest of the address end them.
pub const UNREACHABLE_PREFIX: &str = "unreachable:";

/// A fact about the store, kept by its name as a time in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// When a health check has written last.
    Health,
    /// When the last backup was made.
    Backup,
    /// When the store was restored from a backup, as long as what was due then is held.
    Suspended,
    /// The last time that was believed.
    Clock,
    /// Since when the clock has not been believed, by its own time.
    ClockDoubted,
    /// The morning of the operator's last digest.
    Digest,
    /// When the operator was told last, or is told next, that inquiries wait since they may be robots'.
    SuspectedTold,
    /// When what is published of reviews changed last; absent as long as nothing was.
    Reviews,
    /// When any review was written, changed, judged or removed last; absent as long as none was.
    ReviewsWritten,
}

impl Fact {
    /// Returns the name by which it is kept.
    pub fn name(self) -> &'static str {
        match self {
            Self::Health => "health",
            Self::Backup => "backup",
            Self::Suspended => "held",
            Self::Clock => "clock",
            Self::ClockDoubted => "clock_doubted",
            Self::Digest => "digest",
            Self::SuspectedTold => "suspected_told",
            Self::Reviews => "reviews",
            Self::ReviewsWritten => "reviews_written",
        }
    }
}

/// Returns whether a fact is kept when a store is copied or restored: what it says is true of the copy, too.
pub fn is_copied(name: &str) -> bool {
    let reviews = [Fact::Reviews, Fact::ReviewsWritten];
    let is_of_firm = [PAUSE_PREFIX, UNREACHABLE_PREFIX]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    is_of_firm || reviews.iter().any(|fact| fact.name() == name)
}
