//! Sockets that the service manager has opened. It keeps them over a restart, so that no client is refused.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::net::TcpListener;

use listenfd::ListenFd;

/// The name of a socket without one. A program that passes sockets need not name them; systemd always does.
const UNNAMED: &str = "http";

/// Why sockets cannot be taken over.
#[derive(Debug, thiserror::Error)]
pub enum InheritError {
    /// Clients cannot connect to one of them.
    #[error(
        "the socket `{name}` of the service manager cannot be used: {source}; pass a TCP socket that listens"
    )]
    Unusable {
        /// Its name.
        name: String,
        /// What is wrong with it.
        source: io::Error,
    },
    /// One of them has a name that nothing takes.
    #[error(
        "the service manager passes a socket named `{0}`; name it http, https or metrics, with FileDescriptorName= in its unit"
    )]
    Unknown(String),
}

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
                Err(source) => return Err(InheritError::Unusable { name, source }),
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
            Some(name) => Err(InheritError::Unknown(name)),
            None => Ok(()),
        }
    }
}
