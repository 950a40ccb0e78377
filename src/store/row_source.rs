//! Where the rows of a copy or a backup come from.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use jiff::Timestamp;

use super::backup::{Packer, Unpacker, check_head};
use super::copy_error::CopyError;
use super::erased_list::{self, Erased, ErasedListError};
use super::map::{Engine, Kind, View};
use super::redb::directory;
use super::time::millis;
use super::transfer::{Row, rows};

/// Everything that a store holds at one moment.
pub enum RowSource {
    /// A store at one moment, and its engine if nobody else keeps it open.
    View(Box<dyn View + Send>, Option<Box<dyn Engine>>),
    /// The backup that a server sends, and what its directory lists as erased.
    Server(Box<dyn Read + Send>, Erased),
}

impl RowSource {
    pub(super) fn of_view(view: Box<dyn View + Send>) -> Self {
        Self::View(view, None)
    }

    pub(super) fn of_engine(view: Box<dyn View + Send>, engine: Box<dyn Engine>) -> Self {
        Self::View(view, Some(engine))
    }

    /// Takes the backup that a server sends, and the list of what was erased in its directory.
    ///
    /// # Errors
    /// When there is a list that cannot be read.
    pub fn of_server(backup: impl Read + Send + 'static, data_dir: &Path) -> Result<Self, ErasedListError> {
        let list = directory::erased(data_dir);
        let erased = if list.exists() {
            erased_list::read(&list)?
        } else {
            Erased::new()
        };
        Ok(Self::Server(Box::new(backup), erased))
    }

    /// Calls a function for each row, whether or not it is of use.
    ///
    /// # Errors
    /// When not all can be read, or the function fails.
    pub fn read(self, each: &mut dyn FnMut(Row) -> Result<(), CopyError>) -> Result<(), CopyError> {
        match self {
            Self::View(view, _engine) => rows(&*view, each),
            Self::Server(stream, erased) => {
                of_server(stream, each)?;
                erased.iter().try_for_each(|(id, at)| {
                    each(Row {
                        kind: Kind::Erased,
                        key: id.as_bytes().to_vec(),
                        value: millis(*at).to_be_bytes().to_vec(),
                    })
                })
            }
        }
    }

    /// Writes everything as a backup, on a thread that may wait.
    ///
    /// # Errors
    /// When not everything could be read, or be written.
    pub fn pack(self, made_at: Timestamp, out: impl Write) -> io::Result<()> {
        let mut packer = Packer::new(out, made_at)?;
        let mut written = Ok(());
        let read = self.read(&mut |row| {
            if row.is_of_use(made_at)? && row.kind != Kind::Erased {
                written = packer.add(&row);
            }
            written.as_ref().map(drop).map_err(|_| CopyError::Ended)
        });
        written?;
        read.map_err(io::Error::other)?;
        packer.finish()
    }
}

/// Reads the backup that a server sends. It says why if it breaks off.
fn of_server(stream: impl Read, each: &mut dyn FnMut(Row) -> Result<(), CopyError>) -> Result<(), CopyError> {
    let mut stream = BufReader::new(stream);
    let broken_off = |error: io::Error| CopyError::Server(error.to_string());
    if stream.fill_buf().map_err(broken_off)?.is_empty() {
        return Err(CopyError::Server("it sends nothing".to_owned()));
    }
    check_head(Path::new("what the server sends"), &mut stream)?;
    let unpacker = Unpacker::new(stream).map_err(|error| CopyError::Server(error.to_string()))?;
    unpacker.read(each, |error| CopyError::Server(error.to_string()))
}
