//! Reading a file with redb without changing it.
//!
//! redb writes as soon as it opens a file (a mark that it is open, a repair after a crash); its read-only mode refuses
//! files that need a repair. A file that is damaged, foreign or from the future must stay as it is, and so must one that
//! cannot be migrated. So redb first opens every file through an overlay that reads from the file and keeps what is
//! written in memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};
use redb::StorageBackend;

/// The unit of what is kept in memory; redb's own page.
const PAGE: u64 = 4096;

/// Ends reading through an overlay: from then on the file under it may change.
#[derive(Debug, Clone, Default)]
pub struct Revocation(Arc<AtomicBool>);

impl Revocation {
    /// Has every read of the overlay fail from now on.
    pub fn revoke(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn check(&self) -> io::Result<()> {
        if self.0.load(Ordering::SeqCst) {
            return Err(io::Error::other("the file is written again; try again"));
        }
        Ok(())
    }
}

/// The file as it would be after the writes.
#[derive(Debug)]
pub struct Overlay {
    file: File,
    revocation: Revocation,
    written: Mutex<Written>,
}

#[derive(Debug)]
struct Written {
    /// Length of the whole, in bytes.
    len: u64,
    /// How many bytes of the file still show where no page was written.
    visible: u64,
    /// Pages written, by number.
    pages: BTreeMap<u64, Box<[u8]>>,
}

impl Overlay {
    /// Lays an overlay over a file, which is never written.
    pub fn new(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        let written = Written {
            len,
            visible: len,
            pages: BTreeMap::new(),
        };
        Ok(Self {
            file,
            revocation: Revocation::default(),
            written: Mutex::new(written),
        })
    }

    /// Returns what ends reading through it.
    pub fn revocation(&self) -> Revocation {
        self.revocation.clone()
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock()
    }

    /// Reads a page of the file: zeros where the file no longer shows.
    fn page_of_file(&self, number: u64, visible: u64) -> io::Result<Box<[u8]>> {
        let mut page = vec![0; usize_of(PAGE)?].into_boxed_slice();
        let start = number * PAGE;
        let shown = usize_of(visible.saturating_sub(start).min(PAGE))?;
        if let Some(shown) = page.get_mut(..shown) {
            self.file.read_exact_at(shown, start)?;
            self.revocation.check()?;
        }
        Ok(page)
    }
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.written().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let written = self.written();
        if offset
            .checked_add(out.len() as u64)
            .is_none_or(|end| end > written.len)
        {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for (number, within, part) in parts(offset, out.len())? {
            let page;
            let source = if let Some(page) = written.pages.get(&number) {
                page
            } else {
                page = self.page_of_file(number, written.visible)?;
                &page
            };
            if let (Some(out), Some(source)) = (out.get_mut(part), source.get(within)) {
                out.copy_from_slice(source);
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut written = self.written();
        if len < written.len {
            written.visible = written.visible.min(len);
            let visible = written.visible;
            written.pages.split_off(&len.div_ceil(PAGE));
            // What lies beyond the new end reads as zeros should the file grow again.
            let last = len / PAGE;
            if !len.is_multiple_of(PAGE) {
                let mut page = match written.pages.remove(&last) {
                    Some(page) => page,
                    None => self.page_of_file(last, visible)?,
                };
                if let Some(behind) = page.get_mut(usize_of(len % PAGE)?..) {
                    behind.fill(0);
                }
                written.pages.insert(last, page);
            }
        }
        written.len = len;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut written = self.written();
        for (number, within, part) in parts(offset, data.len())? {
            let mut page = match written.pages.remove(&number) {
                Some(page) => page,
                None => self.page_of_file(number, written.visible)?,
            };
            if let (Some(page), Some(data)) = (page.get_mut(within), data.get(part)) {
                page.copy_from_slice(data);
            }
            written.pages.insert(number, page);
        }
        Ok(())
    }
}

type Part = std::ops::Range<usize>;

/// Splits a range of bytes by pages: number, bytes within the page, bytes within the range.
fn parts(offset: u64, length: usize) -> io::Result<Vec<(u64, Part, Part)>> {
    let mut parts = Vec::with_capacity(length / usize_of(PAGE)? + 2);
    let mut done = 0;
    while done < length {
        let position = offset + done as u64;
        let within = usize_of(position % PAGE)?;
        let size = (usize_of(PAGE)? - within).min(length - done);
        parts.push((position / PAGE, within..within + size, done..done + size));
        done += size;
    }
    Ok(parts)
}

fn usize_of(number: u64) -> io::Result<usize> {
    usize::try_from(number).map_err(|_| io::ErrorKind::FileTooLarge.into())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_was_revoked_reads_no_more() {
        let mut under = tempfile::NamedTempFile::new().unwrap();
        under.write_all(&[7; 100]).unwrap();
        let overlay = Overlay::new(under.reopen().unwrap()).unwrap();
        let mut byte = [0];
        overlay.read(10, &mut byte).unwrap();
        assert_eq!(byte, [7]);
        overlay.revocation().revoke();
        assert!(overlay.read(10, &mut byte).is_err());
    }

    #[test]
    fn it_behaves_like_a_file_and_leaves_the_file_alone() {
        let mut under = tempfile::NamedTempFile::new().unwrap();
        let content: Vec<u8> = (0..10_000_u32)
            .map(|n| n.to_le_bytes()[0] ^ n.to_le_bytes()[1])
            .collect();
        under.write_all(&content).unwrap();
        let overlay = Overlay::new(under.reopen().unwrap()).unwrap();
        let mirror = tempfile::tempfile().unwrap();
        mirror.write_all_at(&content, 0).unwrap();

        let check = |step: &str| {
            let len = overlay.len().unwrap();
            assert_eq!(len, mirror.metadata().unwrap().len(), "{step}");
            let size = usize_of(len).unwrap();
            let (mut ours, mut theirs) = (vec![0; size], vec![0; size]);
            overlay.read(0, &mut ours).unwrap();
            mirror.read_exact_at(&mut theirs, 0).unwrap();
            assert!(ours == theirs, "{step}");
            assert!(overlay.read(len - 1, &mut [0; 2]).is_err(), "{step}");
        };
        check("untouched");
        let steps: [(&str, u64, &[u8]); 3] = [
            ("inside", 100, b"abc"),
            ("over an edge", 4090, &[1; 5000]),
            ("at the end", 9_990, &[2; 10]),
        ];
        for (step, offset, data) in steps {
            overlay.write(offset, data).unwrap();
            mirror.write_all_at(data, offset).unwrap();
            check(step);
        }
        for len in [20_000, 9_000, 20_000, 4096, 5000, 100, 12_288] {
            overlay.set_len(len).unwrap();
            mirror.set_len(len).unwrap();
            check("resized");
        }
        assert!(std::fs::read(under.path()).unwrap() == content);
    }
}
