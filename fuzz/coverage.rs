//! Coverage-guided fuzzing of untrusted input. `scripts/fuzz-coverage` builds this with libFuzzer: the checks are those of the
//! tests, and the coverage of each input decides which ones to mutate further. Built otherwise, it only prints a hint.

#![cfg_attr(coverage_guided, no_main)]
#![allow(
    dead_code,
    unused_imports,
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "the modules are those of the tests, which fail by panicking"
)]

#[cfg(coverage_guided)]
mod address;
#[cfg(coverage_guided)]
mod backup;
#[cfg(coverage_guided)]
mod config;
#[cfg(coverage_guided)]
mod connection;
#[cfg(coverage_guided)]
mod form;
#[cfg(coverage_guided)]
mod harness;
#[cfg(coverage_guided)]
mod http2;
#[cfg(coverage_guided)]
mod inquiry;
#[cfg(coverage_guided)]
mod markdown;
#[cfg(coverage_guided)]
mod photo;
#[cfg(coverage_guided)]
mod record;
#[cfg(coverage_guided)]
mod settings;

#[cfg(coverage_guided)]
mod target {
    use std::env;
    use std::panic;
    use std::sync::{LazyLock, Once};

    use libfuzzer_sys::fuzz_target;

    use crate::{
        address, backup, config, connection, form, http2, inquiry, markdown, photo, record, settings,
    };

    /// The target, selected by an environment variable so that one executable serves all targets.
    static CHECK: LazyLock<Box<dyn Fn(&[u8]) + Send + Sync>> = LazyLock::new(|| {
        let name = env::var("TAUBENABWEHR_FUZZ_TARGET").unwrap_or_default();
        match name.as_str() {
            "address" => Box::new(address::check),
            "backup" => Box::new(backup::check),
            "backup-edits" => Box::new(backup::check_edits),
            "config" => Box::new(config::check),
            "form" => Box::new(form::check),
            "frames" => {
                let runtime = connection::runtime();
                Box::new(move |bytes| http2::check(&runtime, bytes))
            }
            "inquiry" => Box::new(inquiry::check),
            "markdown" => Box::new(markdown::check),
            "photo" => Box::new(photo::check),
            "record" => Box::new(record::check),
            "request" => {
                let runtime = connection::runtime();
                Box::new(move |bytes| connection::check(&runtime, bytes))
            }
            "settings" => Box::new(settings::check),
            _ => panic!("TAUBENABWEHR_FUZZ_TARGET must name a target, not {name:?}"),
        }
    });

    /// Removes libFuzzer's panic hook, which aborts on every panic, even on those that the program catches, such as redb's on
    /// damaged files.
    static CAUGHT_PANICS_PASS: Once = Once::new();

    fuzz_target!(|bytes: &[u8]| {
        CAUGHT_PANICS_PASS.call_once(|| drop(panic::take_hook()));
        CHECK(bytes);
    });
}

#[cfg(not(coverage_guided))]
fn main() {
    eprintln!("run scripts/fuzz-coverage, which builds this for libFuzzer");
}
