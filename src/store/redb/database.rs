//! Opening a redb database, whatever is in it.

use redb::{Builder, Database, StorageBackend};

/// Memory for pages of the file. A million inquiries take the same CPU time to insert with 8 and with 16 MiB,
/// since they all go to the end of the file; the process then peaks at 18 and at 27 MB (`benches/store.rs`).
pub const CACHE_BYTES: usize = 8 << 20;

/// Memory for pages of a file that is read once, from its begin to its end.
const PASSING_BYTES: usize = 1 << 20;

/// Opens whatever a storage holds; an empty one becomes a database without tables.
pub fn open(storage: impl StorageBackend) -> Result<Database, redb::Error> {
    with_cache(storage, CACHE_BYTES)
}

/// Opens what a storage holds to read it once.
pub fn open_passing(storage: impl StorageBackend) -> Result<Database, redb::Error> {
    with_cache(storage, PASSING_BYTES)
}

fn with_cache(storage: impl StorageBackend, bytes: usize) -> Result<Database, redb::Error> {
    let mut builder = Builder::new();
    builder.set_cache_size(bytes);
    Ok(builder.create_with_backend(storage)?)
}
