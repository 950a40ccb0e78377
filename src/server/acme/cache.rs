//! What is kept across restarts, and where: in files of the data directory, or in the store that instances share. There, one
//! instance orders. The others answer its challenges, and serve its certificate.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::challenge::{ChallengeAnswer, ChallengeAnswers, Response};
use super::failure::AcmeFailure;
use super::files::{CERTIFICATE, Files, name_of};
use super::stored::StoredCertificate;
use crate::base::text::acme_flags::Domain;
use crate::store::{AcmeChange, Store};

/// The name of the lease that an instance holds while it orders.
const LEASE: &str = "lease";

/// For one attempt with all that belongs to it. An instance that is killed keeps others from ordering for this long.
const LEASE_TIME: Duration = Duration::from_mins(12);

/// How often an instance looks for challenges and a new certificate.
const POLL: Duration = Duration::from_secs(1);

/// The pause between publishing a challenge and telling the directory that it can be checked: every instance has seen it by then,
/// unless the store answers slowly.
const SPREAD: Duration = Duration::from_secs(3);

/// How long other instances answer a challenge: a little longer than the directory is asked whether it is done.
const PUBLISHED: Duration = Duration::from_mins(3);

/// Of this many looks, one is for the certificate.
const CERTIFICATE_EVERY: u32 = 10;

/// Where account and certificate are kept.
#[derive(Debug, Clone)]
pub enum Place {
    /// In this data directory.
    Directory(PathBuf),
    /// In the store that instances share.
    Shared(Arc<Store>),
}

/// What belongs to one directory.
#[derive(Debug, Clone)]
pub enum AcmeCache {
    /// In files.
    Files(Files),
    /// In the store.
    Shared(SharedCache),
}

/// What belongs to one directory in the store that instances share.
#[derive(Debug, Clone)]
pub struct SharedCache {
    store: Arc<Store>,
    directory: String,
    /// Tells this instance from others.
    holder: [u8; 16],
}

impl AcmeCache {
    /// Opens what belongs to a directory.
    ///
    /// # Errors
    /// When the data directory cannot be used.
    pub fn open(place: &Place, directory: &str) -> io::Result<Self> {
        Ok(match place {
            Place::Directory(data_dir) => Self::Files(Files::open(data_dir, directory)?),
            Place::Shared(shared) => {
                let mut holder = [0; 16];
                getrandom::fill(&mut holder)?;
                Self::Shared(SharedCache {
                    store: Arc::clone(shared),
                    directory: name_of(directory),
                    holder,
                })
            }
        })
    }

    /// Returns what instances share, if that is where it is.
    pub fn shared(&self) -> Option<&SharedCache> {
        match self {
            Self::Files(_) => None,
            Self::Shared(cache) => Some(cache),
        }
    }

    /// Says where something is, for operators.
    pub fn place(&self, name: &str) -> String {
        match self {
            Self::Files(files) => files.path(name).display().to_string(),
            Self::Shared(cache) => format!("{} in the database", cache.name(name)),
        }
    }

    /// Reads something; `None` if it is not there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn read(&self, name: &'static str) -> Result<Option<Vec<u8>>, AcmeFailure> {
        match self {
            Self::Files(files) => blocking(files, move |files| files.read(name)).await,
            Self::Shared(cache) => cache.read(name).await,
        }
    }

    /// Replaces something in one step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn write(&self, name: &'static str, bytes: Vec<u8>) -> Result<(), AcmeFailure> {
        match self {
            Self::Files(files) => blocking(files, move |files| files.write(name, &bytes)).await,
            Self::Shared(cache) => cache.change(name, AcmeChange::Put(bytes)).await.map(drop),
        }
    }

    /// Removes something if it is there.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub async fn remove(&self, name: &'static str) -> Result<(), AcmeFailure> {
        match self {
            Self::Files(files) => blocking(files, move |files| files.remove(name)).await,
            Self::Shared(cache) => cache.change(name, AcmeChange::Remove).await.map(drop),
        }
    }
}

/// Runs a task that waits for the disk on a thread of its own.
async fn blocking<T, F>(files: &Files, task: F) -> Result<T, AcmeFailure>
where
    T: Send + 'static,
    F: FnOnce(&Files) -> io::Result<T> + Send + 'static,
{
    let files = files.clone();
    match spawn_blocking(move || task(&files)).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(io::Error::other("the task was broken off").into()),
    }
}

impl SharedCache {
    fn name(&self, name: &str) -> String {
        format!("{}/{name}", self.directory)
    }

    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, AcmeFailure> {
        Ok(self.store.shared(self.name(name)).await?)
    }

    async fn change(&self, name: &str, change: AcmeChange) -> Result<bool, AcmeFailure> {
        Ok(self.store.change_shared(self.name(name), change).await?)
    }

    /// Returns whether this instance may order: no other one does.
    ///
    /// # Errors
    /// While the store does not answer.
    pub async fn begin(&self) -> Result<bool, AcmeFailure> {
        self.change(LEASE, AcmeChange::Lease(self.holder, LEASE_TIME))
            .await
    }

    /// Lets others order.
    pub async fn end(&self) {
        // If the store does not answer, the lease ends by itself.
        let _ = self.change(LEASE, AcmeChange::EndLease(self.holder)).await;
    }

    /// Has every instance answer a challenge, and waits until they do.
    ///
    /// # Errors
    /// While the store does not answer.
    pub async fn publish(&self, response: &Response) -> Result<(), AcmeFailure> {
        let answer = AcmeChange::Publish(response.text().to_owned(), PUBLISHED);
        self.store.change_shared(response.token(), answer).await?;
        sleep(SPREAD).await;
        Ok(())
    }

    /// Answers what others have published, and serves what they got for these domains: a configuration that names others is
    /// rolled out to one instance after the other. Runs forever.
    pub async fn follow(&self, answers: &ChallengeAnswers, domains: &[Domain]) {
        let mut given: BTreeMap<Response, Option<ChallengeAnswer>> = BTreeMap::new();
        let mut last = None;
        let mut looks = 0_u32;
        loop {
            sleep(POLL).await;
            if let Ok(challenges) = self.store.challenges().await {
                let challenges: BTreeSet<_> = challenges.into_iter().filter_map(Response::read).collect();
                // First, since a new answer may have the name of one that has ended.
                given.retain(|response, _| challenges.contains(response));
                for response in challenges {
                    // One that cannot be answered is not tried again each second.
                    given
                        .entry(response)
                        .or_insert_with_key(|new| answers.give(new).ok());
                }
            }
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(CERTIFICATE_EVERY)
                && let Ok(Some(pem)) = self.read(CERTIFICATE).await
                && last.as_ref() != Some(&pem)
            {
                if let Some(stored) = StoredCertificate::parse_shared(&pem, domains) {
                    answers.resolver.set_default(stored.certificate);
                }
                last = Some(pem);
            }
        }
    }
}
