//! The process that decodes a photo, and its limits.

use std::fs;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::base::panics;
use crate::base::process;
use crate::photo::{self, MAX_BYTES, PhotoError};

/// Memory beyond what the executable uses at start, in bytes: for the file, the decoder and the resulting pictures.
const MEMORY: u64 = 180_000_000;

/// Processor time in seconds. A photo of 48 megapixels takes two, or eight on a slow machine.
const SECONDS: u64 = 20;

/// Decodes the photo on standard input, and writes the result to standard output.
pub fn run() -> ExitCode {
    match confine().and_then(|()| develop()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Drops what decoding does not need: the process cannot open files, start processes or write anything but its answer. Exceeding a
/// limit ends it.
fn confine() -> io::Result<()> {
    process::harden()?;
    #[cfg(target_os = "linux")]
    rustix::thread::set_no_new_privs(true)?;
    // Do not outlive the server.
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    for (resource, most) in [
        (Resource::As, size()? + MEMORY),
        (Resource::Cpu, SECONDS),
        (Resource::Fsize, 0),
        (Resource::Nofile, 0),
        (Resource::Nproc, 0),
    ] {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}

/// The current address space of this process in bytes, most of which is the executable.
fn size() -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kib = size.and_then(|size| size.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map(|kib| kib << 10).ok_or(io::ErrorKind::InvalidData.into())
}

fn develop() -> io::Result<()> {
    // Allocate once, since growing a buffer copies it.
    let mut file = Vec::with_capacity(MAX_BYTES + 1);
    let limit = u64::try_from(file.capacity()).unwrap_or(u64::MAX);
    io::stdin().lock().take(limit).read_to_end(&mut file)?;
    let developed = panics::catch(|| photo::develop(file)).unwrap_or(Err(PhotoError::Damaged));
    let answer = minicbor::to_vec(developed).map_err(io::Error::other)?;
    io::stdout().write_all(&answer)?;
    io::stdout().flush()
}
