//! The process that develops a photo: its bounds, and its work.

use std::fs;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::answer;
use crate::base::panics;
use crate::base::process;
use crate::photo::{self, MAX_BYTES, PhotoError};

/// What it may take beside what every process of this executable has, in bytes: the file, what a decoder may take by its own reckoning,
/// and the pictures that are kept.
const MEMORY: u64 = 180_000_000;

/// Seconds of a processor. A photo of 48 megapixels takes two, or eight on a slow machine.
const SECONDS: u64 = 20;

/// Develops the photo on standard input, and writes the result to standard output.
pub fn run() -> ExitCode {
    match confine().and_then(|()| develop()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Takes from this process what developing a photo does not need: it opens no file, starts no process, and writes only what is asked
/// of it. What goes beyond these bounds ends it.
fn confine() -> io::Result<()> {
    process::harden()?;
    #[cfg(target_os = "linux")]
    rustix::thread::set_no_new_privs(true)?;
    // The server's own end ends it, too, and does not leave it at work.
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

/// Returns what this process has of addresses now, most of which is the executable, in bytes.
fn size() -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kib = size.and_then(|size| size.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map(|kib| kib << 10).ok_or(io::ErrorKind::InvalidData.into())
}

fn develop() -> io::Result<()> {
    // At once, since a buffer that grows is copied.
    let mut file = Vec::with_capacity(MAX_BYTES + 1);
    let limit = u64::try_from(file.capacity()).unwrap_or(u64::MAX);
    io::stdin().lock().take(limit).read_to_end(&mut file)?;
    let developed = panics::catch(|| photo::develop(file)).unwrap_or(Err(PhotoError::Damaged));
    io::stdout().write_all(&answer::write(&developed))?;
    io::stdout().flush()
}
