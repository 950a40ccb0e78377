//! Decodes each photo in a separate process, which restricts itself before it reads the file. Whatever an uploaded file makes the
//! decoder do, its memory and time are limited, and a crash affects nothing else
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

/// The internal command that decodes one photo; help does not list it.
const COMMAND: &str = "develop-photo";

/// The running executable, even if its file was replaced by a newer one.
const EXECUTABLE: &str = "/proc/self/exe";

/// The unit of processor time in `/proc`.
const TICK: Duration = Duration::from_millis(10);

/// The longest answer, in bytes. Pictures of pure noise take 3 MB.
const MAX_ANSWER: u64 = 16 << 20;

/// How often a process's processor time is checked.
const LOOK: Duration = Duration::from_millis(100);

/// Whether this process was started to decode a photo.
pub fn is_meant(mut arguments: impl Iterator<Item = OsString>) -> bool {
    arguments.nth(1).is_some_and(|argument| argument == COMMAND)
}

/// Decodes a file in a child process, and returns the processor time that it used. Past the deadline, the process is killed and
/// the file counts as [`PhotoError::TooDemanding`]. Once `is_enough` returns true for the time used so far, the process is killed
/// without a result (`None`). Dropping the future also kills it.
///
/// # Errors
/// When the process fails to start or to finish, which no file can cause. The inner error means that the file is not a usable
/// picture.
pub async fn develop(
    file: &[u8],
    until: Instant,
    is_enough: impl Fn(Duration) -> bool,
) -> io::Result<(Option<Result<Photo, PhotoError>>, Duration)> {
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
    // Read before `wait`, which removes the process from `/proc`.
    let took = processor_time(&child);
    let status = child.wait().await?;
    if status.signal().is_some() {
        // Only the limits of memory and time end it by a signal.
        return Ok((Some(Err(PhotoError::TooDemanding)), took));
    }
    // A failed process has not answered.
    let answer =
        minicbor::decode(&said).map_err(|_| io::Error::other("the process for a photo has failed"))?;
    Ok((Some(answer), took))
}

/// Writes a file to a process, and reads its output to the end.
async fn ask(input: Option<ChildStdin>, output: Option<ChildStdout>, file: &[u8]) -> Vec<u8> {
    if let Some(mut input) = input {
        // If the write fails, the exit status tells why.
        let _ = input.write_all(file).await;
    }
    let mut said = Vec::new();
    if let Some(output) = output {
        let _ = output.take(MAX_ANSWER).read_to_end(&mut said).await;
    }
    said
}

/// The processor time of a process that has not been waited for.
fn processor_time(child: &Child) -> Duration {
    let stat = child
        .id()
        .and_then(|id| fs::read_to_string(format!("/proc/{id}/stat")).ok());
    // The program's name, in parentheses, may contain spaces.
    let fields = stat.as_deref().and_then(|stat| stat.rsplit_once(')'));
    let ticks = fields.map_or(0, |(_, fields)| {
        let times = fields.split_whitespace().skip(11).take(2);
        times.filter_map(|ticks| ticks.parse::<u32>().ok()).sum()
    });
    TICK * ticks
}
