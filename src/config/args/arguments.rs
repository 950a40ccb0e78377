//! The arguments of the command line, and how passwords in them are hidden. Any user of a machine may read the arguments of
//! its processes.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode, percent_encode};

use crate::store::Location;

/// Holds the arguments of a process whose visible ones lack passwords. Only its own user may read its environment.
const VARIABLE: &str = "TAUBENABWEHR_HIDDEN_ARGUMENTS";

/// What begins the names of variables that hold settings.
const SETTINGS: [&str; 2] = ["TAUBENABWEHR_", "PG"];

/// Returns the arguments. If there is a password among them, this process first executes itself again, with the same id, so that
/// its visible arguments do not have it. Until then, for about a millisecond, they do. It does so, too, if settings in the environment
/// end with a line end, as secrets of containers often do: then they are without.
///
/// # Errors
/// When the system refuses to execute the program again.
pub fn read() -> io::Result<Vec<OsString>> {
    let visible: Vec<OsString> = env::args_os().collect();
    let kept = env::var_os(VARIABLE).map(|kept| unpack(&kept));
    // Otherwise the variable comes from a process that started this one.
    let kept = kept.filter(|kept| shown(kept) == visible);
    let given = kept.unwrap_or_else(|| visible.clone());
    let shown = shown(&given);
    let settings: Vec<_> = env::vars_os().filter_map(without_line_end).collect();
    if shown == visible && settings.is_empty() {
        return Ok(given);
    }
    let begin = |program: &Path| {
        let mut command = Command::new(program);
        if let Some((name, arguments)) = shown.split_first() {
            command.arg0(name).args(arguments);
        }
        let settings = settings.iter().map(|(name, value)| (name, value));
        command.envs(settings).env(VARIABLE, pack(&given)).exec()
    };
    if let Ok(program) = env::current_exe()
        && program.exists()
    {
        return Err(begin(&program));
    }
    // The file was replaced by a newer one.
    Err(begin(Path::new("/proc/self/exe")))
}

/// Returns a setting without the line end at its end; `None` if there is nothing to take away.
fn without_line_end((name, value): (OsString, OsString)) -> Option<(OsString, OsString)> {
    let is_setting = SETTINGS
        .iter()
        .any(|start| name.as_bytes().starts_with(start.as_bytes()));
    let bytes = value.as_bytes();
    let end = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'));
    let trimmed = bytes.get(..end.map_or(0, |last| last + 1))?;
    let trimmed = OsStr::from_bytes(trimmed).to_owned();
    (is_setting && trimmed != value).then_some((name, trimmed))
}

/// Returns arguments without the passwords in them.
fn shown(arguments: &[OsString]) -> Vec<OsString> {
    let shown = arguments.iter().map(|argument| {
        let hidden = argument.to_str().and_then(Location::without_password);
        hidden.map_or_else(|| argument.clone(), OsString::from)
    });
    shown.collect()
}

fn pack(arguments: &[OsString]) -> String {
    let packed = arguments
        .iter()
        .map(|argument| percent_encode(argument.as_bytes(), NON_ALPHANUMERIC).to_string());
    packed.collect::<Vec<_>>().join(" ")
}

fn unpack(text: &OsStr) -> Vec<OsString> {
    let packed = text.as_bytes().split(|&byte| byte == b' ');
    packed
        .map(|argument| OsString::from_vec(percent_decode(argument).collect()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden_and_come_back() {
        let given = [
            "taubenabwehr",
            "copy",
            "--from=postgres://a:geheim@db/x",
            "--to",
            "postgresql://b@db/y?password=ge%20heim",
            "",
            "redb:a b",
        ];
        let given: Vec<OsString> = given.map(OsString::from).into();
        let shown = shown(&given);
        assert_eq!(shown[2], "--from=postgres://a:***@db/x");
        assert_eq!(shown[4], "postgresql://b@db/y?password=***");
        assert_eq!(shown[5..], given[5..]);
        assert_eq!(unpack(pack(&given).as_ref()), given);
    }

    #[test]
    fn arguments_need_not_be_text() {
        let given = vec![OsString::from_vec(vec![b'a', 0xff, b' '])];
        assert_eq!(shown(&given), given);
        assert_eq!(unpack(pack(&given).as_ref()), given);
    }
}
