//! Backups: everything in a store as of one moment, in one file that shows any damage, whatever the engine.

mod file;
mod format;
mod stream;

pub use file::Backup;
pub use format::check_head;
pub use stream::{Packer, UnpackError, Unpacker};
