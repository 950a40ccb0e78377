//! Running the program to its end.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The executable under test; `TAUBENABWEHR_BIN` names another one than the build's.
pub fn program() -> PathBuf {
    env::var_os("TAUBENABWEHR_BIN").map_or_else(|| env!("CARGO_BIN_EXE_taubenabwehr").into(), PathBuf::from)
}

/// The program in `directory`, with none of its environment variables set.
pub fn command(directory: &Path) -> Command {
    clean(Command::new(program()), directory)
}

/// Any command, in `directory` and with none of the program's environment variables set.
pub fn clean(mut command: Command, directory: &Path) -> Command {
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("TAUBENABWEHR_") {
            command.env_remove(name);
        }
    }
    command.current_dir(directory).stdin(Stdio::null());
    command
}

/// How a run ended.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// Runs the program in `directory` to its end.
pub fn run<S: AsRef<OsStr>>(directory: &Path, args: &[S]) -> Finished {
    finish(command(directory).args(args))
}

/// Runs a command to its end.
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

    /// Checks that it succeeded without a complaint and gives what it printed.
    pub fn success(&self) -> &str {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.text()
    }

    /// Checks that it failed as the contract says: exit code 1, one line on standard error, nothing else. Gives the line.
    pub fn failure(&self) -> &str {
        assert_eq!(self.code, Some(1), "{}\n{}", self.stderr, self.text());
        assert!(self.stdout.is_empty(), "{}", self.text());
        one_line(&self.stderr)
    }

    /// Checks that it was called wrongly: exit code 2, with an explanation that names `part`.
    pub fn misuse(&self, part: &str) {
        assert_eq!(self.code, Some(2), "{}", self.stderr);
        assert!(self.stdout.is_empty(), "{}", self.text());
        assert!(self.stderr.contains(part), "{} does not name {part}", self.stderr);
    }
}

/// Checks that `text` is exactly one line with something in it and gives it.
pub fn one_line(text: &str) -> &str {
    let line = text
        .strip_suffix('\n')
        .unwrap_or_else(|| panic!("no whole line: {text:?}"));
    assert!(
        !line.contains(['\n', '\r']) && line.len() > 10,
        "not one clear line: {text:?}"
    );
    line
}
