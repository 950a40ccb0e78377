//! How clients speak on a listener.

use crate::tls::Acceptor;

/// How clients speak on a listener.
#[derive(Debug, Clone)]
pub enum Transport {
    /// HTTP/1.1.
    Plain,
    /// HTTP/1.1 and HTTP/2 over TLS.
    Tls(Acceptor),
}

impl Transport {
    /// Returns the scheme of its addresses.
    pub fn scheme(&self) -> &'static str {
        match self {
            Self::Plain => "http",
            Self::Tls(_) => "https",
        }
    }
}
