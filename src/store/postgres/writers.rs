//! Who writes, and what each has committed last: where the connection was lost after sending COMMIT, that tells whether it happened.

/// Makes a writer known, so that its row can be locked.
pub const KNOWN: &str =
    "INSERT INTO writers (id, batch, attempt, seen_at) VALUES ($1, 0, 0, now()) ON CONFLICT (id) DO NOTHING";

/// Reads what a writer has committed last, once nothing of it is under way any more.
pub const LAST: &str = "SELECT batch, attempt FROM writers WHERE id = $1 FOR UPDATE";

/// Notes a batch in the transaction that commits it; that it was committed before is an error. `schema_2.sql` says why.
pub const COMMITTED: &str = "SELECT note_batch($1, $2, $3, $4)";

/// Forgets a writer that writes no more.
pub const LEFT: &str = "DELETE FROM writers WHERE id = $1";
