//! Runs the program and waits until it exits.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::de::DeserializeOwned;

use super::store;

/// The executable under test: the one in `TAUBENABWEHR_BIN`, or the one just built.
pub fn program() -> PathBuf {
    env::var_os("TAUBENABWEHR_BIN").map_or_else(|| env!("CARGO_BIN_EXE_taubenabwehr").into(), PathBuf::from)
}

/// A command that runs the program in `directory`. Of the program's environment variables, only the one with the store of that
/// directory is set.
pub fn command(directory: &Path) -> Command {
    clean(Command::new(program()), directory)
}

/// Moves a command to `directory` and clears the program's environment variables, except for the directory's store.
pub fn clean(mut command: Command, directory: &Path) -> Command {
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("TAUBENABWEHR_") {
            command.env_remove(name);
        }
    }
    store::set(&mut command, directory);
    command.current_dir(directory).stdin(Stdio::null());
    command
}

/// The exit code and output of a process.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// Runs the program in `directory` and waits until it exits.
pub fn run<S: AsRef<OsStr>>(directory: &Path, args: &[S]) -> Finished {
    finish(command(directory).args(args))
}

/// Runs a command and waits until it exits.
pub fn finish(command: &mut Command) -> Finished {
    let output = command.output().unwrap();
    Finished {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Finished {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// Checks that the run succeeded, and returns its standard output.
    pub fn success(&self) -> &str {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.text()
    }

    /// Checks that the run succeeded, and parses the JSON that it printed.
    pub fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_str(self.success()).unwrap()
    }

    /// Checks that the run failed like every command: exit code 1 and exactly one line on standard error. Returns the line.
    pub fn failure(&self) -> &str {
        assert_eq!(self.code, Some(1), "{}\n{}", self.stderr, self.text());
        assert!(self.stdout.is_empty(), "{}", self.text());
        one_line(&self.stderr)
    }

    /// Checks that the run failed with a line that contains this part.
    #[track_caller]
    pub fn fails_with(&self, part: &str) {
        assert!(self.failure().contains(part), "{} lacks {part}", self.stderr);
    }

    /// Checks that the run ended with a usage error: exit code 2 and an explanation that names `part`.
    pub fn misuse(&self, part: &str) {
        assert_eq!(self.code, Some(2), "{}", self.stderr);
        assert!(self.stdout.is_empty(), "{}", self.text());
        assert!(self.stderr.contains(part), "{} does not name {part}", self.stderr);
    }
}

/// Checks that `text` is a single line of more than a few characters, and returns it without its line break.
pub fn one_line(text: &str) -> &str {
    let line = text
        .strip_suffix('\n')
        .unwrap_or_else(|| panic!("not a complete line: {text:?}"));
    assert!(
        !line.contains(['\n', '\r']) && line.len() > 10,
        "not a single meaningful line: {text:?}"
    );
    line
}
