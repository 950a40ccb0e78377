//! Flags of a server that make no sense together, whatever has set them.

use std::env;

use crate::config::args::ServeArgs;

/// Checks the flags of a server.
///
/// # Errors
/// When they contradict each other, or something that a server needs is missing.
pub(super) fn check(args: &ServeArgs) -> Result<(), String> {
    let is_ordered = !args.acme.domains.is_empty();
    if is_ordered && args.demo {
        return Err("--acme needs a data directory for its certificates, which --demo does not have: use --tls-cert and --tls-key".to_owned());
    }
    // One of the sockets that the service manager has opened may replace the flag.
    if is_ordered && args.tls_listen.is_empty() && env::var_os("LISTEN_FDS").is_none() {
        return Err("--acme needs --tls-listen ADDRESS, such as 0.0.0.0:443".to_owned());
    }
    let Some(address) = args.desk_listen else {
        return Ok(());
    };
    if args.demo {
        return Err(
            "--desk-listen shows what is stored, which --demo does not: remove one of them".to_owned(),
        );
    }
    if !address.ip().is_loopback() && args.tls_cert.is_none() && !is_ordered {
        return Err(format!(
            "--desk-listen {address} is reached from other machines and needs a certificate: add --tls-cert FILE and --tls-key \
             FILE, or --acme DOMAIN, or listen on 127.0.0.1 and reach it over an SSH tunnel"
        ));
    }
    Ok(())
}
