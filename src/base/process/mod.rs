//! The process: graceful shutdown, and hardening, since its memory and the files that it creates hold personal data.

mod build_info;
pub mod notify;
mod shutdown;

pub use build_info::BuildInfo;
pub use shutdown::Shutdown;

use std::io;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, setrlimit, umask};

/// Makes the memory of this process, and the files that it creates, private, however it was started. A crash
/// leaves no core file, and on Linux no other process of this user can read its memory.
///
/// # Errors
/// When the system refuses. Inquiries should not be opened then.
pub fn harden() -> io::Result<()> {
    umask(Mode::RWXG | Mode::RWXO);
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none)?;
    // A program that receives core files from the system gets them in spite of the limit, see core(5).
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}
