//! What the server gets from systemd, or a service manager with the same protocol, and tells it: sockets that stay open over a restart, so
//! that no client is refused, and that it is alive, without which it is restarted.

use std::collections::BTreeMap;
use std::env;
use std::net::TcpListener;
use std::time::Duration;

use listenfd::ListenFd;
use tokio::time::{Instant, sleep, timeout};

use crate::base::process::notify;
use crate::store::Store;

/// The name of a socket without one. A program that passes sockets need not name them; systemd always does.
const UNNAMED: &str = "http";

/// How long to wait before looking whether the store does something else. Shorter than its own deadline, after
/// which it answers that it cannot be written, whether or not it hangs.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Pause before the store is asked again: for a second it says without trying that it cannot be written.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Why sockets cannot be taken over; one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InheritError(String);

/// The sockets that were passed, by their names.
#[derive(Debug, Default)]
pub struct Inherited(BTreeMap<String, Vec<TcpListener>>);

impl Inherited {
    /// Takes over what was passed to this process. To be called once.
    ///
    /// # Errors
    /// When something else than TCP sockets was passed.
    pub fn from_env() -> Result<Self, InheritError> {
        let names = env::var("LISTEN_FDNAMES").unwrap_or_default();
        let mut names = names.split(':').filter(|name| !name.is_empty());
        let mut passed = ListenFd::from_env();
        let mut sockets = BTreeMap::<String, Vec<_>>::new();
        for number in 0..passed.len() {
            let name = names.next().unwrap_or(UNNAMED).to_owned();
            match passed.take_tcp_listener(number) {
                Ok(socket) => sockets.entry(name).or_default().extend(socket),
                Err(error) => {
                    return Err(InheritError(format!(
                        "the socket `{name}` of the service manager cannot be used: {error}; pass a TCP socket that listens"
                    )));
                }
            }
        }
        Ok(Self(sockets))
    }

    /// Takes the sockets of a name, in the order in which they were passed.
    pub fn take(&mut self, name: &str) -> Vec<TcpListener> {
        self.0.remove(name).unwrap_or_default()
    }

    /// Makes sure that all sockets were taken: clients of any other would wait forever.
    ///
    /// # Errors
    /// When one is left.
    pub fn finish(self) -> Result<(), InheritError> {
        match self.0.into_keys().next() {
            Some(name) => Err(InheritError(format!(
                "the service manager passes a socket named `{name}`; name it http, https or metrics, with FileDescriptorName= in its unit"
            ))),
            None => Ok(()),
        }
    }
}

/// Tells the service manager that the server works, twice as often as it wants to hear it, and only when the store has
/// answered. Returns at once if no watchdog waits, and else never.
pub async fn feed_watchdog(store: Option<&Store>) {
    let Some(period) = notify::watchdog_period() else {
        return;
    };
    // The steps of the store, and when it was seen to make one.
    let mut pulse = (store.map_or(0, |store| store.activity().steps()), None);
    loop {
        if let Some(store) = store {
            answered(store, &mut pulse, ASK_AGAIN.min(period / 4)).await;
        }
        notify::alive().await;
        sleep(period / 2).await;
    }
}

/// Waits for an answer, and asks again after this pause. That the store cannot be written is an answer, too, if it has tried: a
/// full disk has no more room after a restart, and a database that hangs would not notice one. What the store says without
/// trying repeats the attempt before. A long erasure, in which the store answers nobody, counts while it makes progress.
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
        // It has too much to do to take a question, or has answered another one a moment ago.
        sleep(pause).await;
    }
}
