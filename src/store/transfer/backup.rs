//! Backups: a store's contents as of one moment, in one file that reveals any damage, independent of the engine. A header with
//! version and time is followed by the compressed rows and a digest over both.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::check::{Findings, RowCheck};
use super::error::TransferError;
use super::row::{TableRow, copied_kinds, rows};
use crate::base::files::regular_file;
use crate::store::OpenError;
use crate::store::location::{Location, whole};
use crate::store::map::{Engine, View};
use crate::store::values::{millis, to_time};

/// The first bytes of every backup. The line break reveals a transfer that converts line ends.
const MAGIC: [u8; 20] = *b"taubenabwehr backup\n";

/// The version of the format. A new kind of row requires the next one.
const VERSION: u32 = 5;

/// Length of magic, version and time.
const HEAD: u64 = 32;

/// Length of the digest at the end.
const DIGEST: u64 = 32;

const BUFFER: usize = 64 << 10;

/// Upper limit for a part of a row, in bytes: far above any real one, but low enough that a wrong length cannot exhaust memory.
const LONGEST: u32 = 16 << 20;

/// The source of rows for a copy or a backup.
pub enum RowSource {
    /// A store as of one moment, with its engine if nothing else keeps it open.
    View(Box<dyn View + Send>, Option<Box<dyn Engine>>),
    /// A backup streamed by a server.
    Server(Box<dyn Read + Send>),
}

impl Location {
    /// Opens the store to copy everything from it. Blocking.
    ///
    /// # Errors
    /// When it cannot be opened; [`OpenError::is_in_use`] tells whether a server holds it.
    pub fn copy_source(&self) -> Result<RowSource, OpenError> {
        let engine = self.engine()?;
        let view = whole(&*engine).map_err(|error| self.unusable(error))?;
        Ok(RowSource::View(view, Some(engine)))
    }
}

impl RowSource {
    /// Calls a function for each row, including expired ones.
    ///
    /// # Errors
    /// When a row cannot be read, or the function fails.
    pub(super) fn read(
        self,
        each: &mut dyn FnMut(TableRow) -> Result<(), TransferError>,
    ) -> Result<(), TransferError> {
        match self {
            Self::View(view, _engine) => rows(&*view, each),
            Self::Server(stream) => {
                let mut stream = BufReader::new(stream);
                let read = read_head(Path::new("what the server sends"), &mut stream)
                    .and_then(|_| read_rows(stream, each));
                read.map_err(|error| error.or_io(|error| TransferError::Server(error.to_string())))
            }
        }
    }
}

/// Writes a store's contents as a backup. Blocking.
///
/// # Errors
/// When something cannot be read or written.
pub fn pack(source: RowSource, made_at: Timestamp, out: impl Write) -> Result<(), TransferError> {
    let mut out = Hashing {
        out,
        digest: Sha256::new(),
    };
    out.write_all(&MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&millis(made_at).to_le_bytes())?;
    // Most bytes of a large store are photos, which hardly shrink.
    let mut rows = GzEncoder::new(out, Compression::fast());
    source.read(&mut |row| {
        if row.parse(made_at)?.is_of_use {
            for part in [row.kind.name().as_bytes(), &row.key, &row.value] {
                write_part(&mut rows, part)?;
            }
        }
        Ok(())
    })?;
    write_part(&mut rows, &[])?;
    let mut out = rows.finish()?;
    let digest = out.digest.clone().finalize();
    out.write_all(&digest)?;
    Ok(out.flush()?)
}

fn write_part(out: &mut impl Write, part: &[u8]) -> io::Result<()> {
    let length = u32::try_from(part.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(part)
}

/// Reads the header of a backup; returns when it was made.
///
/// # Errors
/// When it is not a backup, or has another version.
fn read_head(path: &Path, backup: &mut impl Read) -> Result<Timestamp, TransferError> {
    let mut head = Vec::new();
    backup.take(HEAD).read_to_end(&mut head)?;
    if head.is_empty() {
        return Err(TransferError::Empty(path.to_owned()));
    }
    let (magic, rest) = head.split_at(head.len().min(MAGIC.len()));
    if !MAGIC.starts_with(magic) {
        return Err(TransferError::Foreign(path.to_owned()));
    }
    let cut_short = || TransferError::damaged(path, "it was cut short");
    let (version, time) = rest.split_first_chunk().ok_or_else(cut_short)?;
    match u32::from_le_bytes(*version) {
        VERSION => {}
        ..VERSION => return Err(TransferError::Former(path.to_owned())),
        found => {
            return Err(TransferError::Newer {
                path: path.to_owned(),
                found,
                known: VERSION,
            });
        }
    }
    let time = time.try_into().map_err(|_| cut_short())?;
    Ok(to_time(u64::from_le_bytes(time)))
}

/// Calls a function for each row after the header.
///
/// # Errors
/// [`TransferError::Io`] when a row cannot be read, or the function's error.
fn read_rows(
    backup: impl BufRead,
    each: &mut dyn FnMut(TableRow) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let mut rows = GzDecoder::new(backup);
    loop {
        let name = read_part(&mut rows)?;
        if name.is_empty() {
            // Reads the trailer, which is missing from a backup that was cut short.
            return match rows.read(&mut [0])? {
                0 => Ok(()),
                _ => Err(io::Error::other("it goes on after its end").into()),
            };
        }
        let kind = copied_kinds().find(|kind| kind.name().as_bytes() == name);
        each(TableRow {
            kind: kind.ok_or_else(|| io::Error::other("it holds rows of an unknown kind"))?,
            key: read_part(&mut rows)?,
            value: read_part(&mut rows)?,
        })?;
    }
}

fn read_part(rows: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    rows.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::Error::other("a part of it is longer than any"));
    }
    let mut part = Vec::new();
    if rows.take(length.into()).read_to_end(&mut part)? < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(part)
}

/// A backup with a verified digest.
pub struct Backup {
    path: PathBuf,
    file: File,
    /// Length of header and rows.
    length: u64,
    made_at: Timestamp,
}

impl Backup {
    /// Opens a backup and verifies its digest before anything else is read, so that a damaged one is never restored.
    ///
    /// # Errors
    /// When it cannot be read, or is damaged.
    pub fn read(path: &Path) -> Result<Self, TransferError> {
        let unreadable = |source| TransferError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let mut file = regular_file::open(path).map_err(unreadable)?;
        let made_at = read_head(path, &mut file).map_err(|error| error.or_io(unreadable))?;
        let length = file.metadata().map_err(unreadable)?.len();
        let length = length.saturating_sub(DIGEST);
        let mut hashed = Hashing {
            out: io::sink(),
            digest: Sha256::new(),
        };
        let mut expected = Vec::new();
        file.rewind()
            .and_then(|()| io::copy(&mut Read::by_ref(&mut file).take(length), &mut hashed))
            .and_then(|_| Read::by_ref(&mut file).read_to_end(&mut expected))
            .map_err(unreadable)?;
        if expected != hashed.digest.finalize().as_slice() {
            return Err(TransferError::damaged(
                path,
                "its checksum is wrong: it was changed or cut short",
            ));
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            length,
            made_at,
        })
    }

    /// When it was made.
    pub fn made_at(&self) -> Timestamp {
        self.made_at
    }

    /// Calls a function for each row.
    ///
    /// # Errors
    /// When a row cannot be read, or the function fails.
    pub(super) fn read_rows(
        &mut self,
        each: &mut dyn FnMut(TableRow) -> Result<(), TransferError>,
    ) -> Result<(), TransferError> {
        self.file.seek(SeekFrom::Start(HEAD))?;
        let rows = Read::by_ref(&mut self.file).take(self.length.saturating_sub(HEAD));
        let read = read_rows(BufReader::with_capacity(BUFFER, rows), each);
        let damaged = |error: io::Error| TransferError::damaged(&self.path, &error.to_string());
        read.map_err(|error| error.or_io(damaged))
    }

    /// Reads every record.
    ///
    /// # Errors
    /// When the file cannot be read at all.
    pub fn check(&mut self) -> Result<Findings, TransferError> {
        let mut check = RowCheck::default();
        self.read_rows(&mut |row| {
            check.add(&row);
            Ok(())
        })?;
        Ok(check.finish())
    }

    /// Fails unless every record is readable.
    ///
    /// # Errors
    /// When one is not.
    pub fn must_be_whole(&mut self) -> Result<(), TransferError> {
        match self.check()?.damaged.first() {
            None => Ok(()),
            Some(first) => Err(TransferError::damaged(&self.path, first)),
        }
    }
}

/// A writer that also computes the digest of what it passes on.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::map::EntryKind;

    fn row(id: u8) -> [Vec<u8>; 3] {
        [b"erased".to_vec(), vec![id; 16], vec![0; 8]]
    }

    /// Compresses parts, each with its length, and reads them as rows.
    fn read(parts: &[Vec<u8>], cut: usize) -> Result<Vec<TableRow>, TransferError> {
        let mut bytes = Vec::new();
        for part in parts {
            write_part(&mut bytes, part).unwrap();
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&bytes).unwrap();
        let packed = packed.finish().unwrap();
        let mut found = Vec::new();
        read_rows(&packed[..packed.len() - cut], &mut |row| {
            found.push(row);
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn rows_that_are_cut_or_unknown_are_refused() {
        let end = [Vec::new()];
        let whole = [&row(1)[..], &row(2), &end].concat();
        let found = read(&whole, 0).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[1].kind, &found[1].key, &found[1].value),
            (EntryKind::Erased, &vec![2; 16], &vec![0; 8])
        );
        assert_eq!(read(&end, 0).unwrap(), []);
        for (parts, cut) in [
            (&whole[..], 1),
            (&whole[..6], 0),
            (&whole[..4], 0),
            (&[], 0),
            (&[&[b"later".to_vec()], &whole[1..]].concat(), 0),
            // The length of a part, but not that many bytes.
            (&[vec![0xff; 64]], 0),
        ] {
            let refused = read(parts, cut);
            assert!(matches!(refused, Err(TransferError::Io(_))), "{refused:?}");
        }
    }
}
