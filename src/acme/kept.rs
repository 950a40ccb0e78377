//! Where account and certificate are kept: in files of the data directory, or in what instances share.

use std::path::PathBuf;
use std::time::Duration;

use super::failure::Failure;
use super::files::{CERTIFICATE, Files, name_of};
use crate::store::{Shared, Unavailable};

/// Who orders holds this name meanwhile.
const LEASE: &str = "lease";

/// For one try with all that belongs to it. An instance that is killed keeps others from ordering for so long.
const LEASE_TIME: Duration = Duration::from_mins(12);

/// Where account and certificate are kept.
#[derive(Debug, Clone)]
pub enum Place {
    /// In this data directory.
    Directory(PathBuf),
    /// In the store that instances share.
    Shared(Shared),
}

/// What belongs to one directory.
#[derive(Debug, Clone)]
pub enum Kept {
    /// In files.
    Files(Files),
    /// In the store.
    Shared(SharedKept),
}

/// What belongs to one directory in what instances share.
#[derive(Debug, Clone)]
pub struct SharedKept {
    /// What they share.
    pub shared: Shared,
    directory: String,
    /// Tells this instance from others.
    holder: [u8; 16],
}

impl Kept {
    /// Opens what belongs to a directory.
    ///
    /// # Errors
    /// When the data directory cannot be used.
    pub fn open(place: &Place, directory: &str) -> std::io::Result<Self> {
        Ok(match place {
            Place::Directory(data_dir) => Self::Files(Files::open(data_dir, directory)?),
            Place::Shared(shared) => {
                let mut holder = [0; 16];
                getrandom::fill(&mut holder)?;
                Self::Shared(SharedKept {
                    shared: shared.clone(),
                    directory: name_of(directory),
                    holder,
                })
            }
        })
    }

    /// Returns what instances share, if that is where it is.
    pub fn shared(&self) -> Option<&SharedKept> {
        match self {
            Self::Files(_) => None,
            Self::Shared(kept) => Some(kept),
        }
    }

    /// Says where something is, for people.
    pub fn place(&self, name: &str) -> String {
        match self {
            Self::Files(files) => files.path(name).display().to_string(),
            Self::Shared(kept) => format!("{} in the database", kept.name(name)),
        }
    }

    /// Reads something; `None` if it is not there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn read(&self, name: &'static str) -> Result<Option<Vec<u8>>, Failure> {
        match self {
            Self::Files(files) => {
                let files = files.clone();
                Failure::blocking(move || files.read(name)).await
            }
            Self::Shared(kept) => Ok(kept.shared.read(&kept.name(name)).await?),
        }
    }

    /// Writes something: whatever happens, it is the old or the new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn write(&self, name: &'static str, bytes: Vec<u8>) -> Result<(), Failure> {
        match self {
            Self::Files(files) => {
                let files = files.clone();
                Failure::blocking(move || files.write(name, &bytes)).await
            }
            Self::Shared(kept) => Ok(kept.shared.write(&kept.name(name), &bytes).await?),
        }
    }

    /// Removes something if it is there.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub async fn remove(&self, name: &'static str) -> Result<(), Failure> {
        match self {
            Self::Files(files) => {
                let files = files.clone();
                Failure::blocking(move || files.remove(name)).await
            }
            Self::Shared(kept) => Ok(kept.shared.remove(&kept.name(name)).await?),
        }
    }
}

impl SharedKept {
    fn name(&self, name: &str) -> String {
        format!("{}/{name}", self.directory)
    }

    /// Reads the certificate; `None` if there is none.
    ///
    /// # Errors
    /// While the store does not answer.
    pub async fn certificate(&self) -> Result<Option<Vec<u8>>, Unavailable> {
        self.shared.read(&self.name(CERTIFICATE)).await
    }

    /// Returns whether this instance may order: no other one does.
    ///
    /// # Errors
    /// While the store does not answer.
    pub async fn begin(&self) -> Result<bool, Failure> {
        let lease = self.name(LEASE);
        Ok(self.shared.lease(&lease, &self.holder, LEASE_TIME).await?)
    }

    /// Lets others order.
    pub async fn end(&self) {
        // If the store does not answer, the lease ends by itself.
        let _ = self.shared.end_lease(&self.name(LEASE), &self.holder).await;
    }
}
