//! `--store` and `--data-dir`, which both say where the inquiries are.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::path::PathBuf;

use clap::builder::{TypedValueParser, ValueParserFactory};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::store::Location;

/// The ids of the flags.
const STORE: &str = "store";
const DATA_DIR: &str = "data_dir";
const PASSWORD_FILE: &str = "store_password_file";

/// The flags as they are given.
#[derive(Debug, Clone, Args)]
struct Flags {
    /// Store of the inquiries: redb:DIR (as --data-dir DIR), or the address of a PostgreSQL database
    // An address may hold a password, which help must not show.
    #[arg(
        long,
        env = "TAUBENABWEHR_STORE",
        value_name = "URL",
        hide_env_values = true,
        hide_default_value = true
    )]
    store: Option<Location>,

    /// File with the database's password in one line, read at each log-in
    #[arg(long, env = "TAUBENABWEHR_STORE_PASSWORD_FILE", value_name = "FILE")]
    store_password_file: Option<PathBuf>,

    /// Directory of the inquiries
    #[arg(
        long,
        env = "TAUBENABWEHR_DATA_DIR",
        value_name = "DIR",
        default_value = "./data"
    )]
    data_dir: PathBuf,
}

/// Where a command finds the inquiries, by the stronger of both flags.
#[derive(Debug, Clone)]
pub struct StoreArgs<P = Behind> {
    /// The place.
    pub location: Location,
    place: PhantomData<P>,
}

/// Where the flags may stand, and what help says of them.
pub trait FlagPlace {
    /// Completes a command that has the flags.
    fn complete(command: Command) -> Command;
}

/// After the command.
#[derive(Debug, Clone, Copy)]
pub struct Behind;

/// After the command, and after the command's own subcommands.
#[derive(Debug, Clone, Copy)]
pub struct Anywhere;

/// After `serve`, which creates what is missing.
#[derive(Debug, Clone, Copy)]
pub struct BehindServe;

impl FlagPlace for Behind {
    fn complete(command: Command) -> Command {
        command
    }
}

impl FlagPlace for Anywhere {
    fn complete(command: Command) -> Command {
        let global = |arg: Arg| arg.global(true);
        let flags = [STORE, DATA_DIR, PASSWORD_FILE];
        flags
            .into_iter()
            .fold(command, |command, flag| command.mut_arg(flag, global))
    }
}

impl FlagPlace for BehindServe {
    fn complete(command: Command) -> Command {
        command.mut_arg(DATA_DIR, |arg| {
            arg.help("Directory of the inquiries; created (mode 0700) if missing")
        })
    }
}

/// How much a source of values counts.
fn strength(matches: &ArgMatches, flag: &str) -> u8 {
    match matches.value_source(flag) {
        Some(ValueSource::CommandLine) => 3,
        Some(ValueSource::EnvVariable) => 2,
        // The configuration file, which takes the place of a default.
        Some(_) => 1,
        None => 0,
    }
}

fn location(matches: &mut ArgMatches) -> Result<Location, Error> {
    let (store, data_dir) = (strength(matches, STORE), strength(matches, DATA_DIR));
    let flags = Flags::from_arg_matches_mut(matches)?;
    match flags.store {
        Some(_) if store == 3 && data_dir == 3 => Err(Error::raw(
            ErrorKind::ArgumentConflict,
            "--store and --data-dir both say where the inquiries are; give one of them",
        )),
        Some(location) if store >= data_dir => Ok(location.with_password_file(flags.store_password_file)),
        _ => Ok(Location::Directory(flags.data_dir)),
    }
}

impl<P> FromArgMatches for StoreArgs<P> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        Ok(Self {
            location: location(matches)?,
            place: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<P: FlagPlace> Args for StoreArgs<P> {
    fn augment_args(command: Command) -> Command {
        P::complete(Flags::augment_args(command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Parses the value of `--store`.
#[derive(Debug, Clone, Copy)]
pub struct LocationParser;

impl TypedValueParser for LocationParser {
    type Value = Location;

    /// Parses a value. The usual error would show it, with a password that may be in it.
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
