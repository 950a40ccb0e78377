//! The list of what was erased, beside the file of inquiries: a backup is older than some erasures, which are done again after
//! it was restored.
//!
//! An erasure is listed durably before it is made, so that a crash in between loses no line. What is listed and still there
//! was meant to go.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use uuid::Uuid;

use super::create;
use super::directory;
use crate::inquiry::rfc3339_millis;

/// How far from its end a list is searched for the end of a line: no line is as long as that.
const LONGEST_LINE: u64 = 1024;

/// The list of a data directory.
#[derive(Debug)]
pub struct ErasureLog {
    data_dir: PathBuf,
}

impl ErasureLog {
    /// Names the list of a data directory. Nothing is read or created yet.
    pub fn of(data_dir: &Path) -> Self {
        Self {
            data_dir: data_dir.to_owned(),
        }
    }

    /// Begins to list what is about to be erased.
    pub fn begin(&self, now: Timestamp) -> ErasureLogWriter<'_> {
        ErasureLogWriter::begin(self, now)
    }

    /// Lists one thing that is about to be erased, durably.
    pub fn note(&self, id: Uuid, now: Timestamp) -> io::Result<()> {
        let mut noting = self.begin(now);
        noting.add(id)?;
        noting.sync()?;
        noting.keep();
        Ok(())
    }
}

/// What is asked of the file system, in this order; tests have one of their own.
pub trait ListOperations {
    /// Opens the list for more lines, and creates it if it is missing.
    fn open(&self) -> io::Result<OpenList<'_>>;
    /// Makes the list and its name durable.
    fn sync(&self) -> io::Result<()>;
    /// Makes the list what it was: so long, or none.
    fn put_back(&self, before: u64) -> io::Result<()>;
}

/// An open list.
pub struct OpenList<'a> {
    /// Where the lines go.
    pub lines: Box<dyn Write + 'a>,
    /// Its length before, without a line that a crash has left incomplete.
    pub before: u64,
}

/// What is being listed. Unless it is kept, the list becomes what it was.
pub struct ErasureLogWriter<'a> {
    files: &'a dyn ListOperations,
    now: Timestamp,
    /// `None` before the first line: most erasures by the clock find nothing to erase.
    open: Option<Open<'a>>,
}

struct Open<'a> {
    lines: BufWriter<Box<dyn Write + 'a>>,
    before: u64,
}

impl<'a> ErasureLogWriter<'a> {
    /// Begins to list what is about to be erased at this time.
    pub fn begin(files: &'a dyn ListOperations, now: Timestamp) -> Self {
        Self {
            files,
            now,
            open: None,
        }
    }

    /// Lists an inquiry or a subscription, by its id.
    pub fn add(&mut self, id: Uuid) -> io::Result<()> {
        self.add_at(id, self.now)
    }

    /// Lists one that was erased at another time.
    pub fn add_at(&mut self, id: Uuid, at: Timestamp) -> io::Result<()> {
        let open = if let Some(open) = self.open.take() {
            open
        } else {
            let OpenList { lines, before } = self.files.open()?;
            let lines = BufWriter::new(lines);
            Open { lines, before }
        };
        let lines = &mut self.open.insert(open).lines;
        writeln!(lines, r#"{{"id":"{id}","erased_at":"{}"}}"#, rfc3339_millis(at))
    }

    /// Makes what was listed durable. The erasure may follow.
    pub fn sync(&mut self) -> io::Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        open.lines.flush()?;
        self.files.sync()
    }

    /// Leaves what was listed in the list.
    pub fn keep(mut self) {
        self.open = None;
    }
}

impl Drop for ErasureLogWriter<'_> {
    fn drop(&mut self) {
        if let Some(Open { lines, before }) = self.open.take() {
            // What is not written yet must not follow.
            drop(lines.into_parts());
            // If not, it names something that is still there, and that was meant to go.
            let _ = self.files.put_back(before);
        }
    }
}

impl ListOperations for ErasureLog {
    fn open(&self) -> io::Result<OpenList<'_>> {
        let mut list = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(directory::FILE_MODE)
            .open(directory::erased(&self.data_dir))?;
        // root erases while no server runs, which must be able to add lines afterwards.
        if let Ok(store) = fs::metadata(directory::file(&self.data_dir)) {
            create::give(&list, store.uid(), store.gid())?;
        }
        let before = whole_lines(&mut list)?;
        if before < list.metadata()?.len() {
            list.set_len(before)?;
        }
        Ok(OpenList {
            lines: Box::new(list),
            before,
        })
    }

    fn sync(&self) -> io::Result<()> {
        File::open(directory::erased(&self.data_dir))?.sync_all()?;
        directory::sync(&self.data_dir)
    }

    fn put_back(&self, before: u64) -> io::Result<()> {
        let path = directory::erased(&self.data_dir);
        if before == 0 {
            return fs::remove_file(path);
        }
        let list = OpenOptions::new().write(true).open(path)?;
        list.set_len(before)?;
        list.sync_all()
    }
}

/// Returns the length of a list without the line that a crash has left incomplete. What it would have named was not erased.
fn whole_lines(list: &mut File) -> io::Result<u64> {
    let len = list.metadata()?.len();
    let start = len.saturating_sub(LONGEST_LINE);
    list.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    list.read_to_end(&mut end)?;
    Ok(match end.iter().rposition(|&byte| byte == b'\n') {
        Some(at) => start + at as u64 + 1,
        None if start == 0 => 0,
        // Not a line of ours; it stays for the operator to see.
        None => len,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_is_kept_stays_and_what_is_not_leaves_no_line() {
        let dir = tempfile::tempdir().unwrap();
        let log = ErasureLog::of(dir.path());
        let now: Timestamp = "2026-11-22T13:00:00Z".parse().unwrap();
        let path = directory::erased(dir.path());
        drop(log.begin(now));
        assert!(!path.exists());

        log.note(Uuid::from_u128(1), now).unwrap();
        let first =
            "{\"id\":\"00000000-0000-0000-0000-000000000001\",\"erased_at\":\"2026-11-22T13:00:00.000Z\"}\n";
        assert_eq!(fs::read_to_string(&path).unwrap(), first);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);

        let mut given_up = log.begin(now);
        given_up.add(Uuid::from_u128(2)).unwrap();
        given_up.sync().unwrap();
        drop(given_up);
        assert_eq!(fs::read_to_string(&path).unwrap(), first);
    }

    #[test]
    fn a_line_that_a_crash_has_cut_does_not_spoil_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let log = ErasureLog::of(dir.path());
        log.note(Uuid::from_u128(1), Timestamp::UNIX_EPOCH).unwrap();
        let path = directory::erased(dir.path());
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, [whole.as_slice(), &whole[..cut]].concat()).unwrap();
            log.note(Uuid::from_u128(1), Timestamp::UNIX_EPOCH).unwrap();
            assert_eq!(
                fs::read(&path).unwrap(),
                [whole.as_slice(), &whole].concat(),
                "{cut}"
            );
        }
    }
}
