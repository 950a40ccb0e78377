//! The queue between loggers and the writing thread. Hand-written, since the usual crate for it brings a second
//! library for dates and log rotation, neither of which is needed here.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::base::text::mail_address::is_unprintable;

/// Lines that wait at most; more are dropped and counted. At 200 bytes each, a full queue takes 200 KiB.
const MAX_LINES: usize = 1024;

/// Time for the last lines to be written when the process ends.
const FLUSH_TIME: Duration = Duration::from_millis(500);

/// Takes lines that are to be written.
#[derive(Debug, Clone)]
pub struct Queue {
    lines: SyncSender<Vec<u8>>,
    backlog: Arc<Backlog>,
}

/// What is not written yet.
#[derive(Debug, Default)]
struct Backlog {
    /// How many lines wait or are being written, and how many were dropped.
    counts: Mutex<(u64, u64)>,
    /// Told when no line is left.
    written: Condvar,
}

impl Queue {
    /// Creates a queue; the lines that it takes are to be written by [`start_writer`].
    pub fn new() -> (Self, Receiver<Vec<u8>>) {
        let (lines, queued) = sync_channel(MAX_LINES);
        let backlog = Arc::default();
        (Self { lines, backlog }, queued)
    }
}

impl Write for Queue {
    /// The subscriber writes each event at once. Text of a server or an error may contain line ends and terminal control characters:
    /// they are replaced, so that it stays on one line.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes.trim_ascii_end());
        let plain = text.chars().map(|c| {
            if c.is_whitespace() || is_unprintable(c) {
                ' '
            } else {
                c
            }
        });
        let line: String = plain.chain(['\n']).collect();
        let (waiting, dropped) = &mut *self.backlog.counts.lock();
        match self.lines.try_send(line.into_bytes()) {
            Ok(()) => *waiting += 1,
            Err(_) => *dropped += 1,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts the thread that writes.
pub fn start_writer(queue: &Queue, queued: Receiver<Vec<u8>>) -> io::Result<Flush> {
    let backlog = Arc::clone(&queue.backlog);
    let flush = Flush(Arc::clone(&backlog));
    thread::Builder::new().name("log".to_owned()).spawn(move || {
        for line in queued {
            // If standard error is closed, there is nowhere left to report it.
            drop(io::stderr().write_all(&line));
            let lines = {
                let (waiting, dropped) = &mut *backlog.counts.lock();
                *waiting -= 1;
                if *waiting > 0 {
                    continue;
                }
                std::mem::take(dropped)
            };
            backlog.written.notify_all();
            if lines > 0 {
                // The queue is empty now, so this line fits.
                tracing::warn!(lines, "log lines were dropped, since nobody read them");
            }
        }
    })?;
    Ok(flush)
}

/// Waits, when dropped, until the last lines are written, but not for ever.
#[derive(Debug)]
#[must_use]
pub struct Flush(Arc<Backlog>);

impl Drop for Flush {
    fn drop(&mut self) {
        let mut counts = self.0.counts.lock();
        let is_busy = |(waiting, _): &mut (u64, u64)| *waiting > 0;
        self.0.written.wait_while_for(&mut counts, is_busy, FLUSH_TIME);
    }
}

/// Default pause between two lines of one kind: short enough to see that an attack continues, and at most
/// 1440 lines a day.
const PAUSE: Duration = Duration::from_mins(1);

/// Lets one line of a kind through at a time, and counts the others.
#[derive(Debug)]
pub struct LogThrottle {
    pause: Duration,
    /// When the last line was let through, and how many have been left out since.
    last: Mutex<(Option<Instant>, u64)>,
}

impl LogThrottle {
    /// Creates a throttle with this pause between two lines.
    pub fn every(pause: Duration) -> Self {
        Self {
            pause,
            last: Mutex::default(),
        }
    }

    /// Returns `true` the first time, and then once after each pause.
    pub fn is_due(&self) -> bool {
        self.admit().is_some()
    }

    /// Returns how many lines were left out since the last one, if another one is due.
    pub fn admit(&self) -> Option<u64> {
        let (last, left_out) = &mut *self.last.lock();
        if last.is_some_and(|last| last.elapsed() < self.pause) {
            *left_out += 1;
            return None;
        }
        *last = Some(Instant::now());
        Some(std::mem::take(left_out))
    }
}

impl Default for LogThrottle {
    fn default() -> Self {
        Self::every(PAUSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_not_repeated_at_once() {
        let throttle = LogThrottle::default();
        assert!(throttle.is_due());
        assert!(!throttle.is_due());
        throttle.last.lock().0 = None;
        assert_eq!(throttle.admit(), Some(1));
        let throttle = LogThrottle::every(Duration::ZERO);
        assert!(throttle.is_due() && throttle.is_due());
    }
}
