//! The socket's path and who may connect to it.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;
use tokio::net::{UnixListener, UnixStream};

use crate::base::files::FileIdentity;
use crate::store::FILE_NAME;

/// Name of the socket in the data directory.
const NAME: &str = "control.sock";
/// Only the server's user may connect.
const MODE: u32 = 0o600;
/// Size limit of a socket path in the kernel, in bytes, with the terminating NUL (`sun_path` in unix(7)).
const PATH_LIMIT: usize = 108;

/// Listener in the data directory. Dropping it removes the socket.
#[derive(Debug)]
pub struct ControlListener {
    socket: UnixListener,
    data_dir: PathBuf,
    /// Identifies the socket's file, in case another takes its name.
    identity: Option<FileIdentity>,
    /// Identifies the data directory, in case its path leads elsewhere later.
    directory: Option<FileIdentity>,
}

impl ControlListener {
    /// Creates the socket. The caller must hold the directory's store: a socket found there is left over from a dead process and
    /// replaced. Must be called within the runtime.
    ///
    /// # Errors
    /// When the system refuses, or a file that is not a socket has the name.
    pub fn bind(data_dir: &Path) -> io::Result<Self> {
        let path = data_dir.join(NAME);
        remove_socket(&path)?;
        let (short, _directory) = short_path(data_dir)?;
        let socket = UnixListener::bind(short)?;
        // Others who connect before this takes effect are refused by `accept`.
        fs::set_permissions(&path, Permissions::from_mode(MODE))?;
        Ok(Self {
            socket,
            data_dir: data_dir.to_owned(),
            identity: FileIdentity::at(&path),
            directory: FileIdentity::behind(data_dir),
        })
    }

    /// Accepts the next connection from a permitted user.
    pub async fn accept(&self) -> io::Result<UnixStream> {
        loop {
            let (stream, _) = self.socket.accept().await?;
            let peer = stream.peer_cred()?.uid();
            if admits(peer) {
                return Ok(stream);
            }
            tracing::warn!(uid = peer, "refused a connection to the control socket");
        }
    }

    /// Recreates the socket if it was removed, and returns whether it did. Anything else under its name belongs to another process
    /// and is left alone.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn renew(&mut self) -> io::Result<bool> {
        let is_there = fs::symlink_metadata(self.data_dir.join(NAME)).is_ok();
        if is_there || FileIdentity::behind(&self.data_dir) != self.directory {
            return Ok(false);
        }
        *self = Self::bind(&self.data_dir)?;
        Ok(true)
    }
}

impl Drop for ControlListener {
    fn drop(&mut self) {
        let path = self.data_dir.join(NAME);
        if FileIdentity::at(&path) == self.identity {
            // If it cannot be removed, the next start replaces it.
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether a user may send commands, even if the socket's mode was widened: only the server's own user and root, who can read the
/// store anyway.
fn admits(uid: u32) -> bool {
    uid == geteuid().as_raw() || uid == 0
}

/// Connects to the server of a data directory, which must run as root, as this user, or as the owner of the directory or its store.
/// Must be called within the runtime.
pub async fn connect(data_dir: &Path) -> io::Result<UnixStream> {
    let (short, _directory) = short_path(data_dir)?;
    let stream = UnixStream::connect(short).await?;
    let owner = |path: &Path| fs::metadata(path).ok().map(|found| found.uid());
    let owners = [owner(data_dir), owner(&data_dir.join(FILE_NAME))];
    let peer = stream.peer_cred()?.uid();
    if is_server(peer, geteuid().as_raw(), owners) {
        return Ok(stream);
    }
    Err(io::Error::new(
        ErrorKind::PermissionDenied,
        format!("another user (uid {peer}) listens on its control socket"),
    ))
}

/// Whether to trust a server of this user. If others can write to the directory, any of them could place a socket there.
fn is_server(peer: u32, own: u32, owners: [Option<u32>; 2]) -> bool {
    peer == 0 || peer == own || owners.contains(&Some(peer))
}

/// Removes a socket, if there is one.
///
/// # Errors
/// When the system refuses, or a file that is not a socket has the name.
fn remove_socket(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_socket() => fs::remove_file(path),
        Ok(_) => Err(io::Error::new(
            ErrorKind::AlreadyExists,
            format!("{} is not a socket; move it away", path.display()),
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// A path that fits a socket address however long the directory's path is, and the open directory that keeps it valid.
fn short_path(data_dir: &Path) -> io::Result<(PathBuf, Option<File>)> {
    let path = data_dir.join(NAME);
    if path.as_os_str().len() < PATH_LIMIT {
        return Ok((path, None));
    }
    let directory = File::open(data_dir)?;
    let path = format!("/proc/self/fd/{}/{NAME}", directory.as_raw_fd());
    Ok((path.into(), Some(directory)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn only_this_user_may_connect_and_the_dead_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(NAME);
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(connect(dir.path()).await.is_err());

        let listener = ControlListener::bind(dir.path()).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let (client, server) = tokio::join!(connect(dir.path()), listener.accept());
        assert!(client.is_ok() && server.is_ok());
        let us = geteuid().as_raw();
        assert!(admits(us) && admits(0));
        assert!(!admits(us + 1) && !admits(u32::MAX));
        drop(listener);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_socket_of_a_stranger_is_no_server() {
        for (peer, own, owners, expected) in [
            (7, 7, [None, None], true),
            (0, 7, [Some(7), Some(7)], true),
            // Root sends a command to another user's server.
            (7, 0, [Some(7), Some(7)], true),
            (7, 0, [Some(1), Some(7)], true),
            (8, 0, [Some(7), Some(7)], false),
            (8, 7, [Some(7), None], false),
        ] {
            assert_eq!(is_server(peer, own, owners), expected, "{peer} {own} {owners:?}");
        }
    }

    #[tokio::test]
    async fn a_socket_that_was_removed_is_made_anew_unless_another_has_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let path = data.join(NAME);
        fs::create_dir(&data).unwrap();
        let mut listener = ControlListener::bind(&data).unwrap();
        assert!(!listener.renew().unwrap());
        fs::remove_file(&path).unwrap();
        assert!(listener.renew().unwrap());
        let (client, server) = tokio::join!(connect(&data), listener.accept());
        assert!(client.is_ok() && server.is_ok());

        // Another server's directory, under the path of this one's.
        fs::rename(&data, dir.path().join("moved")).unwrap();
        fs::create_dir(&data).unwrap();
        assert!(!listener.renew().unwrap());
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(!listener.renew().unwrap());
        drop(listener);
        assert!(path.exists());
    }

    #[tokio::test]
    async fn a_long_path_is_no_hindrance() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("x".repeat(200));
        fs::create_dir(&deep).unwrap();
        let listener = ControlListener::bind(&deep).unwrap();
        let connected = async { tokio::join!(connect(&deep), listener.accept()) };
        let (client, _) = tokio::time::timeout(Duration::from_secs(5), connected)
            .await
            .unwrap();
        assert!(client.is_ok());
    }

    #[tokio::test]
    async fn what_is_no_socket_stays() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(NAME), "notes").unwrap();
        let error = ControlListener::bind(dir.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("control.sock is not a socket; move it away"),
            "{error}"
        );
        assert_eq!(fs::read(dir.path().join(NAME)).unwrap(), b"notes");
    }
}
