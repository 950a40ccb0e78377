//! The power fails, or the disk does, at every single step of an erasure: either all is erased or nothing, and what
//! stays is whole.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::io;

use super::disk::{Disk, Fault};
use super::image::Image;
use super::*;

/// Inquiries in the file; every third is erased.
const COUNT: u64 = 30;

/// A directory with the file that is there and the one that takes its place.
struct Directory {
    new: Disk,
    name: Cell<Name>,
}

/// Which file has the real name after a power cut.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Name {
    Old,
    /// Renamed, but the directory was not synced.
    Either,
    New,
}

impl make::Making for Directory {
    type Content = Disk;

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
            store.insert(sample(number), key).await.unwrap();
        }
        let all = all(&store);
        let erased = all.iter().step_by(3).map(|inquiry| inquiry.id).collect();
        store.close();
        let image = Image::of(&fs::read(directory::file(dir.path())).unwrap());
        Self { image, all, erased }
    }

    /// Erases with a fault, then cuts the power. Gives the steps.
    async fn erase(&self, fault: Fault, seed: u64) -> usize {
        let what = format!("{fault:?} with seed {seed}");
        let old = open::on(Disk::new(&self.image, Fault::Never, seed)).unwrap();
        let directory = Directory {
            new: Disk::new(&Image::default(), fault, seed),
            name: Cell::new(Name::Old),
        };
        let erasure = Erasure::Ids(self.erased.clone());
        let made = make::make(&directory, |new| {
            erasure::copy(&old.begin_read()?, new, &erasure, Timestamp::now())
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
    async fn check(&self, file: &Image, erased: &[Uuid], what: &str) {
        let dir = directory_in_memory();
        fs::write(directory::file(dir.path()), file.bytes()).unwrap();
        let store = Store::open(dir.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
        let mut expected = self.all.clone();
        expected.retain(|inquiry| !erased.contains(&inquiry.id));
        assert!(all(&store) == expected, "{what}");
        for (number, first) in (0..3).zip(&self.all) {
            let again = store.insert(sample(number), key(&format!("key-{number}"))).await;
            assert_eq!(again.as_ref(), Ok(first), "{what}");
        }
        assert!(all(&store) == expected, "{what}");
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
