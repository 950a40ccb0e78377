//! What the process keeps to itself: inquiries are in its memory and in the files that it makes, and they hold personal
//! data.

use std::io;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, setrlimit, umask};

/// Closes this process's memory and the files that it makes to everybody else, whatever it was started with: a crash
/// leaves no core file, and on Linux no other process of this user reads its memory.
///
/// # Errors
/// When the system refuses. Inquiries should not be touched then.
pub fn keep() -> io::Result<()> {
    umask(Mode::RWXG | Mode::RWXO);
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none)?;
    // A program that the system hands core files to gets them in spite of the limit, see core(5).
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}
