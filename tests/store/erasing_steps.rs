//! The power fails, or the disk does, at every single step of an erasure: either all is erased or nothing, and what
//! stays is whole.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::io;

use std::time::Duration;

use jiff::Timestamp;
use redb::ReadableDatabase;
use taubenabwehr::inquiry::Inquiry;
use taubenabwehr::store::redb::copying::Copying;
use taubenabwehr::store::redb::create::{self, FileOperations};
use taubenabwehr::store::redb::tables;
use taubenabwehr::store::{Erasure, Store};
use uuid::Uuid;

use crate::disk::{Disk, Fault};
use crate::image::Image;
use crate::support::*;

/// Inquiries in the file; every third is erased.
const COUNT: u64 = 30;

/// A directory with the file that is there and the one that takes its place.
pub struct Directory {
    pub new: Disk,
    pub name: Cell<Name>,
}

/// Which file has the real name after a power cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Name {
    Old,
    /// Renamed, but the directory was not synced.
    Either,
    New,
}

impl FileOperations for Directory {
    type Storage = Disk;

    fn create(&self) -> Result<Disk, redb::Error> {
        self.new.step()?;
        Ok(self.new.clone())
    }

    fn sync(&self) -> io::Result<()> {
        redb::StorageBackend::sync_data(&self.new)
    }

    fn rename(&self) -> io::Result<()> {
        self.new.step()?;
        self.name.set(Name::Either);
        Ok(())
    }

    fn sync_name(&self) -> io::Result<()> {
        self.new.step()?;
        self.name.set(Name::New);
        Ok(())
    }

    fn remove(&self) {
        assert_eq!(self.name.get(), Name::Old, "what has the real name must stay");
    }
}

/// The file that is there.
struct Old {
    image: Image,
    all: Vec<Inquiry>,
    erased: BTreeSet<Uuid>,
}

impl Old {
    async fn new() -> Self {
        let dir = directory_in_memory();
        let store = Store::open(dir.path()).unwrap();
        for number in 0..COUNT {
            let key = key(&format!("key-{number}"));
            store.put(sample(number), key).await.unwrap();
        }
        let all = all(&store).await;
        let erased = all.iter().step_by(3).map(|inquiry| inquiry.id).collect();
        store.close(Duration::from_secs(100)).await;
        let image = Image::of(&fs::read(file(dir.path())).unwrap());
        Self { image, all, erased }
    }

    /// Erases with a fault, then cuts the power. Gives the steps.
    async fn erase(&self, fault: Fault, seed: u64) -> usize {
        let what = format!("{fault:?} with seed {seed}");
        let old = redb::Database::builder()
            .create_with_backend(Disk::new(&self.image, Fault::Never, seed))
            .unwrap();
        let directory = Directory {
            new: Disk::new(&Image::default(), fault, seed),
            name: Cell::new(Name::Old),
        };
        let erasure = Erasure::Ids(self.erased.clone());
        let made = create::replace_by(&directory, |new| {
            tables::copy_all(&Copying {
                old: &old.begin_read()?,
                new,
                erasure: Some(&erasure),
                now: Timestamp::now(),
                progress: &|| {},
            })
        });
        let expected = match &made {
            Ok(new) if new.named.is_ok() => Name::New,
            Ok(_) => Name::Either,
            Err(_) => Name::Old,
        };
        let (name, steps) = (directory.name.get(), directory.new.steps());
        assert_eq!(name, expected, "{what}: the answer is wrong");
        let left = directory.new.cut();
        if name != Name::New {
            self.check(&self.image, &[], &what).await;
        }
        if name != Name::Old {
            let erased: Vec<Uuid> = self.erased.iter().copied().collect();
            self.check(&left, &erased, &what).await;
        }
        steps
    }

    /// Checks that a file holds all but these, and that a repeated request does not bring them back.
    async fn check(&self, image: &Image, erased: &[Uuid], what: &str) {
        let dir = directory_in_memory();
        fs::write(file(dir.path()), image.bytes()).unwrap();
        let store = Store::open(dir.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
        let mut expected = self.all.clone();
        expected.retain(|inquiry| !erased.contains(&inquiry.id));
        assert!(all(&store).await == expected, "{what}");
        for (number, first) in (0..3).zip(&self.all) {
            let again = store.put(sample(number), key(&format!("key-{number}"))).await;
            assert_eq!(again.as_ref(), Ok(first), "{what}");
        }
        assert!(all(&store).await == expected, "{what}");
    }
}

#[tokio::test]
async fn the_disk_or_the_power_fails_at_any_step_of_an_erasure() {
    let old = Old::new().await;
    let steps = old.erase(Fault::Never, 1).await;
    for (step, seed) in (1..=steps).zip(1..) {
        for fault in [Fault::Cut(step), Fault::Once(step), Fault::From(step)] {
            old.erase(fault, seed).await;
        }
    }
    println!("a fault of each kind at each of {steps} steps of an erasure");
}
