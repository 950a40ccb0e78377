//! The process: graceful shutdown, and hardening, since its memory and files hold personal data.

mod build_info;
pub mod notify;

pub use build_info::BuildInfo;

use std::io;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, setrlimit, umask};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Makes the memory and files of this process private, however it was started. A crash leaves no core dump, and on Linux no other
/// process of the same user can read its memory.
///
/// # Errors
/// When a system call fails. The caller should then not open any inquiries.
pub fn harden() -> io::Result<()> {
    umask(Mode::RWXG | Mode::RWXO);
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none)?;
    // A core dump handler that the kernel pipes to ignores the limit, see core(5).
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// Coordinates a graceful shutdown: one signal for every task, and one place to wait for all of them. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    token: CancellationToken,
    /// The tasks that [`Self::drain`] waits for.
    pub tasks: TaskTracker,
}

impl Shutdown {
    /// Completes when shutdown begins.
    pub fn requested(&self) -> impl Future<Output = ()> + Send + use<> {
        self.token.clone().cancelled_owned()
    }

    /// Tells every task to stop.
    pub fn request(&self) {
        self.token.cancel();
        self.tasks.close();
    }

    /// Waits up to `time` for every task to end; returns whether all did.
    pub async fn drain(&self, time: Duration) -> bool {
        tokio::time::timeout(time, self.tasks.wait()).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn tasks_are_waited_for_but_not_for_ever() {
        let shutdown = Shutdown::default();
        let task = shutdown.tasks.spawn(shutdown.requested());
        assert!(!task.is_finished());
        shutdown.request();
        assert!(shutdown.drain(Duration::from_secs(1)).await);
        assert!(task.is_finished());
        shutdown.tasks.spawn(std::future::pending::<()>());
        assert!(!shutdown.drain(Duration::from_secs(1)).await);
    }
}
