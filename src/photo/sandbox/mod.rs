//! Developing photos apart: a process of this executable for each file, which bounds itself before it reads anything. Whatever a
//! decoder makes of a stranger's file, it takes no more memory and time than a photo may, and ends alone
//! (`docs/decisions/0025-photos-in-a-process-of-their-own.md`).

mod answer;
mod confined;

pub use confined::run;

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout_at};

use crate::photo::{Photo, PhotoError};

/// The command that makes a process of this executable develop one photo. No help names it: it is not for people.
const COMMAND: &str = "develop-photo";

/// This executable, also where its file was replaced by a newer one.
const EXECUTABLE: &str = "/proc/self/exe";

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

/// Returns whether this process is to develop a photo and do nothing else.
pub fn is_meant(mut arguments: impl Iterator<Item = OsString>) -> bool {
    arguments.nth(1).is_some_and(|argument| argument == COMMAND)
}

/// Makes a photo of a file, until then at most. The process for it ends with this future, whether anybody still waits or not.
///
/// # Errors
/// When there is no such process. The inner error says that the file is no picture that can be kept.
pub async fn develop(file: &[u8], until: Instant) -> Result<Result<Photo, PhotoError>, SandboxError> {
    let mut child = Command::new(EXECUTABLE)
        .arg(COMMAND)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let Ok(developed) = timeout_at(until, ask(&mut child, file)).await else {
        child.kill().await?;
        return Ok(Err(PhotoError::TooDemanding));
    };
    developed
}

async fn ask(child: &mut Child, file: &[u8]) -> Result<Result<Photo, PhotoError>, SandboxError> {
    if let Some(mut input) = child.stdin.take() {
        // How it ends says more than that it does not read.
        let _ = input.write_all(file).await;
    }
    let mut said = Vec::new();
    if let Some(output) = child.stdout.take() {
        let _ = output.take(answer::MAX_LENGTH).read_to_end(&mut said).await;
    }
    let status = child.wait().await?;
    if status.signal().is_some() {
        // Memory or time were used up: it is stopped in the midst of its work by nothing else.
        return Ok(Err(PhotoError::TooDemanding));
    }
    answer::read(&said)
        .filter(|_| status.success())
        .ok_or(SandboxError::Failed)
}
