//! Making the file: whole and under another name first, so that nothing half-made ever has the real one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use redb::backends::FileBackend;
use redb::{Database, StorageBackend, WriteTransaction};

use super::error::attempt;
use super::{OpenError, directory, open, schema};

/// A file just made, in its place.
pub struct New {
    /// The file, open.
    pub database: Database,
    /// Whether its name is durable; else a power cut can bring back the one before.
    pub named: io::Result<()>,
}

/// Makes a file without inquiries.
pub fn empty(data_dir: &Path, turn: &File) -> Result<(), OpenError> {
    let made = make(&InDirectory { data_dir, turn }, |_| Ok(())).and_then(|new| Ok(new.named?));
    made.map_err(|error| open::explain(data_dir, error))
}

/// Makes a file with what `content` writes in the place of the one that is there. Who has that one open keeps it as it
/// was.
///
/// # Errors
/// The outer one when nothing may be made in the directory now, the inner one when the file could not be made.
pub fn replace(
    data_dir: &Path,
    content: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
) -> Result<Result<New, redb::Error>, OpenError> {
    let path = directory::file(data_dir);
    // Of a link only the link would be replaced.
    if path.is_symlink() {
        return Err(OpenError::Link(path));
    }
    let turn = &directory::turn(data_dir)?;
    remove_leftover(data_dir)?;
    Ok(make(&InDirectory { data_dir, turn }, content))
}

/// Removes what a crash left of a file that was being made.
pub fn remove_leftover(data_dir: &Path) -> Result<(), OpenError> {
    let new = directory::new_file(data_dir);
    match fs::remove_file(&new) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(open::refused(&new, error)),
        _ => Ok(()),
    }
}

/// What is asked of the file system, in this order; tests have one of their own.
pub trait Making {
    /// Where the content goes.
    type Content: StorageBackend;
    /// Makes a file under the other name.
    fn create(&self) -> Result<Self::Content, redb::Error>;
    /// Makes the file durable.
    fn sync(&self) -> io::Result<()>;
    /// Gives it the real name.
    fn rename(&self) -> io::Result<()>;
    /// Makes the name durable.
    fn sync_name(&self) -> io::Result<()>;
    /// Removes what could not be made.
    fn remove(&self);
}

/// Makes the file with what `content` writes.
///
/// # Errors
/// When the file with the real name is the one before, now and after a power cut.
pub fn make(
    making: &impl Making,
    content: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
) -> Result<New, redb::Error> {
    let made = attempt(|| {
        let database = open::on(making.create()?)?;
        schema::create(&database)?;
        schema::commit(&database, content)?;
        making.sync()?;
        making.rename()?;
        let named = making.sync_name();
        Ok(New { database, named })
    });
    made.inspect_err(|_| making.remove())
}

struct InDirectory<'a> {
    data_dir: &'a Path,
    turn: &'a File,
}

impl Making for InDirectory<'_> {
    type Content = FileBackend;

    fn create(&self) -> Result<FileBackend, redb::Error> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(directory::FILE_MODE)
            .open(directory::new_file(self.data_dir))?;
        Ok(FileBackend::new(file)?)
    }

    fn sync(&self) -> io::Result<()> {
        File::open(directory::new_file(self.data_dir))?.sync_all()
    }

    fn rename(&self) -> io::Result<()> {
        fs::rename(directory::new_file(self.data_dir), directory::file(self.data_dir))
    }

    fn sync_name(&self) -> io::Result<()> {
        self.turn.sync_all()
    }

    fn remove(&self) {
        // What cannot be removed now is removed at the next start.
        let _ = fs::remove_file(directory::new_file(self.data_dir));
    }
}
