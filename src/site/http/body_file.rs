//! A file in memory with bodies that are sent again and again: the system sends them from there without copying them, which
//! saves a third of the work for a page, and more for a script.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use parking_lot::Mutex;
use rustix::fs::{MemfdFlags, memfd_create};

/// From this size on, sending from the file costs less than copying: it takes one more system call.
const MIN_BYTES: usize = 8 * 1024;

/// Bodies begin at pages of memory. The system passes on whole pages, and takes twice the time for a script that touches one
/// page more than it hands over at once.
const PAGE: u64 = 4096;

/// What the file may hold: all pages and scripts in the encoding that browsers ask for, four times over. Whatever comes
/// later is copied.
const MAX_BYTES: u64 = 4 << 20;

/// The file of one site.
#[derive(Debug, Default)]
pub struct BodyFile {
    /// Created for the first body; `None` where the system has no such files.
    file: OnceLock<Option<File>>,
    length: Mutex<u64>,
}

/// A body that is in the file as well.
#[derive(Debug)]
pub struct FiledBody {
    file: Arc<BodyFile>,
    /// Held, so that nothing else gets its address.
    bytes: Bytes,
    offset: u64,
}

impl BodyFile {
    /// Writes a body into the file; returns `None` if it is too small to gain by that, or there is no room for it.
    pub fn add(self: &Arc<Self>, bytes: &Bytes) -> Option<Arc<FiledBody>> {
        if bytes.len() < MIN_BYTES {
            return None;
        }
        let create = || memfd_create("bodies", MemfdFlags::CLOEXEC).ok().map(File::from);
        let file = self.file.get_or_init(create).as_ref()?;
        let mut length = self.length.lock();
        let offset = length.next_multiple_of(PAGE);
        let end = offset + bytes.len() as u64;
        if end > MAX_BYTES {
            return None;
        }
        file.write_all_at(bytes, offset).ok()?;
        *length = end;
        Some(Arc::new(FiledBody {
            file: Arc::clone(self),
            bytes: bytes.clone(),
            offset,
        }))
    }
}

impl FiledBody {
    /// Returns where a part of this body stands: the file, and the offset in it. `None` for anything else, also for the same
    /// bytes at another place in memory, and for parts that are too small.
    pub fn place(&self, part: &[u8]) -> Option<(&File, u64)> {
        if part.len() < MIN_BYTES {
            return None;
        }
        let within = part.as_ptr().addr().checked_sub(self.bytes.as_ptr().addr())?;
        let is_within = within + part.len() <= self.bytes.len();
        let file = self.file.file.get()?.as_ref().filter(|_| is_within)?;
        Some((file, self.offset + within as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_large_part_is_found_and_nothing_else() {
        let file = Arc::new(BodyFile::default());
        let body: Vec<u8> = (0..100_000_u32).map(|number| number.to_le_bytes()[1]).collect();
        let bytes = Bytes::from(body.clone());
        for _ in 0..2 {
            let filed = file.add(&bytes).unwrap();
            for range in [0..100_000, 1..100_000, 50_000..99_999] {
                let part = &bytes[range];
                let (file, offset) = filed.place(part).unwrap();
                let mut found = vec![0; part.len()];
                file.read_exact_at(&mut found, offset).unwrap();
                assert!(found == part);
            }
            assert!(
                filed.place(&bytes[..MIN_BYTES - 1]).is_none(),
                "copying costs less"
            );
            assert!(filed.place(&body).is_none(), "the same bytes elsewhere");
        }
        assert!(file.add(&Bytes::from(vec![0; MIN_BYTES - 1])).is_none());
    }

    #[test]
    fn what_finds_no_room_is_not_kept() {
        let large = Bytes::from(vec![0; usize::try_from(MAX_BYTES).unwrap() + 1]);
        assert!(Arc::new(BodyFile::default()).add(&large).is_none());
    }
}
