//! The queue between loggers and the writer thread. Hand-written, since the usual crate would pull in log rotation and a second
//! date library.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::base::text::mail_address::is_unprintable;

/// Capacity of the queue in lines; further lines are dropped and counted. At 200 bytes a line, a full queue takes 200 KiB.
const MAX_LINES: usize = 1024;

/// Maximum wait at exit for the last lines to be written.
const FLUSH_TIME: Duration = Duration::from_millis(500);

/// The sending half of the queue.
#[derive(Debug, Clone)]
pub struct Queue {
    lines: SyncSender<Vec<u8>>,
    backlog: Arc<Backlog>,
}

/// Bookkeeping of lines that are not written yet.
#[derive(Debug, Default)]
struct Backlog {
    /// The number of lines that are queued or being written, and the number dropped.
    counts: Mutex<(u64, u64)>,
    /// Notified when the queue is empty.
    written: Condvar,
}

impl Queue {
    /// Creates a queue; pass the receiver to [`start_writer`].
    pub fn new() -> (Self, Receiver<Vec<u8>>) {
        let (lines, queued) = sync_channel(MAX_LINES);
        let backlog = Arc::default();
        (Self { lines, backlog }, queued)
    }
}

impl Write for Queue {
    /// Queues one event per call, as the subscriber writes them. Line breaks and terminal control characters, which messages of
    /// servers and errors may contain, are replaced so that each event stays on one line.
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

/// Spawns the writer thread.
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

/// Waits on drop until the last lines are written, for a limited time.
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

/// Default pause between two lines of one kind: short enough to show that an attack continues, and at most 1440 lines a day.
const PAUSE: Duration = Duration::from_mins(1);

/// Rate-limits one kind of log line, and counts the suppressed ones.
#[derive(Debug)]
pub struct LogThrottle {
    pause: Duration,
    /// When the last line was admitted, and how many were suppressed since.
    last: Mutex<(Option<Instant>, u64)>,
}

impl LogThrottle {
    /// Creates a throttle with a given pause between two lines.
    pub fn every(pause: Duration) -> Self {
        Self {
            pause,
            last: Mutex::default(),
        }
    }

    /// `true` the first time, and then once after each pause.
    pub fn is_due(&self) -> bool {
        self.admit().is_some()
    }

    /// Admits a line if one is due, and returns how many were suppressed since the last one.
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
