//! Bodies that are sent again and again, and so are also in a file in memory: from there the system sends them without
//! copying them, which is a third of the work for a page, and more for a script.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

use bytes::Bytes;
use parking_lot::RwLock;
use rustix::fs::{MemfdFlags, memfd_create};

/// From this size on, sending from the file costs less than copying: it takes a system call more.
const MIN_BYTES: usize = 8 * 1024;

/// Bodies begin at pages of memory. The system passes on whole pages, and takes twice the time for a script of which one
/// page more is touched than it hands over at once.
const PAGE: u64 = 4096;

/// What the file may hold: all pages and scripts in the encoding that browsers ask for, four times over. Whatever comes
/// later is copied.
const MAX_BYTES: u64 = 4 << 20;

/// The bodies, by their address in memory.
static KEPT: RwLock<Kept> = RwLock::new(Kept {
    bodies: BTreeMap::new(),
    length: 0,
});

/// The file; `None` where the system has no such files.
static FILE: OnceLock<Option<File>> = OnceLock::new();

struct Kept {
    bodies: BTreeMap<usize, Body>,
    length: u64,
}

struct Body {
    /// Held for ever, so that nothing else gets its address.
    bytes: Bytes,
    offset: u64,
}

impl Kept {
    fn offset_of(&self, part: &[u8]) -> Option<u64> {
        let address = part.as_ptr() as usize;
        let (start, body) = self.bodies.range(..=address).next_back()?;
        let within = address - start;
        (within + part.len() <= body.bytes.len()).then(|| body.offset + within as u64)
    }
}

/// Keeps a body, if it is large enough and is not kept yet. It must be one of a limited number that live as long as the
/// process, such as a page or a script.
pub fn keep(bytes: &Bytes) {
    if bytes.len() < MIN_BYTES || KEPT.read().offset_of(bytes).is_some() {
        return;
    }
    let Some(file) = file() else { return };
    let mut kept = KEPT.write();
    let offset = kept.length.next_multiple_of(PAGE);
    let length = offset + bytes.len() as u64;
    if length <= MAX_BYTES && kept.offset_of(bytes).is_none() && file.write_all_at(bytes, offset).is_ok() {
        let bytes = bytes.clone();
        kept.bodies
            .insert(bytes.as_ptr() as usize, Body { bytes, offset });
        kept.length = length;
    }
}

/// Returns where a part of a body is kept: the file, and the offset in it. `None` for anything else.
pub fn place(part: &[u8]) -> Option<(&'static File, u64)> {
    if part.len() < MIN_BYTES {
        return None;
    }
    let offset = KEPT.read().offset_of(part)?;
    Some((file()?, offset))
}

fn file() -> Option<&'static File> {
    let file = FILE.get_or_init(|| memfd_create("bodies", MemfdFlags::CLOEXEC).ok().map(File::from));
    file.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_large_part_is_found_and_nothing_else() {
        let body: Vec<u8> = (0..100_000_u32).map(|number| number.to_le_bytes()[1]).collect();
        let kept = Bytes::from(body.clone());
        keep(&kept);
        keep(&kept);
        for range in [0..100_000, 1..100_000, 50_000..99_999] {
            let part = &kept[range];
            let (file, offset) = place(part).unwrap();
            let mut found = vec![0; part.len()];
            file.read_exact_at(&mut found, offset).unwrap();
            assert!(found == part);
        }
        assert!(place(&kept[..MIN_BYTES - 1]).is_none(), "copying costs less");
        assert!(place(&body).is_none(), "the same bytes elsewhere");
        let small = Bytes::from(vec![0; MIN_BYTES - 1]);
        keep(&small);
        assert!(place(&small).is_none());
    }

    #[test]
    fn what_finds_no_room_is_not_kept() {
        let large = Bytes::from(vec![0; usize::try_from(MAX_BYTES).unwrap() + 1]);
        keep(&large);
        assert!(place(&large).is_none());
    }
}
