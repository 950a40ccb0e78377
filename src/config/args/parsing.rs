//! Parsing the command line: with the configuration file's values as defaults, and flags in their place.

use std::env;
use std::ffi::{OsStr, OsString};

use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, CommandFactory, FromArgMatches};

use super::{Cli, ServeArgs};

/// What a flag is when neither the command line nor the environment sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagDefault {
    /// The name of the flag in snake case.
    pub flag: String,
    /// Its values; none leaves the flag as it is.
    pub values: Vec<OsString>,
}

impl Cli {
    /// Parses the command line and the environment. Wherever a command has one of these flags, these values take the
    /// place of its own default. Wrong usage ends the process.
    pub fn parse_with(arguments: &[OsString], defaults: &[FlagDefault]) -> Self {
        let mut command = with_defaults(without_empty_variables(Self::command()), defaults);
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
    /// Returns the flags as these values set them, whatever the environment says.
    ///
    /// # Errors
    /// When a flag does not take its value.
    pub fn from_defaults(defaults: &[FlagDefault]) -> Result<Self, clap::Error> {
        let command = Self::augment_args(clap::Command::new("serve").no_binary_name(true));
        let command = command.mut_args(|arg| arg.env(Resettable::Reset));
        let matches = with_defaults(command, defaults).try_get_matches_from([] as [OsString; 0])?;
        Self::from_arg_matches(&matches)
    }
}

/// Returns whether the command line or the environment says where the inquiries are.
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

/// Flags of `serve` before another command would be ignored.
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

/// Returns whether a command takes a flag wherever it stands.
fn takes_anywhere(command: &clap::Command, flag: &clap::Id) -> bool {
    let mut flags = command.get_arguments();
    flags.any(|arg| arg.get_id() == flag && arg.is_global_set())
        || command
            .get_subcommands()
            .any(|action| takes_anywhere(action, flag))
}

/// Takes an empty variable for one that is not set, as shells and service managers have it.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| env::var_os(name).is_some_and(|value| value.is_empty());
    command
        .mut_args(|arg| {
            if arg.get_env().is_some_and(is_empty) {
                arg.env(Resettable::Reset)
            } else {
                arg
            }
        })
        .mut_subcommands(without_empty_variables)
}

fn with_defaults(mut command: clap::Command, defaults: &[FlagDefault]) -> clap::Command {
    for FlagDefault { flag, values } in defaults {
        if command.get_arguments().any(|arg| arg.get_id() == flag.as_str()) && !values.is_empty() {
            command = command.mut_arg(flag, |arg| arg.default_values(values.clone()));
        }
    }
    command.mut_subcommands(|subcommand| with_defaults(subcommand, defaults))
}
