//! The listeners of a server: bound to the configured addresses, or inherited from the service manager.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};

use super::LISTENER_FAILED;
use crate::base::text::origin::Origin;
use crate::cli::CliError;
use crate::config::Config;
use crate::server::Listener;
use crate::server::systemd::Inherited;
use crate::server::tls::Acceptor;

/// All listeners of a server.
#[derive(Debug)]
pub struct Listening {
    /// For visitors; at least one.
    pub public: Vec<Listener>,
    /// For the operator's monitoring.
    pub metrics: Vec<Listener>,
    /// For the operator's desk.
    pub desk: Option<Listener>,
    /// Flags with addresses that are ignored because the service manager passed sockets.
    pub ignored: Vec<&'static str>,
}

impl Listening {
    /// Binds the configured addresses, or inherits their sockets.
    ///
    /// # Errors
    /// When a socket cannot be opened or used.
    pub fn open(config: &Config, tls: Option<&Acceptor>) -> Result<Self, CliError> {
        let mut inherited = Inherited::from_env()?;
        let [http, https, metrics] = ["http", "https", "metrics"].map(|name| inherited.take(name));
        inherited.finish()?;
        let flags = &config.flags;
        let ignored = [
            ("listen", &http, flags.listen.is_empty()),
            ("tls-listen", &https, flags.tls_listen.is_empty()),
            ("metrics-listen", &metrics, flags.metrics_listen.is_none()),
        ];
        let ignored = ignored
            .into_iter()
            .filter(|(_, sockets, is_unset)| !sockets.is_empty() && !is_unset);
        let ignored = ignored.map(|(flag, ..)| flag).collect();
        let mut public = listeners(http, "listen", &flags.listen, None)?;
        if tls.is_some() {
            public.extend(listeners(https, "tls-listen", &flags.tls_listen, tls)?);
        } else if !https.is_empty() {
            return Err(
                "a socket named https needs a certificate: add --tls-cert FILE and --tls-key FILE".into(),
            );
        }
        let addresses = flags.metrics_listen.as_slice();
        let metrics = listeners(metrics, "metrics-listen", addresses, None)?;
        // Never inherited: whether the desk needs TLS depends on the address that the operator configured.
        let desk = flags.desk_listen.map(|address| {
            let tls = if address.ip().is_loopback() {
                None
            } else {
                Some(tls.ok_or(LISTENER_FAILED)?)
            };
            open(address, tls, "desk-listen")
        });
        let desk = desk.transpose()?;
        Ok(Self {
            public,
            metrics,
            desk,
            ignored,
        })
    }

    /// The address at which visitors reach the site ([`Config::origin`]).
    ///
    /// # Errors
    /// When there is no listener, which only a bug can cause.
    pub fn origin(&self, config: &Config) -> Result<Origin, CliError> {
        let first = self.public.first().map(|listener| listener.address);
        let origin = config.origin(self.first_tls(), first);
        origin.ok_or_else(|| LISTENER_FAILED.into())
    }

    /// The address of the first public listener with TLS.
    pub fn first_tls(&self) -> Option<SocketAddr> {
        let mut public = self.public.iter();
        public
            .find(|listener| is_tls(listener))
            .map(|listener| listener.address)
    }

    /// Whether the desk uses TLS.
    pub fn has_desk_by_tls(&self) -> bool {
        self.desk.iter().any(is_tls)
    }

    /// Whether any public listener does not use TLS.
    pub fn has_plain(&self) -> bool {
        !self.public.iter().all(is_tls)
    }

    /// Prints the addresses to standard output, one per line.
    pub fn announce(&self) {
        let mut stdout = io::stdout().lock();
        let public = self.public.iter();
        let public = public.map(|listener| format!("taubenabwehr is listening on {listener}"));
        let metrics = self.metrics.iter();
        let metrics =
            metrics.map(|listener| format!("taubenabwehr is serving metrics on {listener}/metrics"));
        let desk = self.desk.iter();
        let desk = desk.map(|listener| format!("taubenabwehr has its desk on {listener}"));
        for line in public.chain(metrics).chain(desk) {
            // The service manager may have closed standard output, which is no reason to stop.
            let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
        }
    }
}

fn is_tls(listener: &Listener) -> bool {
    listener.tls.is_some()
}

fn open(address: SocketAddr, tls: Option<&Acceptor>, flag: &str) -> Result<Listener, CliError> {
    let opened = Listener::open(address, tls.cloned());
    let failed = |error: io::Error| {
        let right = match error.kind() {
            io::ErrorKind::PermissionDenied => {
                ", or give the program the right to ports below 1024 (CAP_NET_BIND_SERVICE)"
            }
            _ => "",
        };
        format!("cannot listen on {address}: {error}; choose another address with --{flag}{right}")
    };
    Ok(opened.map_err(failed)?)
}

/// Inherits sockets of the service manager, or binds the addresses of a flag if there are none.
fn listeners(
    inherited: Vec<TcpListener>,
    flag: &str,
    addresses: &[SocketAddr],
    tls: Option<&Acceptor>,
) -> Result<Vec<Listener>, CliError> {
    if inherited.is_empty() {
        let opened = addresses.iter().map(|&address| open(address, tls, flag));
        return opened.collect();
    }
    let inherited = inherited
        .into_iter()
        .map(|socket| Listener::inherit(socket, tls.cloned()));
    let failed = |error| format!("cannot use a socket of the service manager: {error}");
    Ok(inherited.collect::<io::Result<_>>().map_err(failed)?)
}
