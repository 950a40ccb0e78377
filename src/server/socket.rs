//! The sockets of one address: opened here, or passed by the service manager.

use std::fmt;
use std::io;
use std::iter;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;

use socket2::{Domain, Protocol, SockRef, Socket, Type};

use crate::server::tls::Acceptor;

/// Connections that the kernel queues while we are busy.
const BACKLOG: i32 = 1024;

/// A listening address, with one socket per serving thread.
#[derive(Debug)]
pub struct Listener {
    /// The address, with the port that the system chose.
    pub address: SocketAddr,
    /// Accepts TLS, over which clients may use HTTP/2; `None` for plain HTTP/1.1.
    pub tls: Option<Acceptor>,
    pub(super) sockets: Vec<TcpListener>,
}

impl Listener {
    /// Opens one socket per thread on an address. The kernel distributes new connections among them.
    ///
    /// # Errors
    /// If the address is not available, or another process listens on it.
    pub fn open(address: SocketAddr, tls: Option<Acceptor>, threads: NonZeroUsize) -> io::Result<Self> {
        let first = unbound(address)?;
        first.bind(&address.into())?;
        first.listen(BACKLOG)?;
        let bound = first.local_addr()?;
        // Set only after the first bind, so that a port in use by another process is refused, and all threads share the port that
        // the system chose.
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

    /// Takes over a listening socket. All threads share it: connections in a socket's queue are lost when it is closed, and this
    /// one stays open across restarts.
    ///
    /// # Errors
    /// If the system is out of file descriptors.
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
    /// Formats the address as a URL.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        write!(formatter, "{scheme}://{}", self.address)
    }
}

fn unbound(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A restart must not wait for connections of the previous process to time out.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    // Accepted connections inherit it, which saves a system call each.
    socket.set_tcp_nodelay(true)?;
    Ok(socket)
}
