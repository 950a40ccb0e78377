//! The rows of a backup: behind the head, compressed, one after the other, each as CBOR behind its length. Before them stands when the
//! backup was made, and behind them, after an empty one, how many there were and their digest.

use std::io::{self, BufRead, Read, Write};

use jiff::Timestamp;
use minicbor::{Decode, Encode};

use super::format::{self, Hashing};
use crate::store::map::{Key, Kind};
use crate::store::time::millis;
use crate::store::transfer::{Row, Tally};

/// How hard rows are compressed: zstd's default, a third of the length at 100 MB a second and 4 MiB of memory.
const LEVEL: i32 = 3;

/// The longest row, in bytes: far more than the longest inquiry has, and little enough that a wrong length fills no memory.
const LONGEST: u32 = 16 << 20;

/// What stands before the rows.
#[derive(Encode, Decode)]
struct Begin {
    /// In milliseconds since 1970.
    #[n(0)]
    made_at: u64,
}

/// What stands behind the rows.
#[derive(Debug, PartialEq, Eq, Encode, Decode)]
struct End {
    #[n(0)]
    rows: u64,
    /// As a tally computes it.
    #[cbor(n(1), with = "minicbor::bytes")]
    digest: [u8; 32],
}

impl End {
    fn of(tally: &Tally) -> Self {
        Self {
            rows: tally.rows(),
            digest: tally.digest(),
        }
    }
}

/// A backup that is being written.
pub struct Packer<W: Write> {
    out: zstd::Encoder<'static, Hashing<W>>,
    tally: Tally,
}

impl<W: Write> Packer<W> {
    /// Begins a backup that is made at a time.
    ///
    /// # Errors
    /// Those of writing.
    pub fn new(out: W, made_at: Timestamp) -> io::Result<Self> {
        let mut out = Hashing::new(out);
        format::write_head(&mut out)?;
        let mut packer = Self {
            out: zstd::Encoder::new(out, LEVEL)?,
            tally: Tally::default(),
        };
        packer.write_value(&Begin {
            made_at: millis(made_at),
        })?;
        Ok(packer)
    }

    /// Writes the row that is next.
    ///
    /// # Errors
    /// Those of writing.
    pub fn add(&mut self, row: &Row) -> io::Result<()> {
        write(&mut self.out, self.tally.add(row))
    }

    /// Ends the backup.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(mut self) -> io::Result<()> {
        write(&mut self.out, &[])?;
        self.write_value(&End::of(&self.tally))?;
        self.out.finish()?.seal()
    }

    fn write_value(&mut self, value: &impl Encode<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        minicbor::encode(value, &mut bytes).map_err(io::Error::other)?;
        write(&mut self.out, &bytes)
    }
}

fn write(mut out: impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len())
        .ok()
        .filter(|&length| length <= LONGEST);
    let length = length.ok_or_else(|| io::Error::other("a record is too long for a backup"))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(bytes)
}

/// Why the rows of a backup cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// They are not what was written.
    #[error("{0}")]
    Damaged(String),
    /// This program does not know all of them.
    #[error("it holds something that only a newer taubenabwehr knows")]
    Newer,
}

impl UnpackError {
    fn damaged(reason: &str) -> Self {
        Self::Damaged(reason.to_owned())
    }
}

impl From<io::Error> for UnpackError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::damaged("it was cut short"),
            _ => Self::Damaged(error.to_string()),
        }
    }
}

impl From<minicbor::decode::Error> for UnpackError {
    fn from(_: minicbor::decode::Error) -> Self {
        Self::damaged("a record cannot be read")
    }
}

/// The rows of a backup that is being read.
pub struct Unpacker<'z, R: BufRead> {
    input: zstd::Decoder<'z, R>,
    made_at: Option<Timestamp>,
    /// What was read last.
    bytes: Vec<u8>,
}

impl<R: BufRead> Unpacker<'_, R> {
    /// Begins behind the head of a backup.
    ///
    /// # Errors
    /// When it is not what was written.
    pub fn new(input: R) -> Result<Self, UnpackError> {
        let mut unpacker = Self {
            input: zstd::Decoder::with_buffer(input)?.single_frame(),
            made_at: None,
            bytes: Vec::new(),
        };
        let begin: Begin = minicbor::decode(unpacker.next()?)?;
        let made_at = i64::try_from(begin.made_at).ok();
        unpacker.made_at = made_at.and_then(|millis| Timestamp::from_millisecond(millis).ok());
        Ok(unpacker)
    }

    /// Returns when the backup was made.
    pub fn made_at(&self) -> Option<Timestamp> {
        self.made_at
    }

    /// Calls a function for each row. `explain` says why they cannot be read.
    ///
    /// # Errors
    /// When they are not what was written, or the function fails.
    pub fn read<E>(
        mut self,
        each: &mut dyn FnMut(Row) -> Result<(), E>,
        explain: impl Fn(UnpackError) -> E,
    ) -> Result<(), E> {
        let mut tally = Tally::default();
        let mut before = None;
        loop {
            let row = self.row(&mut tally, &mut before).map_err(&explain)?;
            let Some(row) = row else { break };
            each(row)?;
        }
        self.end(&tally).map_err(explain)
    }

    /// Reads the next row; `None` behind the last.
    fn row(
        &mut self,
        tally: &mut Tally,
        before: &mut Option<(Kind, Key)>,
    ) -> Result<Option<Row>, UnpackError> {
        let bytes = self.next()?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let row = Row::decode(bytes).ok_or_else(|| UnpackError::damaged("a record cannot be read"))?;
        let row = row.ok_or(UnpackError::Newer)?;
        // A column that this program does not know would be lost.
        if tally.add(&row) != bytes {
            return Err(UnpackError::Newer);
        }
        let place = Some((row.kind, row.key.clone()));
        if place <= *before {
            return Err(UnpackError::damaged("its records are not in order"));
        }
        *before = place;
        Ok(Some(row))
    }

    fn end(&mut self, tally: &Tally) -> Result<(), UnpackError> {
        let end: End = minicbor::decode(self.next()?)?;
        if end != End::of(tally) {
            return Err(UnpackError::damaged("it does not hold what was read for it"));
        }
        match self.input.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(UnpackError::damaged("something stands behind its end")),
        }
    }

    /// Reads what is next, which may be empty.
    fn next(&mut self) -> Result<&[u8], UnpackError> {
        let mut length = [0; 4];
        self.input.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > LONGEST {
            return Err(UnpackError::damaged("a record is longer than any"));
        }
        self.bytes.clear();
        let mut record = (&mut self.input).take(length.into());
        if record.read_to_end(&mut self.bytes)? < length as usize {
            return Err(UnpackError::damaged("it was cut short"));
        }
        Ok(&self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn erased(id: u8) -> Row {
        Row {
            kind: Kind::Erased,
            key: vec![id; 16],
            value: vec![0; 8],
        }
    }

    fn packed(rows: &[Row]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut packer = Packer::new(&mut out, Timestamp::UNIX_EPOCH).unwrap();
        for row in rows {
            packer.add(row).unwrap();
        }
        packer.finish().unwrap();
        out
    }

    /// Reads what stands between head and digest.
    fn unpack(content: &[u8]) -> Result<Vec<Row>, UnpackError> {
        let mut found = Vec::new();
        let unpacker = Unpacker::new(content)?;
        let mut push = |row| {
            found.push(row);
            Ok(())
        };
        unpacker.read(&mut push, |error| error)?;
        Ok(found)
    }

    fn content(backup: &[u8]) -> &[u8] {
        &backup[format::HEAD..backup.len() - 32]
    }

    /// Compresses records, each with its length.
    fn stream(records: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for record in records {
            write(&mut bytes, record).unwrap();
        }
        zstd::encode_all(&bytes[..], LEVEL).unwrap()
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let rows = [erased(1), erased(2)];
        assert_eq!(unpack(content(&packed(&rows))).unwrap(), rows);
        let empty = packed(&[]);
        assert_eq!(unpack(content(&empty)).unwrap(), []);
        let made_at = Unpacker::new(content(&empty)).unwrap().made_at();
        assert_eq!(made_at, Some(Timestamp::UNIX_EPOCH));
    }

    #[test]
    fn records_that_are_unknown_missing_or_in_disorder_are_refused() {
        let begin: &[u8] = &[0x81, 0];
        let encoded = |row: &Row| {
            let mut bytes = Vec::new();
            row.encode(&mut bytes);
            bytes
        };
        let row = encoded(&erased(1));
        let end = |rows: &[Row]| {
            let mut tally = Tally::default();
            for row in rows {
                tally.add(row);
            }
            minicbor::to_vec(End::of(&tally)).unwrap()
        };
        let whole = stream(&[begin, &row, &[], &end(&[erased(1)])]);
        assert_eq!(unpack(&whole).unwrap(), [erased(1)]);
        // A kind of row, and a column, of a later version.
        let later = minicbor::to_vec(("later", 1, 2)).unwrap();
        let text = String::from_utf8_lossy(&row).replace("erased", "erasex");
        assert!(matches!(
            unpack(&stream(&[begin, text.as_bytes()])),
            Err(UnpackError::Newer | UnpackError::Damaged(_))
        ));
        assert!(unpack(&stream(&[begin, &later])).is_err());
        let mut wider = row.clone();
        assert_eq!(wider[0], 0x83);
        wider[0] = 0x84;
        wider.push(0);
        assert_eq!(unpack(&stream(&[begin, &wider])), Err(UnpackError::Newer));
        for damaged in [
            stream(&[begin, &row]),
            stream(&[begin, &row, &[], &end(&[])]),
            stream(&[begin, &row, &[], &end(&[erased(1)]), &[]]),
            stream(&[begin, &row, &row, &[], &end(&[erased(1), erased(1)])]),
            stream(&[begin, b"\xff"]),
            zstd::encode_all(&[0xff; 4][..], LEVEL).unwrap(),
            whole[..whole.len() - 1].to_vec(),
        ] {
            let error = unpack(&damaged).unwrap_err();
            assert!(matches!(error, UnpackError::Damaged(_)), "{error:?}");
        }
    }
}
