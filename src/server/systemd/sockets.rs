//! Sockets that the service manager has opened. It keeps them over a restart, so that no client is refused.

use std::collections::BTreeMap;
use std::env;
use std::net::TcpListener;

use listenfd::ListenFd;

/// The name of a socket without one. A program that passes sockets need not name them; systemd always does.
const UNNAMED: &str = "http";

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
