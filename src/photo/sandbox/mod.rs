//! Developing photos apart: a process of this executable for each file, which bounds itself before it reads anything. Whatever a
//! decoder makes of a stranger's file, it takes no more memory and time than a photo may, and ends alone
//! (`docs/decisions/0025-photos-in-a-process-of-their-own.md`).

mod answer;
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

/// The command that makes a process of this executable develop one photo. No help names it: it is not for people.
const COMMAND: &str = "develop-photo";

/// This executable, also where its file was replaced by a newer one.
const EXECUTABLE: &str = "/proc/self/exe";

/// In what Linux counts the time of a processor that a process has used.
const TICK: Duration = Duration::from_millis(10);

/// How often somebody looks what a process has used.
const LOOK: Duration = Duration::from_millis(100);

/// The process could not be started, or has not done its work, which no file can cause.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The system refuses.
    #[error("a process for a photo cannot be started: {0}")]
    Unstarted(#[from] io::Error),
    /// It has ended without an answer.
    #[error("the process for a photo has failed")]
    Failed,
}

/// Whether this process was started only to develop a photo.
pub fn is_meant(mut arguments: impl Iterator<Item = OsString>) -> bool {
    arguments.nth(1).is_some_and(|argument| argument == COMMAND)
}

/// Makes a photo of a file, until then at most, and says how much of a processor that took. The process for it ends with this future,
/// whether anybody still waits or not, and once `is_enough` says so of what it has taken: then there is no photo.
///
/// # Errors
/// When there is no such process. The inner error says that the file is no picture that can be kept.
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
    // Before it is waited for: then nothing is left that could say so.
    let took = processor_time(&child);
    let status = child.wait().await?;
    if status.signal().is_some() {
        // Memory or time were used up: it is stopped in the midst of its work by nothing else.
        return Ok((Some(Err(PhotoError::TooDemanding)), took));
    }
    let answer = answer::read(&said).filter(|_| status.success());
    Ok((Some(answer.ok_or(SandboxError::Failed)?), took))
}

/// Has a process develop a file, and returns what it has written when it ends.
async fn ask(input: Option<ChildStdin>, output: Option<ChildStdout>, file: &[u8]) -> Vec<u8> {
    if let Some(mut input) = input {
        // How it ends says more than that it does not read.
        let _ = input.write_all(file).await;
    }
    let mut said = Vec::new();
    if let Some(output) = output {
        let _ = output.take(answer::MAX_LENGTH).read_to_end(&mut said).await;
    }
    said
}

/// Returns the processor time of a process that has not been waited for yet.
fn processor_time(child: &Child) -> Duration {
    let stat = child
        .id()
        .and_then(|id| fs::read_to_string(format!("/proc/{id}/stat")).ok());
    // The name of the program, in parentheses, may have spaces.
    let fields = stat.as_deref().and_then(|stat| stat.rsplit_once(')'));
    let ticks = fields.map_or(0, |(_, fields)| {
        let times = fields.split_whitespace().skip(11).take(2);
        times.filter_map(|ticks| ticks.parse::<u32>().ok()).sum()
    });
    TICK * ticks
}
