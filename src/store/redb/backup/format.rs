//! How a backup is kept: a head with a version, the compressed file of inquiries, and a digest of all that stands before it.
//! So that nobody restores a damaged one, the digest is compared before anything else is read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::error::BackupError;
use crate::files::regular_file;

/// The first bytes of every backup. The line break shows a transfer that changes line ends.
const MAGIC: [u8; 20] = *b"taubenabwehr backup\n";

/// The version of the format, after [`MAGIC`]. Numbers are part of the format: never give one a new meaning.
const VERSION: u32 = 1;

/// Bytes of magic and version.
const HEAD: usize = MAGIC.len() + size_of::<u32>();

/// Bytes of the digest at the end.
const DIGEST: usize = 32;

/// Bytes read at once.
const BUFFER: usize = 64 << 10;

/// How hard the file is compressed: zstd's default, a third of the length at 100 MB a second and 4 MiB of memory.
const LEVEL: i32 = 3;

/// Writes an image as a backup.
pub fn pack(image: &mut File, out: impl Write) -> io::Result<()> {
    let mut out = Hashing {
        out,
        digest: Sha256::new(),
    };
    out.write_all(&MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    image.rewind()?;
    let mut packer = zstd::Encoder::new(&mut out, LEVEL)?;
    io::copy(image, &mut packer)?;
    packer.finish()?;
    let digest = out.digest.finalize();
    out.out.write_all(&digest)?;
    out.out.flush()
}

/// Checks a backup, and writes the image that it holds.
pub fn unpack(path: &Path, image: &mut File) -> Result<(), BackupError> {
    let unreadable = |source| BackupError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let mut backup = regular_file::open(path).map_err(unreadable)?;
    let found = backup.metadata().map_err(unreadable)?;
    let mut head = Vec::new();
    let mut start = (&mut backup).take(HEAD as u64);
    start.read_to_end(&mut head).map_err(unreadable)?;
    check_head(path, &head)?;
    let content = found.len().checked_sub(DIGEST as u64);
    let content = content.filter(|&content| content > HEAD as u64);
    let content = content.ok_or_else(|| BackupError::damaged(path, "it was cut short"))?;
    let digest = digest_of(&mut backup, content).map_err(unreadable)?;
    let mut expected = Vec::new();
    backup.read_to_end(&mut expected).map_err(unreadable)?;
    if expected != digest {
        return Err(BackupError::damaged(
            path,
            "its checksum is wrong: it was changed or cut short",
        ));
    }
    backup.seek(SeekFrom::Start(HEAD as u64)).map_err(unreadable)?;
    let packed = BufReader::with_capacity(BUFFER, backup.take(content - HEAD as u64));
    let unpacked = zstd::Decoder::with_buffer(packed).and_then(|mut unpacker| {
        let mut buffer = vec![0; BUFFER];
        loop {
            let read = unpacker.read(&mut buffer)?;
            let Some(part) = buffer.get(..read).filter(|part| !part.is_empty()) else {
                return Ok(Ok(()));
            };
            if let Err(error) = image.write_all(part) {
                return Ok(Err(error));
            }
        }
    });
    match unpacked {
        Err(error) => Err(BackupError::damaged(path, &error.to_string())),
        Ok(Err(error)) => Err(BackupError::Scratch(error)),
        Ok(Ok(())) => Ok(()),
    }
}

fn check_head(path: &Path, head: &[u8]) -> Result<(), BackupError> {
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
        VERSION => Ok(()),
        0 => Err(BackupError::damaged(path, "it has version 0")),
        _ => Err(BackupError::Newer {
            path: path.to_owned(),
            found: version.into(),
            known: VERSION.into(),
        }),
    }
}

/// Returns the digest of the first bytes of a file, which is left at their end.
fn digest_of(backup: &mut File, length: u64) -> io::Result<Vec<u8>> {
    backup.rewind()?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; BUFFER];
    let mut content = backup.take(length);
    loop {
        let read = content.read(&mut buffer)?;
        match buffer.get(..read) {
            Some(part) if !part.is_empty() => digest.update(part),
            _ => return Ok(digest.finalize().to_vec()),
        }
    }
}

/// Computes the digest of what passes through.
struct Hashing<W> {
    out: W,
    digest: Sha256,
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
