//! What `--desk-listen` needs.

use crate::config::args::ServeArgs;

/// Flags with which there can be no desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeskUsage {
    /// Others could read along.
    #[error(
        "--desk-listen {0} is reached from other machines and needs a certificate: add --tls-cert FILE and --tls-key FILE, or \
         --acme DOMAIN, or listen on 127.0.0.1 and reach it over an SSH tunnel"
    )]
    NoCertificate(std::net::SocketAddr),
    /// There is nothing to show.
    #[error("--desk-listen shows what is stored, which --demo does not: remove one of them")]
    Demo,
}

impl DeskUsage {
    /// Checks the flags.
    ///
    /// # Errors
    /// When a server cannot have its desk there.
    pub fn check(args: &ServeArgs) -> Result<(), Self> {
        match args.desk_listen {
            Some(_) if args.demo => Err(Self::Demo),
            Some(address)
                if !address.ip().is_loopback() && args.tls_cert.is_none() && args.acme.is_empty() =>
            {
                Err(Self::NoCertificate(address))
            }
            _ => Ok(()),
        }
    }
}
