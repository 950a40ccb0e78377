//! Backups: everything in a store as of one moment, in one file that shows any damage, whatever the engine.

mod error;
mod file;
mod format;
mod restoring;
mod stream;

pub use error::BackupError;
pub use file::Backup;
pub use format::check_head;
pub use restoring::{HeldBack, Restored, Restoring};
pub use stream::{Packer, UnpackError, Unpacker};
