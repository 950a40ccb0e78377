//! `--store` and `--data-dir`, two ways to locate the store.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{TypedValueParser, ValueParserFactory};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::store::Location;

/// The ids of the flags.
const STORE: &str = "store";
const DATA_DIR: &str = "data_dir";

/// The flags as they are given.
#[derive(Debug, Clone, Args)]
struct Flags {
    /// Store of the inquiries: redb:DIR (as --data-dir DIR), or the address of a PostgreSQL database
    // A URL may contain a password, which help must not show.
    #[arg(long, value_name = "URL", hide_env_values = true, hide_default_value = true)]
    store: Option<Location>,

    /// File with the database's password in one line, read at each log-in
    #[arg(long, value_name = "FILE")]
    store_password_file: Option<PathBuf>,

    /// Directory of the inquiries; a server creates it (mode 0700) if it is missing
    #[arg(long, value_name = "DIR", default_value = "./data")]
    data_dir: PathBuf,
}

/// The precedence of the source of a flag's value.
fn strength(matches: &ArgMatches, flag: &str) -> u8 {
    match matches.value_source(flag) {
        Some(ValueSource::CommandLine) => 3,
        Some(ValueSource::EnvVariable) => 2,
        // The configuration file, which replaces the default.
        Some(_) => 1,
        None => 0,
    }
}

/// The location of the store, from whichever flag has the stronger source.
impl FromArgMatches for Location {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (store, data_dir) = (strength(matches, STORE), strength(matches, DATA_DIR));
        let flags = Flags::from_arg_matches(matches)?;
        match flags.store {
            Some(_) if store == 3 && data_dir == 3 => Err(Error::raw(
                ErrorKind::ArgumentConflict,
                "--store and --data-dir both say where the inquiries are; give one of them",
            )),
            Some(location) if store >= data_dir => Ok(location.with_password_file(flags.store_password_file)),
            _ => Ok(Self::Directory(flags.data_dir)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Location {
    fn augment_args(command: Command) -> Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Parser of `--store`.
#[derive(Debug, Clone, Copy)]
pub struct LocationParser;

impl TypedValueParser for LocationParser {
    type Value = Location;

    /// Parses a location. clap's own error would quote the value, which may contain a password.
    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Location, Error> {
        Location::parse(value).map_err(|reason| {
            let flag = arg.map_or_else(|| "--store".to_owned(), ToString::to_string);
            let message = format!("invalid value for '{flag}': {reason}\n");
            let mut error = Error::raw(ErrorKind::ValueValidation, message).with_cmd(command);
            error.insert(ContextKind::Custom, ContextValue::String(reason.to_string()));
            error
        })
    }
}

impl ValueParserFactory for Location {
    type Parser = LocationParser;

    fn value_parser() -> LocationParser {
        LocationParser
    }
}
