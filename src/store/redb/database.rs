//! Opening a redb database, whatever is in it.

use redb::{Builder, Database, StorageBackend};

/// Memory for pages of the file. A million inquiries take the same CPU time to insert with 8 and with 16 MiB,
/// since they all go to the end of the file; the process then peaks at 18 and at 27 MB (`benches/store.rs`).
pub const CACHE_BYTES: usize = 8 << 20;

/// Opens whatever a storage holds; an empty one becomes a database without tables.
pub fn open(storage: impl StorageBackend) -> Result<Database, redb::Error> {
    Ok(builder().create_with_backend(storage)?)
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}
