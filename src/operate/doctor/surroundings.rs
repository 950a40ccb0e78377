//! Checks of the server's environment: the proxy in front of it, and the free disk space.

use std::path::Path;

use ipnet::IpNet;

use super::Finding;
use crate::base::text::origin::Origin;
use crate::config::Config;

/// Minimum free disk space: a copy of a million inquiries, for backups and erasures.
const ROOM: u64 = 1 << 30;

/// Judges which proxies are trusted to name the client of a request.
pub fn proxy(config: &Config) -> Finding {
    const CHECK: &str = "proxy";
    let trusted = &config.flags.trusted_proxy;
    if trusted.iter().any(|network| network.prefix_len() == 0) {
        return Finding::warning(
            CHECK,
            "--trusted-proxy names every address, so that any client can claim to be another one",
            "name the address of the proxy alone, such as 127.0.0.1/32",
        );
    }
    let origin = config.flags.public_url.as_ref().map(Origin::as_str);
    let is_behind_one =
        config.certificate.is_none() && origin.is_some_and(|origin| origin.starts_with("https://"));
    if is_behind_one && trusted.is_empty() {
        return Finding::warning(
            CHECK,
            "the public address is https://, so a proxy stands in front, but none is trusted: all visitors count as one \
             client, and share the rate limit",
            "name the proxy's address by --trusted-proxy, such as 127.0.0.1/32, and have it set X-Forwarded-For",
        );
    }
    Finding::ok(
        CHECK,
        match trusted.as_slice() {
            [] => "none is trusted, and none is needed".to_owned(),
            trusted => format!(
                "trusted: {}",
                trusted
                    .iter()
                    .map(IpNet::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        },
    )
}

/// Judges the free disk space of the data directory, if inquiries are stored there.
pub fn disk(data_dir: Option<&Path>) -> Finding {
    let Some(data_dir) = data_dir else {
        return Finding::ok("disk", "inquiries are in a database, which has a disk of its own");
    };
    match rustix::fs::statvfs(data_dir) {
        Ok(found) => room(found.f_bavail.saturating_mul(found.f_frsize)),
        Err(error) => Finding::error(
            "disk",
            format!("{} cannot be looked at: {error}", data_dir.display()),
            "check --data-dir, and run this as the server's user",
        ),
    }
}

fn room(left: u64) -> Finding {
    if left < ROOM {
        let message = format!("{} MiB are left for the data directory", left >> 20);
        return Finding::warning(
            "disk",
            message,
            "make room: erasures and backups write a copy of the inquiries",
        );
    }
    Finding::ok(
        "disk",
        format!("{} GiB are left for the data directory", left >> 30),
    )
}

#[cfg(test)]
mod tests {
    use super::super::Level;
    use super::*;

    #[test]
    fn less_than_a_gibibyte_is_a_warning() {
        assert_eq!(room(1 << 30).level, Level::Ok);
        assert_eq!(room(3 << 30).message, "3 GiB are left for the data directory");
        assert_eq!(room(3 << 20).message, "3 MiB are left for the data directory");
        assert_eq!(room((1 << 30) - 1).level, Level::Warning);
        assert_eq!(room(0).level, Level::Warning);
        assert_eq!(disk(Some(Path::new("/nonexistent"))).level, Level::Error);
        assert_eq!(disk(None).level, Level::Ok);
    }
}
