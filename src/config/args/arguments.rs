//! Command-line arguments, their environment variables and defaults. Passwords in arguments are hidden, since every user of a
//! machine can read the arguments of its processes.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::{env, io};

use clap::builder::BoolishValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches};

use super::{Cli, ServeArgs};
use crate::store::Location;

/// Holds the original arguments of a process that was re-executed without passwords. Unlike arguments, only its own user can read
/// its environment.
const VARIABLE: &str = "TAUBENABWEHR_HIDDEN_ARGUMENTS";

/// Flags that destroy data or confirm it. They have no environment variable, since one set for another purpose must not trigger
/// them.
const DESTRUCTIVE: [&str; 4] = ["erase", "yes", "close", "clock-is-right"];

/// Commands that take the store flags only after the command name; before it, they would be flags of `serve`.
const STRICT: [&str; 4] = ["serve", "doctor", "export", "erase"];

/// The flags that locate the store.
const STORE_FLAGS: [&str; 3] = ["store", "data_dir", "store_password_file"];

/// Prefixes of the environment variables that hold settings.
const SETTINGS: [&str; 2] = ["TAUBENABWEHR_", "PG"];

/// Returns the arguments. If they contain a password, the process first re-executes itself under the same process id with the
/// password masked; until then, for about a millisecond, the password is visible. It also re-executes itself to strip trailing
/// newlines from settings in the environment, which container secrets often have.
///
/// # Errors
/// When the program cannot be executed again.
pub fn read() -> io::Result<Vec<OsString>> {
    let visible: Vec<OsString> = env::args_os().collect();
    let kept: Option<Vec<OsString>> = env::var(VARIABLE)
        .ok()
        .and_then(|kept| serde_json::from_str(&kept).ok());
    // On a mismatch, the variable was inherited from a parent process.
    let kept = kept.filter(|kept| shown(kept) == visible);
    let given = kept.unwrap_or_else(|| visible.clone());
    let shown = shown(&given);
    let settings: Vec<_> = env::vars_os().filter_map(without_line_end).collect();
    if shown == visible && settings.is_empty() {
        return Ok(given);
    }
    let packed = serde_json::to_string(&given)?;
    let begin = |program: &Path| {
        let mut command = Command::new(program);
        if let Some((name, arguments)) = shown.split_first() {
            command.arg0(name).args(arguments);
        }
        let settings = settings.iter().map(|(name, value)| (name, value));
        command.envs(settings).env(VARIABLE, &packed).exec()
    };
    if let Ok(program) = env::current_exe()
        && program.exists()
    {
        return Err(begin(&program));
    }
    // The executable was replaced by a newer one, so run the old one again.
    Err(begin(Path::new("/proc/self/exe")))
}

/// Strips trailing newlines from a setting; `None` for other variables or if there is nothing to strip.
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

/// The arguments with passwords masked.
fn shown(arguments: &[OsString]) -> Vec<OsString> {
    let shown = arguments.iter().map(|argument| {
        let hidden = argument.to_str().and_then(Location::without_password);
        hidden.map_or_else(|| argument.clone(), OsString::from)
    });
    shown.collect()
}

/// Default values of flags for which neither the command line nor the environment has a value, keyed by the flag's name in snake
/// case. An empty list keeps the built-in default.
pub type FlagDefaults = BTreeMap<String, Vec<OsString>>;

impl Cli {
    /// Parses the command line and the environment, with these defaults instead of the built-in ones of every command. Wrong usage
    /// ends the process.
    pub fn parse_with(arguments: &[OsString], defaults: &FlagDefaults) -> Self {
        let mut command = with_defaults(Self::command(), defaults);
        let matches = command.try_get_matches_from_mut(arguments);
        let matches = matches.unwrap_or_else(|error| error.exit());
        let parsed = match misplaced_flag(&command, &matches) {
            Some(message) => Err(command.error(ErrorKind::ArgumentConflict, message)),
            None => Self::from_arg_matches(&matches).map(|cli| Self {
                says_where: says_where(&matches),
                ..cli
            }),
        };
        parsed.unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

impl ServeArgs {
    /// The flags with these defaults, without command line and environment.
    ///
    /// # Errors
    /// When a flag does not accept its value.
    pub fn from_defaults(defaults: &FlagDefaults) -> Result<Self, clap::Error> {
        let command = Self::augment_args(clap::Command::new("serve").no_binary_name(true));
        let matches = with_defaults(command, defaults).try_get_matches_from([] as [OsString; 0])?;
        Self::from_arg_matches(&matches)
    }
}

/// Whether the command line or the environment locates the store.
fn says_where(matches: &ArgMatches) -> bool {
    let is_given = |flag: &&str| -> bool {
        matches!(matches.try_contains_id(flag), Ok(true))
            && matches!(
                matches.value_source(flag),
                Some(ValueSource::CommandLine | ValueSource::EnvVariable)
            )
    };
    let inner = matches.subcommand();
    ["store", "data_dir"].iter().any(is_given) || inner.is_some_and(|(_, inner)| says_where(inner))
}

/// An error message if a flag of `serve` precedes another command, which would ignore it.
fn misplaced_flag(root: &clap::Command, matches: &ArgMatches) -> Option<String> {
    let command = matches.subcommand_name()?;
    let used = root.find_subcommand(command)?;
    let flags = ServeArgs::augment_args(clap::Command::new("serve"));
    let is_given =
        |flag: &&Arg| matches.value_source(flag.get_id().as_str()) == Some(ValueSource::CommandLine);
    let mut given = flags.get_arguments().filter(is_given);
    let flag = given
        .find(|flag| !takes_anywhere(used, flag.get_id()))?
        .get_long()?;
    Some(format!(
        "`--{flag}` belongs behind the command: taubenabwehr {command} --{flag}"
    ))
}

/// Whether a command or one of its subcommands takes a flag in any position.
fn takes_anywhere(command: &clap::Command, flag: &clap::Id) -> bool {
    let mut flags = command.get_arguments();
    flags.any(|arg| arg.get_id() == flag && arg.is_global_set())
        || command
            .get_subcommands()
            .any(|action| takes_anywhere(action, flag))
}

/// Adds what all flags have in common: each has an environment variable of its name, and for most commands the store flags are
/// global.
pub(super) fn complete(command: clap::Command) -> clap::Command {
    let is_strict = STRICT.contains(&command.get_name());
    complete_flags(command, is_strict)
}

fn complete_flags(command: clap::Command, is_strict: bool) -> clap::Command {
    let complete_flag = |flag: Arg| {
        let is_of_store = STORE_FLAGS.contains(&flag.get_id().as_str());
        let is_global = flag.is_global_set() || (is_of_store && !is_strict);
        with_variable(flag).global(is_global)
    };
    let command = command.mut_args(complete_flag);
    command.mut_subcommands(|inner| complete_flags(inner, is_strict))
}

/// Gives a flag an environment variable of its name, unless it is destructive.
pub(super) fn with_variable(flag: Arg) -> Arg {
    let Some(name) = flag.get_long().filter(|name| !DESTRUCTIVE.contains(name)) else {
        return flag;
    };
    let variable = format!("TAUBENABWEHR_{}", name.to_uppercase().replace('-', "_"));
    // Like shells and service managers, treat an empty variable as unset.
    if env::var_os(&variable).is_some_and(|value| value.is_empty()) {
        return flag;
    }
    let flag = flag.env(variable);
    match flag.get_action() {
        ArgAction::SetTrue => flag.value_parser(BoolishValueParser::new()),
        _ => flag,
    }
}

fn with_defaults(mut command: clap::Command, defaults: &FlagDefaults) -> clap::Command {
    for (flag, values) in defaults {
        if command.get_arguments().any(|arg| arg.get_id() == flag.as_str()) && !values.is_empty() {
            command = command.mut_arg(flag, |arg| arg.default_values(values.clone()));
        }
    }
    command.mut_subcommands(|subcommand| with_defaults(subcommand, defaults))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn passwords_are_hidden() {
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
    }

    #[test]
    fn arguments_need_not_be_text() {
        let given = vec![OsString::from_vec(vec![b'a', 0xff, b' '])];
        assert_eq!(shown(&given), given);
        let packed = serde_json::to_string(&given).unwrap();
        assert_eq!(serde_json::from_str::<Vec<OsString>>(&packed).unwrap(), given);
    }
}
