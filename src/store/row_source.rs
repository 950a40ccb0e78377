//! Where the rows of a copy, a restore or a backup come from.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use jiff::Timestamp;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::backup::{Backup, BackupError, Packer, UnpackError, Unpacker, check_head};
use super::copy_error::CopyError;
use super::erased_list::{Erased, ErasedListError};
use super::time::millis;
use super::transfer::{Batch, Row, Rows, Take, Untaken};
use super::{postgres, redb};

/// Batches that wait for the writer, at most.
const WAITING: usize = 4;

/// Everything that a store holds at one moment.
pub enum RowSource {
    /// A file of inquiries.
    Redb(redb::transfer::Source),
    /// A database.
    Postgres(postgres::transfer::Source),
    /// A backup.
    Backup(Backup),
    /// The backup that a server sends, and what its directory lists as erased.
    Server(Box<dyn Read + Send>, Erased),
}

/// The end of reading: what was read, or why not all of it was.
pub type Reading = oneshot::Receiver<Result<Rows, CopyError>>;

impl RowSource {
    /// Takes the backup that a server sends, and the list of what was erased in its directory.
    ///
    /// # Errors
    /// When there is a list that cannot be read.
    pub fn of_server(backup: impl Read + Send + 'static, data_dir: &Path) -> Result<Self, ErasedListError> {
        Ok(Self::Server(Box::new(backup), redb::transfer::erased(data_dir)?))
    }

    /// Reads everything beside whoever takes it. Must be called inside a runtime.
    pub fn start(self, mut rows: Rows) -> (Receiver<Batch>, Reading) {
        let (sender, receiver) = channel(WAITING);
        let (done, reading) = oneshot::channel();
        // A caller that has given up does not hear of the end.
        match self {
            Self::Postgres(source) => drop(tokio::spawn(async move {
                let read = source.read(&mut rows, &sender).await;
                let last = rows.last();
                let read = match read {
                    Ok(()) => sender.send(last).await.map_err(|_| Untaken.into()),
                    error => error,
                };
                let _ = done.send(read.map(|()| rows).map_err(CopyError::from));
            })),
            blocking => drop(spawn_blocking(move || {
                let mut take = |batch| sender.blocking_send(batch).map_err(|_| Untaken);
                let read = blocking.read(&mut rows, &mut take);
                let read = read.and_then(|()| take(rows.last()).map_err(|Untaken| CopyError::Ended));
                let _ = done.send(read.map(|()| rows));
            })),
        }
        (receiver, reading)
    }

    /// Reads what needs no runtime.
    fn read(self, rows: &mut Rows, take: Take<'_>) -> Result<(), CopyError> {
        match self {
            Self::Redb(source) => Ok(source.read(rows, take)?),
            Self::Backup(mut backup) => Ok(backup.read_rows(rows, take)?),
            Self::Server(stream, erased) => of_server(stream, &erased, rows, take),
            Self::Postgres(_) => Err(CopyError::Ended),
        }
    }

    /// Writes everything as a backup. Must be called inside a runtime, on a thread that may wait.
    ///
    /// # Errors
    /// When not everything could be read, or be written.
    pub fn pack(self, made_at: Timestamp, out: impl Write) -> io::Result<()> {
        let (mut rows, reading) = self.start(Rows::backing_up(made_at));
        let mut packer = Packer::new(out, made_at)?;
        while let Some(batch) = rows.blocking_recv() {
            batch.iter().try_for_each(|row| packer.add(row))?;
        }
        let read = reading.blocking_recv().unwrap_or(Err(CopyError::Ended));
        packer.finish(read.map_err(io::Error::other)?.tally())
    }
}

/// Reads the backup that a server sends. It says why if it breaks off.
fn of_server(stream: impl Read, erased: &Erased, rows: &mut Rows, take: Take<'_>) -> Result<(), CopyError> {
    let broken = |error: UnpackError| match error {
        UnpackError::Damaged(reason) => CopyError::Server(reason),
        UnpackError::Newer => BackupError::NewerRecords("what the server sends".into()).into(),
        UnpackError::Untaken => CopyError::Ended,
    };
    let mut stream = BufReader::new(stream);
    let broken_off = |error: io::Error| CopyError::Server(error.to_string());
    if stream.fill_buf().map_err(broken_off)?.is_empty() {
        return Err(CopyError::Server("it sends nothing".to_owned()));
    }
    check_head(Path::new("what the server sends"), &mut stream)?;
    let unpacker = Unpacker::new(stream).map_err(broken)?;
    unpacker.read(rows, take).map_err(broken)?;
    for (id, at) in erased {
        let (id, at) = (id.into_bytes(), millis(*at));
        rows.push(Row::Erased { id, at }, take).map_err(broken)?;
    }
    Ok(())
}
