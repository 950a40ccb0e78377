//! The names that both sides of the control socket use.

/// Path of the inquiries; `since` and `until` in the query narrow them down, `suspected` (`included` or `only`) asks for
/// those that are otherwise left out.
pub const INQUIRIES: &str = "/inquiries";

/// Path of everything that is known of inquiries, also of those that were withdrawn or erased; narrowed down likewise.
pub const DOSSIERS: &str = "/dossiers";

/// Path of the subscriptions to the newsletter.
pub const SUBSCRIPTIONS: &str = "/subscriptions";

/// Path of an erasure: a POST names the inquiries, the response says how many were erased.
pub const ERASURE: &str = "/erasure";

/// Path of a backup.
pub const BACKUP: &str = "/backup";

/// Header of the response: how many inquiries the snapshot holds, in all.
pub const TOTAL: &str = "x-total-count";

/// Trailer of the response: how many suspected inquiries of the range were left out.
pub const LEFT_OUT: &str = "x-left-out";
