//! Messages to the service manager, if there is one.

use std::env;
use std::fmt::Write as _;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// How long a message may take: an unresponsive service manager must not block the server.
const TIME: Duration = Duration::from_secs(1);

/// Reports that the server listens and its store is open.
pub async fn ready() {
    notify(|| Ok(vec![NotifyState::Ready])).await;
}

/// Reports that the configuration is being read again; [`ready`] reports the end of that.
pub async fn reloading() {
    notify(|| Ok(vec![NotifyState::Reloading, NotifyState::monotonic_usec_now()?])).await;
}

/// Reports that the server is stopping.
pub async fn stopping() {
    notify(|| Ok(vec![NotifyState::Stopping])).await;
}

/// Reports that the server is alive.
pub async fn alive() {
    notify(|| Ok(vec![NotifyState::Watchdog])).await;
}

async fn notify(message: fn() -> io::Result<Vec<NotifyState<'static>>>) {
    if env::var_os("NOTIFY_SOCKET").is_none() {
        return;
    }
    let sending = spawn_blocking(move || send(&message()?));
    match timeout(TIME, sending).await {
        Ok(Ok(Ok(()))) => {}
        Ok(Ok(Err(error))) => tracing::warn!(%error, "the service manager could not be told"),
        Ok(Err(_)) | Err(_) => tracing::warn!("the service manager does not listen"),
    }
}

/// Sends by the library to a socket in the file system, and directly to an abstract one, whose name begins with `@`.
fn send(states: &[NotifyState<'_>]) -> io::Result<()> {
    let socket = env::var_os("NOTIFY_SOCKET").unwrap_or_default();
    let Some(name) = socket.as_bytes().strip_prefix(b"@") else {
        return sd_notify::notify(states);
    };
    let mut message = String::new();
    for state in states {
        // A string takes every text.
        let _ = writeln!(message, "{state}");
    }
    let address = SocketAddr::from_abstract_name(name)?;
    // A datagram is sent as a whole or not at all.
    UnixDatagram::unbound()?.send_to_addr(message.as_bytes(), &address)?;
    Ok(())
}
