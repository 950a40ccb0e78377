//! The integration with systemd or a compatible service manager: sockets that stay open across restarts, so that no client is
//! refused, and the watchdog, which restarts a server that hangs.

use std::collections::BTreeMap;
use std::env;
use std::net::TcpListener;
use std::time::Duration;

use listenfd::ListenFd;
use tokio::time::{Instant, sleep, timeout};

use crate::base::process::notify;
use crate::store::Store;

/// The name of a socket passed without one. systemd always sets a name; other programs need not.
const UNNAMED: &str = "http";

/// How long to wait for the store before checking whether it makes progress. Shorter than the store's own timeout, after which it
/// reports itself as not writable, hung or not.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Pause before the store is asked again: for a second after a failed attempt, it answers without trying.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// The passed sockets by name.
#[derive(Debug, Default)]
pub struct Inherited(BTreeMap<String, Vec<TcpListener>>);

impl Inherited {
    /// Takes over the sockets passed to this process. Must be called only once.
    ///
    /// # Errors
    /// One line with advice, if one of them is not a TCP socket.
    pub fn from_env() -> Result<Self, String> {
        let names = env::var("LISTEN_FDNAMES").unwrap_or_default();
        let mut names = names.split(':').filter(|name| !name.is_empty());
        let mut passed = ListenFd::from_env();
        let mut sockets = BTreeMap::<String, Vec<_>>::new();
        for number in 0..passed.len() {
            let name = names.next().unwrap_or(UNNAMED).to_owned();
            let socket = passed.take_tcp_listener(number).map_err(|error| {
                format!(
                    "the socket `{name}` of the service manager cannot be used: {error}; pass a TCP socket that listens"
                )
            })?;
            sockets.entry(name).or_default().extend(socket);
        }
        Ok(Self(sockets))
    }

    /// Takes the sockets with this name, in the order in which they were passed.
    pub fn take(&mut self, name: &str) -> Vec<TcpListener> {
        self.0.remove(name).unwrap_or_default()
    }

    /// Checks that all sockets were taken: clients of any other would wait forever.
    ///
    /// # Errors
    /// One line with advice, if one is left.
    pub fn finish(self) -> Result<(), String> {
        match self.0.into_keys().next() {
            Some(name) => Err(format!(
                "the service manager passes a socket named `{name}`; name it http, https or metrics, with FileDescriptorName= in its unit"
            )),
            None => Ok(()),
        }
    }
}

/// Notifies the service manager at twice the required rate, as long as the store answers. Returns at once if there is no watchdog,
/// and otherwise never.
pub async fn feed_watchdog(store: Option<&Store>) {
    let Some(period) = notify::watchdog_period() else {
        return;
    };
    // The step count of the store, and when it last changed.
    let mut pulse = (store.map_or(0, |store| store.activity().steps()), None);
    loop {
        if let Some(store) = store {
            answered(store, &mut pulse, ASK_AGAIN.min(period / 4)).await;
        }
        notify::alive().await;
        sleep(period / 2).await;
    }
}

/// Waits until the store answers, and asks again after `pause`. A store that tried and cannot write counts as answering: a restart
/// frees no disk space and does not fix a database that hangs. An answer without an attempt only repeats the previous result. A
/// long erasure, during which the store answers no requests, counts as long as it makes progress.
async fn answered(store: &Store, pulse: &mut (u64, Option<Instant>), pause: Duration) {
    let (seen, at) = pulse;
    loop {
        let asked = timeout(LOOK_EVERY, store.check_writable()).await;
        let steps = store.activity().steps();
        if steps != *seen {
            *seen = steps;
            *at = Some(Instant::now());
        }
        if asked == Ok(true) || at.is_some_and(|at| at.elapsed() <= ASK_AGAIN) {
            return;
        }
        // The queue is full, or the store has just answered another request.
        sleep(pause).await;
    }
}
