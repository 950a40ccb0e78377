//! Captures what a child process writes to one of its streams while it runs.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use super::until;

/// The output of a stream so far.
pub struct Capture {
    text: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Capture {
    /// Starts reading a stream on a separate thread.
    pub fn start(stream: impl Read + Send + 'static) -> Self {
        let text = Arc::new(Mutex::new(String::new()));
        let shared = Arc::clone(&text);
        let reader = thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            let mut line = Vec::new();
            while stream.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                shared.lock().unwrap().push_str(&String::from_utf8_lossy(&line));
                line.clear();
            }
        });
        Self {
            text,
            reader: Some(reader),
        }
    }

    pub fn text(&self) -> String {
        self.text.lock().unwrap().clone()
    }

    /// Waits until the stream ends, which it does with the process, and returns the whole output.
    pub fn complete(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        self.text()
    }

    pub fn has_ended(&self) -> bool {
        self.reader.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for a complete line that contains `part`. Returns `None` if the stream ends without one.
    pub fn wait_for_line(&self, part: &str) -> Option<String> {
        let find = || {
            let text = self.text();
            let line = text
                .split_inclusive('\n')
                .find(|line| line.ends_with('\n') && line.contains(part));
            line.map(|line| line.trim_end().to_owned())
        };
        until(&format!("a line with {part:?}"), || match find() {
            Some(line) => Some(Some(line)),
            // The line may have arrived between the two checks.
            None if self.has_ended() => Some(find()),
            None => None,
        })
    }
}
