//! The flags of `serve` as keys of the configuration file. Their names, types and help come from the command line's definition.

use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;
use std::slice;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Args, Command, ValueHint};
use toml::de::DeValue;

use super::toml_file::{FileError, TomlDocument};
use crate::config::args::{FlagDefaults, ServeArgs};
use crate::store::Location;

/// Reads the flags that a file sets, and resolves relative paths. `tables` are the keys that are not flags.
///
/// # Errors
/// When a key is neither a flag nor in `tables`, or the command line would reject its value.
pub(super) fn read(document: &TomlDocument, tables: &[&str]) -> Result<FlagDefaults, FileError> {
    let command = ServeArgs::augment_args(Command::new("serve"));
    let mut defaults = FlagDefaults::new();
    for (key, value) in document.table()?.get_ref() {
        let name = key.get_ref().as_ref();
        if tables.contains(&name) {
            continue;
        }
        let flag = command.get_arguments().find(|flag| flag.get_id() == name);
        let flag = flag.ok_or_else(|| document.wrong_at(key.span(), &unknown(name, &command, tables)))?;
        let (entries, expected) = match value.get_ref() {
            DeValue::Array(list) if takes_list(flag) => (&**list, "a string"),
            _ => (slice::from_ref(value), expected(flag)),
        };
        let values = entries.iter().map(|entry| {
            let text = text(flag, entry.get_ref(), expected);
            let text = text.map_err(|message| document.wrong_at(entry.span(), &message))?;
            Ok(resolve(flag, &text, document))
        });
        defaults.insert(name.to_owned(), values.collect::<Result<_, FileError>>()?);
    }
    Ok(defaults)
}

fn unknown(key: &str, command: &Command, tables: &[&str]) -> String {
    let flags = command.get_arguments().map(|flag| flag.get_id().as_str());
    let known: Vec<_> = flags
        .chain(tables.iter().copied())
        .map(|key| format!("`{key}`"))
        .collect();
    format!("unknown field `{key}`, expected one of {}", known.join(", "))
}

fn takes_list(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::Append)
}

fn is_switch(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::SetTrue)
}

/// Whether the flag may be given without a value, which means `true`.
fn may_lack_value(flag: &Arg) -> bool {
    flag.get_num_args().is_some_and(|count| count.min_values() == 0)
}

/// Whether the flag takes a number, which its help calls N.
fn takes_number(flag: &Arg) -> bool {
    let names = flag.get_value_names();
    names.is_some_and(|names| names.iter().any(|name| name == "N"))
}

fn expected(flag: &Arg) -> &'static str {
    if is_switch(flag) {
        "true or false"
    } else if may_lack_value(flag) {
        "true, false or a string"
    } else if takes_number(flag) {
        "a number"
    } else if takes_list(flag) {
        "a string or a list of strings"
    } else {
        "a string"
    }
}

/// Formats a value as on the command line.
///
/// # Errors
/// A message with the expected form, when the value has the wrong type or the command line would reject it.
fn text(flag: &Arg, value: &DeValue<'_>, expected: &str) -> Result<String, String> {
    let found = match value {
        DeValue::Boolean(value) if is_switch(flag) || may_lack_value(flag) => return Ok(value.to_string()),
        DeValue::Integer(number) if takes_number(flag) => {
            let number = i128::from_str_radix(number.as_str(), number.radix());
            return check(flag, &number.unwrap_or(i128::MAX).to_string());
        }
        DeValue::String(text) if !is_switch(flag) && !takes_number(flag) => return check(flag, text),
        DeValue::String(text) => format!("string {text:?}"),
        DeValue::Integer(number) => format!("integer `{number}`"),
        DeValue::Boolean(value) => format!("boolean `{value}`"),
        DeValue::Array(_) => "list".to_owned(),
        other => other.type_str().to_owned(),
    };
    Err(format!(
        "`{}`: invalid type: {found}, expected {expected}",
        flag.get_id()
    ))
}

/// Validates a text with the parser of the command line.
fn check(flag: &Arg, text: &str) -> Result<String, String> {
    let argument = format!("--{}={text}", flag.get_long().unwrap_or_default());
    let command = Command::new("").no_binary_name(true).arg(flag.clone());
    match command.try_get_matches_from([argument]) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!(
            "`{}` is wrong: {}; expected: {}",
            flag.get_id(),
            reason(&error),
            flag.get_help().map(ToString::to_string).unwrap_or_default()
        )),
    }
}

/// The reason in an error of clap, without its layout.
fn reason(error: &clap::Error) -> String {
    if let Some(source) = error.source() {
        return source.to_string();
    }
    if let Some(ContextValue::String(reason)) = error.get(ContextKind::Custom) {
        return reason.clone();
    }
    match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(valid)) if !valid.is_empty() => {
            format!("it must be one of {}", valid.join(", "))
        }
        _ => "it is empty".to_owned(),
    }
}

/// Resolves a path, or the directory in the URL of a store.
fn resolve(flag: &Arg, text: &str, document: &TomlDocument) -> OsString {
    if flag.get_value_hint() == ValueHint::AnyPath {
        document.resolve(Path::new(text)).into_os_string()
    } else if flag.get_id() == "store" {
        Location::resolve(text, |path| document.resolve(path))
    } else {
        text.into()
    }
}
