//! ACME state that survives restarts: in files of the data directory, or in the store that instances share. With a shared store,
//! one instance places orders at a time; all of them answer challenges and serve the certificate.

use std::fmt::Write as _;
use std::fs::{self, DirBuilder, File, Permissions};
use std::future::pending;
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::failure::AcmeFailure;
use crate::base::files::partial::PartialFile;
use crate::store::{AcmeChange, Store};
use crate::web::Challenges;

/// The account and its key.
pub const ACCOUNT: &str = "account.json";
/// The certificate's key, the certificate and its chain, in PEM.
pub const CERTIFICATE: &str = "certificate.pem";
/// The record of failed attempts.
pub const FAILURES: &str = "failures.json";

/// The folder inside the data directory.
const FOLDER: &str = "acme";
/// Owner only: the folder holds private keys.
const FOLDER_MODE: u32 = 0o700;

/// The name of the lease that an instance holds while it places an order.
const LEASE: &str = "lease";

/// Covers one whole attempt. If an instance is killed, the others cannot order for this long.
const LEASE_TIME: Duration = Duration::from_mins(12);

/// How often an instance looks for published challenges.
const POLL: Duration = Duration::from_secs(1);

/// The pause between publishing challenges and asking the CA to check them: enough for every instance to have read them, unless the
/// store is slow.
const SPREAD: Duration = Duration::from_secs(3);

/// How long instances answer a challenge: slightly longer than the CA is polled for the result.
const PUBLISHED: Duration = Duration::from_mins(3);

/// Where the account and the certificate are stored.
#[derive(Debug, Clone)]
pub enum Place {
    /// Files in this data directory.
    Directory(PathBuf),
    /// The store that instances share.
    Shared(Arc<Store>),
}

/// The stored state for one CA.
#[derive(Debug)]
pub struct AcmeCache {
    place: Place,
    /// The folder of the files, or the prefix of the names in the store.
    folder: PathBuf,
    /// Identifies this instance.
    holder: [u8; 16],
}

impl AcmeCache {
    /// Opens the state for a CA.
    ///
    /// # Errors
    /// If the data directory cannot be used.
    pub fn open(place: &Place, directory: &str) -> io::Result<Self> {
        let name = name_of(directory);
        let folder = match place {
            Place::Directory(data_dir) => open_folder(data_dir, &name)?,
            Place::Shared(_) => name.into(),
        };
        let mut holder = [0; 16];
        getrandom::fill(&mut holder)?;
        Ok(Self {
            place: place.clone(),
            folder,
            holder,
        })
    }

    /// Reads an entry; `None` if it does not exist.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, AcmeFailure> {
        let path = self.folder.join(name);
        match &self.place {
            Place::Directory(_) => {
                blocking(move || match fs::read(path) {
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                    read => read.map(Some),
                })
                .await
            }
            Place::Shared(store) => Ok(store.shared(path.display().to_string()).await?),
        }
    }

    /// Replaces an entry atomically. Files are readable by the owner only.
    ///
    /// # Errors
    /// If it cannot be written; the previous contents are unchanged.
    pub async fn write(&self, name: &str, bytes: Vec<u8>) -> Result<(), AcmeFailure> {
        match &self.place {
            Place::Directory(_) => {
                let (folder, path) = (self.folder.clone(), self.folder.join(name));
                blocking(move || {
                    let mut new = PartialFile::create(&folder)?;
                    new.file.write_all(&bytes)?;
                    new.put(&path)
                })
                .await
            }
            Place::Shared(store) => self.change(store, name, AcmeChange::Put(bytes)).await.map(drop),
        }
    }

    /// Acquires the right to order; `false` while another instance holds it.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn begin(&self) -> Result<bool, AcmeFailure> {
        let lease = AcmeChange::Lease(self.holder, LEASE_TIME);
        match &self.place {
            Place::Directory(_) => Ok(true),
            Place::Shared(store) => self.change(store, LEASE, lease).await,
        }
    }

    /// Publishes the responses on every instance that the CA may ask.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn answer(
        &self,
        challenges: &Challenges,
        responses: Vec<(String, String)>,
    ) -> Result<(), AcmeFailure> {
        match &self.place {
            Place::Directory(_) => challenges.set(responses),
            Place::Shared(store) => {
                for (challenge, response) in responses {
                    let publish = AcmeChange::Publish(response, PUBLISHED);
                    store.change_shared(challenge, publish).await?;
                }
                sleep(SPREAD).await;
            }
        }
        Ok(())
    }

    /// Ends what [`Self::begin`] began, so that other instances may order.
    pub async fn end(&self, challenges: &Challenges) {
        let end = AcmeChange::EndLease(self.holder);
        match &self.place {
            Place::Directory(_) => challenges.set([]),
            // Otherwise the lease expires by itself.
            Place::Shared(store) => drop(self.change(store, LEASE, end).await),
        }
    }

    /// Picks up the responses that instances publish. Never returns.
    pub async fn follow(&self, challenges: &Challenges) {
        let Place::Shared(store) = &self.place else {
            return pending().await;
        };
        loop {
            sleep(POLL).await;
            if let Ok(published) = store.challenges().await {
                challenges.set(published);
            }
        }
    }

    async fn change(&self, store: &Store, name: &str, change: AcmeChange) -> Result<bool, AcmeFailure> {
        let name = self.folder.join(name).display().to_string();
        Ok(store.change_shared(name, change).await?)
    }
}

/// Creates the folder of a CA if it is missing, and makes it private.
fn open_folder(data_dir: &Path, name: &str) -> io::Result<PathBuf> {
    let parent = data_dir.join(FOLDER);
    let folder = parent.join(name);
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER_MODE)
        .create(&folder)?;
    for path in [&parent, &folder] {
        fs::set_permissions(path, Permissions::from_mode(FOLDER_MODE))?;
    }
    File::open(&parent)?.sync_all()?;
    Ok(folder)
}

/// Runs a file operation on a blocking thread.
async fn blocking<T: Send + 'static>(
    task: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, AcmeFailure> {
    let done = spawn_blocking(task).await.map_err(io::Error::other)?;
    Ok(done?)
}

/// The folder name for a CA: its host, for readability, and a digest of the URL, since one host may serve several directories.
fn name_of(directory: &str) -> String {
    let uri: Option<Uri> = directory.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or("directory");
    // IPv6 addresses are in brackets.
    let host = host.trim_matches(['[', ']']);
    let digest = Sha256::digest(directory.as_bytes());
    let mut name = format!("{host}-");
    for byte in digest.iter().take(4) {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGING: &str = "https://acme-staging-v02.api.letsencrypt.org/directory";

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn open(data: &Path) -> (AcmeCache, PathBuf) {
        let cache = AcmeCache::open(&Place::Directory(data.to_owned()), STAGING).unwrap();
        (cache, data.join(FOLDER).join(name_of(STAGING)))
    }

    #[tokio::test]
    async fn files_are_replaced_as_a_whole_and_closed_to_others() {
        let data = tempfile::tempdir().unwrap();
        let (files, folder) = open(data.path());
        assert_eq!(files.read(ACCOUNT).await.unwrap(), None);
        files.write(ACCOUNT, b"one".to_vec()).await.unwrap();
        files.write(ACCOUNT, b"two".to_vec()).await.unwrap();
        assert_eq!(files.read(ACCOUNT).await.unwrap().unwrap(), b"two");
        assert_eq!(mode(&folder.join(ACCOUNT)), 0o600);
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&data.path().join(FOLDER)), 0o700);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[tokio::test]
    async fn folders_that_were_opened_to_others_are_closed() {
        let data = tempfile::tempdir().unwrap();
        let (files, folder) = open(data.path());
        files.write(ACCOUNT, b"one".to_vec()).await.unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        let (files, folder) = open(data.path());
        assert_eq!(files.read(ACCOUNT).await.unwrap().unwrap(), b"one");
        assert_eq!(mode(&folder), 0o700);
    }

    #[test]
    fn each_directory_has_a_folder_of_its_own() {
        assert_eq!(name_of(STAGING), "acme-staging-v02.api.letsencrypt.org-67f27506");
        assert!(name_of("https://[::1]:14000/dir").starts_with("::1-"));
        assert_ne!(name_of("https://a.example/1"), name_of("https://a.example/2"));
    }
}
