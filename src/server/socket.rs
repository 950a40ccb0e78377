//! The sockets of one address: opened here, or passed by the service manager.

use std::fmt;
use std::io;
use std::iter;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;

use socket2::{Domain, Protocol, SockRef, Socket, Type};

use crate::server::tls::Acceptor;

/// Connections that the system holds for us while we are busy.
const BACKLOG: i32 = 1024;

/// An address that clients connect to, with a socket for each thread that serves them.
#[derive(Debug)]
pub struct Listener {
    /// The address, with the port that the system has chosen.
    pub address: SocketAddr,
    /// Makes handshakes; `None` for HTTP/1.1 without TLS. Over TLS clients may speak HTTP/2, too.
    pub tls: Option<Acceptor>,
    pub(super) sockets: Vec<TcpListener>,
}

impl Listener {
    /// Opens as many sockets on an address as there are threads. The system hands each new connection to one of them.
    ///
    /// # Errors
    /// When the address is not there, or another process listens on it.
    pub fn open(address: SocketAddr, tls: Option<Acceptor>, threads: NonZeroUsize) -> io::Result<Self> {
        let first = unbound(address)?;
        first.bind(&address.into())?;
        first.listen(BACKLOG)?;
        let bound = first.local_addr()?;
        // Shared only from here on: a port that another process uses is refused, and every thread gets the port that the
        // system chose for the first.
        first.set_reuse_port(threads.get() > 1)?;
        let mut sockets = vec![TcpListener::from(first)];
        for _ in 1..threads.get() {
            let next = unbound(address)?;
            next.set_reuse_port(true)?;
            next.bind(&bound)?;
            next.listen(BACKLOG)?;
            sockets.push(next.into());
        }
        Self::of(sockets, tls)
    }

    /// Takes over a socket that listens already. All threads share it: connections that wait in the queue of a socket are
    /// lost when it is closed, and this one stays open over a restart.
    ///
    /// # Errors
    /// When the system gives no further descriptors for it.
    pub fn inherit(socket: TcpListener, tls: Option<Acceptor>, threads: NonZeroUsize) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        SockRef::from(&socket).set_tcp_nodelay(true)?;
        let shared = iter::repeat_with(|| socket.try_clone()).take(threads.get() - 1);
        let mut sockets = shared.collect::<io::Result<Vec<_>>>()?;
        sockets.push(socket);
        Self::of(sockets, tls)
    }

    fn of(sockets: Vec<TcpListener>, tls: Option<Acceptor>) -> io::Result<Self> {
        let first = sockets.first().ok_or(io::ErrorKind::NotFound)?;
        Ok(Self {
            address: first.local_addr()?,
            tls,
            sockets,
        })
    }
}

impl fmt::Display for Listener {
    /// Writes the address as a URL.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        write!(formatter, "{scheme}://{}", self.address)
    }
}

fn unbound(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A restart must not wait until connections of the former process have timed out.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    // Connections inherit it, which saves a system call for each.
    socket.set_tcp_nodelay(true)?;
    Ok(socket)
}
