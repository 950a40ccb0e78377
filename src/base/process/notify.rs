//! Notifications to the service manager by `sd_notify(3)`.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::process;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Time limit of a message: an unresponsive service manager must not block the server.
const TIME: Duration = Duration::from_secs(1);

/// Reports that the server is listening and its store is open.
pub async fn ready() {
    notify("READY=1\n".to_owned()).await;
}

/// Reports that the configuration is being reloaded; followed by [`ready`].
pub async fn reloading() {
    let now = clock_gettime(ClockId::Monotonic);
    let micros = now.tv_sec * 1_000_000 + now.tv_nsec / 1_000;
    notify(format!("RELOADING=1\nMONOTONIC_USEC={micros}\n")).await;
}

/// Reports that the server is stopping.
pub async fn stopping() {
    notify("STOPPING=1\n".to_owned()).await;
}

/// Reports that the server is alive, for the watchdog.
pub async fn alive() {
    notify("WATCHDOG=1\n".to_owned()).await;
}

/// The interval at which the service manager expects [`alive`]; `None` without a watchdog.
pub fn watchdog_period() -> Option<Duration> {
    let number = |name| env::var(name).ok()?.parse::<u64>().ok();
    let is_other = number("WATCHDOG_PID").is_some_and(|id| id != u64::from(process::id()));
    let micros = number("WATCHDOG_USEC").filter(|&micros| micros > 0 && !is_other)?;
    Some(Duration::from_micros(micros))
}

async fn notify(message: String) {
    let Some(socket) = env::var_os("NOTIFY_SOCKET") else {
        return;
    };
    let sending = spawn_blocking(move || send(&message, &socket));
    match timeout(TIME, sending).await {
        Ok(Ok(Ok(()))) => {}
        Ok(Ok(Err(error))) => tracing::warn!(%error, "the service manager could not be told"),
        Ok(Err(_)) | Err(_) => tracing::warn!("the service manager does not listen"),
    }
}

/// Sends a datagram to a socket in the file system, or to an abstract one, whose name starts with `@`. Datagrams are never sent
/// partially.
fn send(message: &str, socket: &OsString) -> io::Result<()> {
    let address = match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(socket)?,
    };
    UnixDatagram::unbound()?.send_to_addr(message.as_bytes(), &address)?;
    Ok(())
}
