//! Flags of a server that make no sense together, whatever has set them.

use std::env;

use super::ConfigError;
use crate::config::args::ServeArgs;

/// Checks the flags of a server.
///
/// # Errors
/// When they contradict each other, or something that a server needs is missing.
pub(super) fn check(args: &ServeArgs) -> Result<(), ConfigError> {
    check_tls(args)?;
    check_desk(args)
}

fn check_tls(args: &ServeArgs) -> Result<(), ConfigError> {
    if args.acme.is_empty() {
        return Ok(());
    }
    if args.demo {
        return Err(ConfigError::usage(
            "--acme needs a data directory for its certificates, which --demo does not have: use --tls-cert and --tls-key",
        ));
    }
    // One of the sockets that the service manager has opened may replace the flag.
    if args.tls_listen.is_empty() && env::var_os("LISTEN_FDS").is_none() {
        return Err(ConfigError::usage(
            "--acme needs --tls-listen ADDRESS, such as 0.0.0.0:443",
        ));
    }
    Ok(())
}

fn check_desk(args: &ServeArgs) -> Result<(), ConfigError> {
    let Some(address) = args.desk_listen else {
        return Ok(());
    };
    if args.demo {
        return Err(ConfigError::usage(
            "--desk-listen shows what is stored, which --demo does not: remove one of them",
        ));
    }
    if !address.ip().is_loopback() && args.tls_cert.is_none() && args.acme.is_empty() {
        return Err(ConfigError::usage(format!(
            "--desk-listen {address} is reached from other machines and needs a certificate: add --tls-cert FILE and --tls-key \
             FILE, or --acme DOMAIN, or listen on 127.0.0.1 and reach it over an SSH tunnel"
        )));
    }
    Ok(())
}
