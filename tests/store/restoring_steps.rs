//! The power fails, or the disk does, at every single step of a restore: either nothing has the name of the file of inquiries, and
//! restoring again works, or everything is there. The list of what was erased can be read in between and names what is missing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use jiff::Timestamp;
use taubenabwehr::inquiry::Inquiry;
use taubenabwehr::store::erased_list::{self, Erased};
use taubenabwehr::store::redb::erasure_log::{ListOperations, OpenList};
use taubenabwehr::store::redb::restore::{Target, put};
use taubenabwehr::store::{Backup, BackupError, Store, restore};
use tempfile::TempDir;

use crate::disk::{Disk, Fault};
use crate::erasing_steps::{Directory, Name};
use crate::image::Image;
use crate::support::*;

/// Inquiries in the backup; every third was erased since.
const COUNT: u64 = 24;

/// What the list named before.
const BEFORE: &str =
    "{\"id\":\"00000000-0000-0000-0000-000000000001\",\"erased_at\":\"2026-11-01T13:00:00.000Z\"}\n";

/// The list on a disk that fails. It shares the disk's steps.
struct List {
    disk: Disk,
    /// What is written, and how much of it is durable.
    text: Rc<RefCell<Vec<u8>>>,
    durable: Cell<usize>,
    /// Whether it was there before.
    before: usize,
}

impl List {
    fn new(disk: &Disk, before: &str) -> Self {
        Self {
            disk: disk.clone(),
            text: Rc::new(RefCell::new(before.into())),
            durable: Cell::new(before.len()),
            before: before.len(),
        }
    }

    /// Returns what may be in the file after a power cut: of what was not durable any part, and zeros for the rest or nothing.
    fn left(&self) -> Vec<Vec<u8>> {
        let (text, durable) = (self.text.borrow(), self.durable.get());
        let mut left = vec![text.clone()];
        for end in (durable..text.len()).step_by(37) {
            left.push(text[..end].to_vec());
            let mut zeros = text.clone();
            zeros[end..].fill(0);
            left.push(zeros);
            let mut hole = text.clone();
            hole[durable..end].fill(0);
            left.push(hole);
        }
        left
    }
}

struct Lines {
    disk: Disk,
    text: Rc<RefCell<Vec<u8>>>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.step()?;
        self.text.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ListOperations for List {
    fn open(&self) -> io::Result<OpenList<'_>> {
        self.disk.step()?;
        Ok(OpenList {
            lines: Box::new(Lines {
                disk: self.disk.clone(),
                text: Rc::clone(&self.text),
            }),
            before: self.before as u64,
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.step()?;
        self.durable.set(self.text.borrow().len());
        Ok(())
    }

    fn put_back(&self, before: u64) -> io::Result<()> {
        self.disk.step()?;
        let before = usize::try_from(before).map_err(io::Error::other)?;
        self.text.borrow_mut().truncate(before);
        self.durable.set(before);
        Ok(())
    }
}

/// A backup, and what must be there when it is restored.
struct Lost {
    _dir: TempDir,
    backup: PathBuf,
    kept: Vec<Inquiry>,
    erased: Erased,
}

impl Lost {
    async fn new() -> Self {
        let dir = directory_in_memory();
        let store = Store::open(dir.path()).unwrap();
        for number in 0..COUNT {
            store.put(sample(number), None).await.unwrap();
        }
        let mut kept = all(&store).await;
        let backup = dir.path().join("the.backup");
        pack(store.rows().await.unwrap(), store.now(), &backup).await;
        store.close(Duration::from_secs(100)).await;
        let erased: Erased = kept
            .iter()
            .step_by(3)
            .map(|inquiry| (inquiry.id, Timestamp::UNIX_EPOCH))
            .collect();
        kept.retain(|inquiry| !erased.contains_key(&inquiry.id));
        Self {
            _dir: dir,
            backup,
            kept,
            erased,
        }
    }

    /// Restores with a fault, then cuts the power. Gives the steps.
    async fn restore(&self, before: &str, fault: Fault, seed: u64) -> usize {
        let what = format!("{fault:?} with seed {seed} after {before:?}");
        let files = Directory {
            new: Disk::new(&Image::default(), fault, seed),
            name: Cell::new(Name::Old),
        };
        let list = List::new(&files.new, before);
        let target = Target {
            data_dir: &self.backup,
            files: &files,
            list: &list,
            listed: BTreeMap::new(),
        };
        let mut backup = Backup::read(&self.backup).unwrap();
        let restored = put(&mut backup, &target, &self.erased, Timestamp::now());
        let steps = files.new.steps();
        let name = files.name.get();
        match (&restored, name) {
            (Ok(restored), Name::New) => assert_eq!(restored.inquiries, self.kept.len() as u64, "{what}"),
            (Err(BackupError::Unsure(_)), Name::Either) | (Err(_), Name::Old | Name::New) => {}
            other => panic!("{what}: the answer is wrong: {other:?}"),
        }
        let left = files.new.cut();
        for list in list.left() {
            if name != Name::New {
                self.check_nothing(&left, &list, &what).await;
            }
            if name != Name::Old {
                self.check_everything(&left, &list, &what).await;
            }
        }
        steps
    }

    /// Checks that the target has no inquiries, and that restoring again works.
    async fn check_nothing(&self, left: &Image, list: &[u8], what: &str) {
        let dir = directory_in_memory();
        fs::write(new_file(dir.path()), left.bytes()).unwrap();
        let path = dir.path().join("erased.jsonl");
        fs::write(&path, list).unwrap();
        erased_list::read(&path).unwrap_or_else(|error| panic!("{what}: {error}"));
        let restored = restore(&self.backup, dir.path(), &self.erased, Timestamp::now());
        restored.unwrap_or_else(|error| panic!("{what}: {error}"));
        self.check(&dir, what).await;
    }

    /// Checks that everything is there already, and stays.
    async fn check_everything(&self, left: &Image, list: &[u8], what: &str) {
        let dir = directory_in_memory();
        fs::write(file(dir.path()), left.bytes()).unwrap();
        fs::write(dir.path().join("erased.jsonl"), list).unwrap();
        self.check(&dir, what).await;
        let again = restore(&self.backup, dir.path(), &self.erased, Timestamp::now());
        assert!(
            matches!(again, Err(BackupError::NotEmpty { .. })),
            "{what}: {again:?}"
        );
        self.check(&dir, what).await;
    }

    async fn check(&self, dir: &TempDir, what: &str) {
        let store = Store::open(dir.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(all(&store).await == self.kept, "{what}");
        store.close(Duration::from_secs(100)).await;
        let listed = erased_list::read(&dir.path().join("erased.jsonl"));
        let listed = listed.unwrap_or_else(|error| panic!("{what}: {error}"));
        for id in self.erased.keys() {
            assert!(listed.contains_key(id), "{what}: {id} is not listed");
        }
    }
}

#[tokio::test]
async fn the_disk_or_the_power_fails_at_any_step_of_a_restore() {
    let lost = Lost::new().await;
    for before in ["", BEFORE] {
        let steps = lost.restore(before, Fault::Never, 1).await;
        for (step, seed) in (1..=steps).zip(1..) {
            for fault in [Fault::Cut(step), Fault::Once(step), Fault::From(step)] {
                lost.restore(before, fault, seed).await;
            }
        }
        println!("a fault of each kind at each of {steps} steps of a restore");
    }
}
