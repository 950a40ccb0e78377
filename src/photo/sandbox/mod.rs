//! Decoding each photo in a process of its own, which limits itself before it reads anything. Whatever a
//! decoder makes of an uploaded file, it uses no more memory and time than a photo may, and a crash harms nothing else
//! (`docs/decisions/0025-photos-in-a-process-of-their-own.md`).

mod confined;

pub use confined::run;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout};

use crate::photo::{Photo, PhotoError};

/// The internal command that decodes one photo, which help does not list.
const COMMAND: &str = "develop-photo";

/// This executable, even if its file was replaced by a newer one.
const EXECUTABLE: &str = "/proc/self/exe";

/// The unit in which Linux counts processor time.
const TICK: Duration = Duration::from_millis(10);

/// The longest answer, in bytes: pictures of mere noise have 3 MB.
const MAX_ANSWER: u64 = 16 << 20;

/// How often the processor time of a process is checked.
const LOOK: Duration = Duration::from_millis(100);

/// The process could not be started or did not finish, for reasons that no file can cause.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The system refuses.
    #[error("a process for a photo cannot be started: {0}")]
    Unstarted(#[from] io::Error),
    /// It ended without a reply.
    #[error("the process for a photo has failed")]
    Failed,
}

/// Whether this process was started only to develop a photo.
pub fn is_meant(mut arguments: impl Iterator<Item = OsString>) -> bool {
    arguments.nth(1).is_some_and(|argument| argument == COMMAND)
}

/// Decodes a file, until a deadline, and returns the processor time. The process ends with this future,
/// and without a photo once `is_enough` returns true for the time that it has used.
///
/// # Errors
/// When the process fails. The inner error means that the file is no usable picture.
pub async fn develop(
    file: &[u8],
    until: Instant,
    is_enough: impl Fn(Duration) -> bool,
) -> Result<(Option<Result<Photo, PhotoError>>, Duration), SandboxError> {
    let mut child = Command::new(EXECUTABLE)
        .arg(COMMAND)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let mut said = pin!(ask(child.stdin.take(), child.stdout.take(), file));
    let said = loop {
        if let Ok(said) = timeout(LOOK, &mut said).await {
            break said;
        }
        let took = processor_time(&child);
        let is_over = Instant::now() >= until;
        if is_over || is_enough(took) {
            child.kill().await?;
            return Ok((is_over.then_some(Err(PhotoError::TooDemanding)), took));
        }
    };
    // Before waiting for it, since the figure is gone afterwards.
    let took = processor_time(&child);
    let status = child.wait().await?;
    if status.signal().is_some() {
        // Memory or time were used up: nothing else ends it by a signal.
        return Ok((Some(Err(PhotoError::TooDemanding)), took));
    }
    if !status.success() {
        return Err(SandboxError::Failed);
    }
    let answer = minicbor::decode(&said).map_err(|_| SandboxError::Failed)?;
    Ok((Some(answer), took))
}

/// Passes a file to a process, and returns its output when it ends.
async fn ask(input: Option<ChildStdin>, output: Option<ChildStdout>, file: &[u8]) -> Vec<u8> {
    if let Some(mut input) = input {
        // Its exit status says more than a failed write.
        let _ = input.write_all(file).await;
    }
    let mut said = Vec::new();
    if let Some(output) = output {
        let _ = output.take(MAX_ANSWER).read_to_end(&mut said).await;
    }
    said
}

/// Returns the processor time of a process that has not been waited for yet.
fn processor_time(child: &Child) -> Duration {
    let stat = child
        .id()
        .and_then(|id| fs::read_to_string(format!("/proc/{id}/stat")).ok());
    // The name of the program, in parentheses, may contain spaces.
    let fields = stat.as_deref().and_then(|stat| stat.rsplit_once(')'));
    let ticks = fields.map_or(0, |(_, fields)| {
        let times = fields.split_whitespace().skip(11).take(2);
        times.filter_map(|ticks| ticks.parse::<u32>().ok()).sum()
    });
    TICK * ticks
}
