//! Creating the file: complete and under another name first, so that nothing incomplete ever has the real one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;
use redb::{Database, StorageBackend, WriteTransaction};
use rustix::process::geteuid;

use super::directory::{self, DirectoryLock};
use super::error::attempt;
use super::open_error::{OpenError, explain, refused};
use super::{database, migrations};

/// A file that was just created, in its place.
pub struct Replaced {
    /// The file, open.
    pub database: Database,
    /// Whether its name is durable; else a power cut can bring back the one before.
    pub named: io::Result<()>,
}

/// Creates a file without inquiries.
pub fn empty(data_dir: &Path, lock: &DirectoryLock) -> Result<(), OpenError> {
    let files = DirectoryFiles {
        data_dir,
        new: directory::new_file(data_dir),
        lock,
        owner: None,
    };
    let created = create(&files, migrations::create).and_then(|replaced| Ok(replaced.named?));
    created.map_err(|error| explain(data_dir, error))
}

/// Prepares creating a file for the user who has the directory.
///
/// # Errors
/// When the directory cannot be looked at.
pub fn restoring<'a>(
    data_dir: &'a Path,
    lock: &'a DirectoryLock,
) -> Result<impl FileOperations + use<'a>, OpenError> {
    let owner = fs::metadata(data_dir).map_err(|error| refused(data_dir, error))?;
    Ok(in_directory(data_dir, lock, &owner))
}

fn in_directory<'a>(data_dir: &'a Path, lock: &'a DirectoryLock, owner: &fs::Metadata) -> DirectoryFiles<'a> {
    DirectoryFiles {
        data_dir,
        new: directory::new_file(data_dir),
        lock,
        owner: Some((owner.uid(), owner.gid())),
    }
}

/// Creates a file that a copy will replace, with what `content` writes, for the user who has the directory. Its name says from the
/// first moment on that the copy is not finished.
///
/// # Errors
/// When what is there is as it was.
pub fn copying(
    data_dir: &Path,
    lock: &DirectoryLock,
    content: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
) -> Result<Replaced, redb::Error> {
    let owner = fs::metadata(data_dir)?;
    let files = DirectoryFiles {
        new: directory::copying_file(data_dir),
        ..in_directory(data_dir, lock, &owner)
    };
    replace_by(&files, content)
}

/// Creates a file with what `content` writes, for the user who has the directory.
///
/// # Errors
/// When what is there is as it was.
pub fn restored(
    data_dir: &Path,
    lock: &DirectoryLock,
    content: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
) -> Result<Replaced, redb::Error> {
    let owner = fs::metadata(data_dir)?;
    replace_by(&in_directory(data_dir, lock, &owner), content)
}

/// Creates a file with what `content` writes, in the place and with the owner of the one that is there. Readers of that
/// one keep it as it was.
///
/// # Errors
/// The outer one when nothing may be created in the directory now, the inner one when the file could not be written.
pub fn replace(
    data_dir: &Path,
    lock: &DirectoryLock,
    content: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
) -> Result<Result<Replaced, redb::Error>, OpenError> {
    let path = directory::file(data_dir);
    let old = fs::symlink_metadata(&path).map_err(|error| refused(&path, error))?;
    // Only the link would be replaced.
    if old.is_symlink() {
        return Err(OpenError::Link(path));
    }
    remove_leftover(data_dir)?;
    let files = in_directory(data_dir, lock, &old);
    Ok(replace_by(&files, content))
}

/// Removes a file that a crash left incomplete.
pub fn remove_leftover(data_dir: &Path) -> Result<(), OpenError> {
    remove(&directory::new_file(data_dir))
}

/// Removes what an interrupted copy has left of its beginning.
pub fn remove_copying(data_dir: &Path) -> Result<(), OpenError> {
    remove(&directory::copying_file(data_dir))
}

fn remove(path: &Path) -> Result<(), OpenError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(refused(path, error)),
        _ => Ok(()),
    }
}

/// What is asked of the file system, in this order; tests have one of their own.
pub trait FileOperations {
    /// Where the content goes.
    type Storage: StorageBackend;
    /// Creates a file under the other name.
    fn create(&self) -> Result<Self::Storage, redb::Error>;
    /// Makes the file durable.
    fn sync(&self) -> io::Result<()>;
    /// Gives it the real name.
    fn rename(&self) -> io::Result<()>;
    /// Makes the name durable.
    fn sync_name(&self) -> io::Result<()>;
    /// Removes a file that could not be completed.
    fn remove(&self);
}

/// Creates the file with today's tables and what `content` writes into them.
///
/// # Errors
/// When the file with the real name is the one before, now and after a power cut.
pub fn replace_by(
    files: &impl FileOperations,
    content: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
) -> Result<Replaced, redb::Error> {
    create(files, |database| {
        migrations::create(database)?;
        migrations::commit(database, content)
    })
}

fn create(
    files: &impl FileOperations,
    content: impl FnOnce(&Database) -> Result<(), redb::Error>,
) -> Result<Replaced, redb::Error> {
    let created = attempt(|| {
        let database = database::open(files.create()?)?;
        content(&database)?;
        files.sync()?;
        files.rename()?;
        let named = files.sync_name();
        Ok(Replaced { database, named })
    });
    created.inspect_err(|_| files.remove())
}

struct DirectoryFiles<'a> {
    data_dir: &'a Path,
    /// The other name.
    new: PathBuf,
    lock: &'a DirectoryLock,
    /// User and group of the file that is replaced.
    owner: Option<(u32, u32)>,
}

impl FileOperations for DirectoryFiles<'_> {
    type Storage = FileBackend;

    fn create(&self) -> Result<FileBackend, redb::Error> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(directory::FILE_MODE)
            .open(&self.new)?;
        if let Some((uid, gid)) = self.owner {
            give(&file, uid, gid)?;
        }
        Ok(FileBackend::new(file)?)
    }

    fn sync(&self) -> io::Result<()> {
        File::open(&self.new)?.sync_all()
    }

    fn rename(&self) -> io::Result<()> {
        fs::rename(&self.new, directory::file(self.data_dir))
    }

    fn sync_name(&self) -> io::Result<()> {
        self.lock.sync()
    }

    fn remove(&self) {
        // What cannot be removed now is removed at the next start.
        let _ = fs::remove_file(&self.new);
    }
}

/// Gives a file to a user and a group. root erases while no server runs, and the server must be able to open the file
/// afterwards.
pub fn give(file: &File, uid: u32, gid: u32) -> io::Result<()> {
    let is = file.metadata()?;
    if is.uid() != uid {
        return match fchown(file, Some(uid), Some(gid)) {
            // Only root may give files away. What another user could replace, it can open as its own.
            Err(error) if error.kind() == ErrorKind::PermissionDenied && !geteuid().is_root() => Ok(()),
            other => other,
        };
    }
    if is.gid() != gid {
        // The mode keeps the group out anyway.
        let _ = fchown(file, None, Some(gid));
    }
    Ok(())
}
