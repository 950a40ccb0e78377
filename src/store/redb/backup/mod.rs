//! Backups: a consistent copy of everything in one file that shows any damage.

mod error;
mod format;
mod hold;
mod image;
mod opened;
mod restore;

pub use error::BackupError;
pub use hold::HeldBack;
pub use image::Image;
pub use opened::Backup;
pub use restore::{Restored, Target, put, restore};
