//! Panics. Calls into libraries that panic where they should give an error (redb on some damaged files, the workbook
//! writer on a full disk) are caught, without a message on standard error; of any other only the place is told.

use std::any::Any;
use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread's panics are caught and told by the catcher.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// From now on a panic tells where it happened, and not its message, which can quote what a visitor has written.
pub fn tell_only_where() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        if tracing::enabled!(tracing::Level::ERROR) {
            tracing::error!(place, "internal error; please report it");
        } else {
            // Where nobody listens, the exit code has to do.
            let _ = writeln!(io::stderr(), "error: internal error at {place}; please report it");
        }
    }));
}

/// Runs the call; a panic becomes an error with its message, in one line. What the call worked on must not be
/// used afterwards.
pub fn catch<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    silence();
    let outer = QUIET.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    QUIET.set(outer);
    result.map_err(|panic| message(panic.as_ref()))
}

/// Leaves every other thread's panics to the hook that was there before.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "internal error",
    };
    one_line(text)
}

/// The text with line breaks, and whatever else would do something to a terminal, made spaces.
pub fn one_line(text: &str) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || c.is_control());
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(catch(|| 1), Ok(1));
        let caught: Result<(), String> = catch(|| panic!("torn\n  page {}", 7));
        assert_eq!(caught, Err("torn page 7".to_owned()));
    }

    #[test]
    fn a_line_holds_nothing_that_a_terminal_obeys() {
        assert_eq!(one_line("\u{1b}[2Ja\r\n\0 b\u{2028}c\u{9b}"), "[2Ja b c");
    }
}
