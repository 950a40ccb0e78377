//! How a backup begins and ends: a head with a version, and a digest of all that stands before it. So that nobody restores a damaged
//! one, the digest of a file is compared before anything else is read.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::store::backup_error::BackupError;

/// The first bytes of every backup. The line break shows a transfer that changes line ends.
const MAGIC: [u8; 20] = *b"taubenabwehr backup\n";

/// The version: rows, each with its kind.
const ROWS: u32 = 3;

/// Bytes of magic and version.
pub const HEAD: usize = MAGIC.len() + size_of::<u32>();

/// Bytes of the digest at the end.
const DIGEST: usize = 32;

/// Bytes read at once.
pub const BUFFER: usize = 64 << 10;

/// Writes the head of a backup of rows.
pub fn write_head(mut out: impl Write) -> io::Result<()> {
    out.write_all(&MAGIC)?;
    out.write_all(&ROWS.to_le_bytes())
}

/// Checks how a backup begins.
///
/// # Errors
/// When it is none, or of another version.
pub fn check_head(path: &Path, backup: impl Read) -> Result<(), BackupError> {
    let mut head = Vec::new();
    let read = backup.take(HEAD as u64).read_to_end(&mut head);
    read.map_err(|error| BackupError::unreadable(path, error))?;
    if head.is_empty() {
        return Err(BackupError::Empty(path.to_owned()));
    }
    let (magic, version) = head.split_at(head.len().min(MAGIC.len()));
    if !MAGIC.starts_with(magic) {
        return Err(BackupError::Foreign(path.to_owned()));
    }
    let Ok(version) = version.try_into().map(u32::from_le_bytes) else {
        return Err(BackupError::damaged(path, "it was cut short"));
    };
    match version {
        ROWS => Ok(()),
        0 => Err(BackupError::damaged(path, "it has version 0")),
        _ if version < ROWS => Err(BackupError::Former(path.to_owned())),
        _ => Err(BackupError::Newer {
            path: path.to_owned(),
            found: version.into(),
            known: ROWS.into(),
        }),
    }
}

/// Compares the digest of a file, and leaves the file behind its head; returns the length of what stands between the two.
pub fn check_digest(path: &Path, backup: &mut File) -> Result<u64, BackupError> {
    let unreadable = |source| BackupError::unreadable(path, source);
    let length = backup.metadata().map_err(unreadable)?.len();
    let content = length.checked_sub(DIGEST as u64);
    let content = content.filter(|&content| content > HEAD as u64);
    let content = content.ok_or_else(|| BackupError::damaged(path, "it was cut short"))?;
    backup.rewind().map_err(unreadable)?;
    let mut hashed = Hashing::new(io::sink());
    io::copy(&mut backup.take(content), &mut hashed).map_err(unreadable)?;
    let mut expected = Vec::new();
    backup.read_to_end(&mut expected).map_err(unreadable)?;
    if expected != hashed.digest() {
        return Err(BackupError::damaged(
            path,
            "its checksum is wrong: it was changed or cut short",
        ));
    }
    Ok(content - HEAD as u64)
}

/// Computes the digest of what passes through.
pub struct Hashing<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Hashing<W> {
    /// Begins with nothing.
    pub fn new(out: W) -> Self {
        Self {
            out,
            digest: Sha256::new(),
        }
    }

    /// Returns the digest of what has passed so far.
    fn digest(&self) -> [u8; DIGEST] {
        self.digest.clone().finalize().into()
    }

    /// Writes the digest behind everything else.
    pub fn seal(mut self) -> io::Result<()> {
        let digest = self.digest();
        self.out.write_all(&digest)?;
        self.out.flush()
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
