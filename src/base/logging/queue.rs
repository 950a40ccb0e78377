//! The queue between loggers and the writing thread. Hand-written, since the usual crate for it brings a second
//! library for dates and log rotation, neither of which is needed here.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::base::text::mail_address::is_unprintable;

/// Lines that wait at most; more are dropped and counted. At 200 bytes each, a full queue takes 200 KiB.
const MAX_LINES: usize = 1024;

/// Time for the last lines to be written when the process ends.
const FLUSH_TIME: Duration = Duration::from_millis(500);

/// Lines waiting to be written.
#[derive(Debug, Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Vec<u8>>,
    dropped: u64,
    is_writing: bool,
}

impl Queue {
    fn push(&self, line: Vec<u8>) {
        let mut state = self.state.lock();
        if state.lines.len() < MAX_LINES {
            state.lines.push_back(line);
            self.changed.notify_all();
        } else {
            state.dropped += 1;
        }
    }

    #[cfg(test)]
    pub(super) fn pop(&self) -> Option<Vec<u8>> {
        self.state.lock().lines.pop_front()
    }

    /// Waits for a line to write, or for a count of dropped lines once all others are written.
    fn next(&self) -> Next {
        let mut state = self.state.lock();
        state.is_writing = false;
        self.changed.notify_all();
        loop {
            if let Some(line) = state.lines.pop_front() {
                state.is_writing = true;
                return Next::Line(line);
            }
            if state.dropped > 0 {
                return Next::Dropped(std::mem::take(&mut state.dropped));
            }
            self.changed.wait(&mut state);
        }
    }
}

enum Next {
    Line(Vec<u8>),
    Dropped(u64),
}

/// Starts the thread that writes.
pub fn start_writer(queue: &Arc<Queue>) -> io::Result<Flush> {
    let reader = Arc::clone(queue);
    thread::Builder::new().name("log".to_owned()).spawn(move || {
        loop {
            match reader.next() {
                // If standard error is closed, there is nowhere left to report it.
                Next::Line(line) => drop(io::stderr().write_all(&line)),
                // The queue is empty now, so this line fits.
                Next::Dropped(lines) => {
                    tracing::warn!(lines, "log lines were dropped, since nobody read them");
                }
            }
        }
    })?;
    Ok(Flush(Arc::clone(queue)))
}

/// Puts one event into the queue.
pub struct Writer(Arc<Queue>);

impl Writer {
    /// Creates a writer for the queue.
    pub fn new(queue: Arc<Queue>) -> Self {
        Self(queue)
    }
}

impl Write for Writer {
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
        self.0.push(line.into_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits, when dropped, until the last lines are written, but not for ever.
#[derive(Debug)]
#[must_use]
pub struct Flush(Arc<Queue>);

impl Drop for Flush {
    fn drop(&mut self) {
        let is_busy = |state: &mut State| state.is_writing || !state.lines.is_empty();
        let mut state = self.0.state.lock();
        self.0.changed.wait_while_for(&mut state, is_busy, FLUSH_TIME);
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
