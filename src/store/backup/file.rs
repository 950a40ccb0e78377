//! A backup in a file.

use std::env;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::error::BackupError;
use super::format::{self, BUFFER, HEAD};
use super::stream::{UnpackError, Unpacker};
use crate::files::regular_file;
use crate::store::findings::Findings;
use crate::store::redb::image::{Image, ImageError};
use crate::store::transfer::{Rows, Take};

/// A backup whose checksum is right.
pub struct Backup {
    path: PathBuf,
    made_at: Option<Timestamp>,
    content: Content,
}

enum Content {
    /// Rows, compressed: so many bytes.
    Rows(File, u64),
    /// Of version 1: a file of inquiries, unpacked to one without a name.
    Image(Image),
}

impl Backup {
    /// Reads the head of a backup, and compares its checksum.
    ///
    /// # Errors
    /// When it is not whole, or not a backup.
    pub fn read(path: &Path) -> Result<Self, BackupError> {
        let mut file = regular_file::open(path).map_err(|error| BackupError::unreadable(path, error))?;
        let version = format::check_head(path, &mut file)?;
        let length = format::check_digest(path, &mut file)?;
        let mut backup = Self {
            path: path.to_owned(),
            made_at: None,
            content: Content::Rows(file, length),
        };
        if version == format::IMAGE {
            let image = backup.unpack_image()?;
            backup.made_at = image.made_at();
            backup.content = Content::Image(image);
        } else {
            let path = backup.path.clone();
            backup.made_at = backup.unpacker(|unpacker| Ok(unpacker.made_at()), &path)?;
        }
        Ok(backup)
    }

    /// Returns when it was made, if it says so.
    pub fn made_at(&self) -> Option<Timestamp> {
        self.made_at
    }

    /// Reads all rows.
    ///
    /// # Errors
    /// When one is damaged, or nobody takes them.
    pub fn read_rows(&mut self, rows: &mut Rows, take: Take<'_>) -> Result<(), BackupError> {
        let path = self.path.clone();
        match &mut self.content {
            Content::Image(image) => image
                .read(rows, take)
                .map_err(|error| explain_image(&path, error)),
            Content::Rows(..) => self.unpacker(|unpacker| unpacker.read(rows, take), &path),
        }
    }

    /// Reads every record.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn check(&mut self) -> Result<Findings, BackupError> {
        let mut rows = Rows::checking(Timestamp::now());
        self.read_rows(&mut rows, &mut |_| Ok(()))?;
        Ok(rows.into_findings())
    }

    /// Makes sure that every record can be read.
    ///
    /// # Errors
    /// When one is damaged.
    pub fn must_be_whole(&mut self) -> Result<(), BackupError> {
        match self.check()?.damaged.first() {
            None => Ok(()),
            Some(first) => Err(BackupError::damaged(&self.path, first)),
        }
    }

    /// Reads the content once more.
    fn unpacker<T>(
        &mut self,
        read: impl FnOnce(Unpacker<'_, BufReader<io::Take<&mut File>>>) -> Result<T, UnpackError>,
        path: &Path,
    ) -> Result<T, BackupError> {
        let content = self.packed()?;
        Unpacker::new(content)
            .and_then(read)
            .map_err(|error| match error {
                UnpackError::Damaged(reason) => BackupError::damaged(path, &reason),
                UnpackError::Newer => BackupError::NewerRecords(path.to_owned()),
                UnpackError::Untaken => BackupError::Untaken,
            })
    }

    /// Returns what stands between head and checksum, from its beginning.
    fn packed(&mut self) -> Result<BufReader<io::Take<&mut File>>, BackupError> {
        let Content::Rows(file, length) = &mut self.content else {
            return Err(BackupError::damaged(&self.path, "it has no rows"));
        };
        let sought = file.seek(SeekFrom::Start(HEAD as u64));
        sought.map_err(|error| BackupError::unreadable(&self.path, error))?;
        Ok(BufReader::with_capacity(BUFFER, file.take(*length)))
    }

    /// Unpacks a backup of version 1 beside it, or else in the directory for temporary files.
    fn unpack_image(&mut self) -> Result<Image, BackupError> {
        let path = self.path.clone();
        let beside = path.parent().filter(|beside| !beside.as_os_str().is_empty());
        let scratch = tempfile::tempfile_in(beside.unwrap_or(Path::new(".")))
            .or_else(|_| tempfile::tempfile_in(env::temp_dir()));
        let mut scratch = scratch.map_err(BackupError::Scratch)?;
        let damaged = |error: io::Error| BackupError::damaged(&path, &error.to_string());
        let mut unpacked = zstd::Decoder::with_buffer(self.packed()?).map_err(damaged)?;
        let mut buffer = vec![0; BUFFER];
        loop {
            let read = unpacked.read(&mut buffer).map_err(damaged)?;
            match buffer.get(..read) {
                Some(part) if !part.is_empty() => {
                    io::Write::write_all(&mut scratch, part).map_err(BackupError::Scratch)?;
                }
                _ => return Image::open(scratch).map_err(|error| explain_image(&path, error)),
            }
        }
    }
}

fn explain_image(path: &Path, error: ImageError) -> BackupError {
    match error {
        ImageError::Foreign => BackupError::Foreign(path.to_owned()),
        ImageError::Newer { found, known } => BackupError::Newer {
            path: path.to_owned(),
            found,
            known,
        },
        ImageError::Damaged(reason) => BackupError::damaged(path, &reason),
        ImageError::Untaken => BackupError::Untaken,
    }
}
