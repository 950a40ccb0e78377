//! Who writes, and what each has committed last: where the connection was lost behind COMMIT, that tells whether it happened.

/// Makes a writer known, so that its row can be locked.
pub const KNOWN: &str =
    "INSERT INTO writers (id, batch, attempt, seen_at) VALUES ($1, 0, 0, now()) ON CONFLICT (id) DO NOTHING";

/// Reads what a writer has committed last, once nothing of it is under way any more.
pub const LAST: &str = "SELECT batch, attempt FROM writers WHERE id = $1 FOR UPDATE";

/// The text of [`COMMITTED`], for statements that do more.
macro_rules! committed {
    () => {
        "INSERT INTO writers AS w (id, batch, attempt, seen_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (id) DO UPDATE SET \
         batch = CASE WHEN w.batch < excluded.batch THEN excluded.batch END, \
         attempt = excluded.attempt, seen_at = excluded.seen_at"
    };
}
pub(super) use committed;

/// Notes a batch in the transaction that commits it. A server may come to a transaction only after its writer has given up on
/// the connection and repeated the batch on another one: that a batch was committed before is an error, so that nothing happens
/// twice.
pub const COMMITTED: &str = committed!();

/// Forgets a writer that writes no more.
pub const LEFT: &str = "DELETE FROM writers WHERE id = $1";
