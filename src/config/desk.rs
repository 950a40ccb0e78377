//! What `--desk-listen` needs.

use super::ConfigError;
use crate::config::args::ServeArgs;

/// Checks that a server can have its desk where the flags say.
///
/// # Errors
/// When others could read along, or there is nothing to show.
pub(super) fn check(args: &ServeArgs) -> Result<(), ConfigError> {
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
