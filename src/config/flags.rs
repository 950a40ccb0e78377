//! The flags of `serve` as keys of the configuration file. The command line defines both: its names, types and help.

use std::any::TypeId;
use std::error::Error as _;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Args, Command};
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};

use super::values::WrongValue;
use crate::cli::ServeArgs;
use crate::logging::AccessLog;
use crate::store::Location;

/// A flag of `serve`.
#[derive(Debug, Clone)]
pub(super) struct Flag(Arg);

/// How a value stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Switch,
    /// A switch that has more to say than yes or no.
    Choice,
    Number,
    Text,
}

/// Returns every flag of `serve`.
pub(super) fn all() -> Vec<Flag> {
    let command = ServeArgs::augment_args(Command::new("serve"));
    command.get_arguments().cloned().map(Flag).collect()
}

impl Flag {
    /// Returns its key in the file.
    pub(super) fn key(&self) -> &str {
        self.0.get_id().as_str()
    }

    /// Returns a value with the paths in it resolved.
    pub(super) fn resolve(&self, value: &str, resolve: impl FnOnce(&Path) -> PathBuf) -> OsString {
        if self.has_type::<PathBuf>() {
            resolve(Path::new(value)).into_os_string()
        } else if self.has_type::<Location>() {
            Location::resolve(value, resolve)
        } else {
            value.into()
        }
    }

    fn is_list(&self) -> bool {
        matches!(self.0.get_action(), ArgAction::Append)
    }

    fn shape(&self) -> Shape {
        match self.0.get_action() {
            ArgAction::SetTrue => Shape::Switch,
            _ if self.has_type::<u32>() => Shape::Number,
            _ if self.has_type::<AccessLog>() => Shape::Choice,
            _ => Shape::Text,
        }
    }

    fn has_type<T: 'static>(&self) -> bool {
        self.0.get_value_parser().type_id() == TypeId::of::<T>()
    }

    /// Checks a value as the command line would.
    fn check(&self, value: &str) -> Result<String, WrongValue> {
        let flag = format!("--{}={value}", self.0.get_long().unwrap_or_default());
        let command = Command::new("").no_binary_name(true).arg(self.0.clone());
        match command.try_get_matches_from([flag]) {
            Ok(_) => Ok(value.to_owned()),
            Err(error) => Err(WrongValue::new(format!(
                "is wrong: {}; expected: {}",
                reason(&error),
                self.0.get_help().map(ToString::to_string).unwrap_or_default()
            ))),
        }
    }
}

/// Returns what the command line has to say about a value, without its layout.
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

impl<'de> DeserializeSeed<'de> for &Flag {
    type Value = Vec<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &Flag {
    type Value = Vec<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match (self.shape(), self.is_list()) {
            (Shape::Switch, _) => "true or false",
            (Shape::Choice, _) => "true, false or a string",
            (Shape::Number, _) => "a number",
            (Shape::Text, false) => "a string",
            (Shape::Text, true) => "a string or a list of strings",
        })
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        match self.shape() {
            Shape::Switch | Shape::Choice => Ok(vec![value.to_string()]),
            _ => Err(E::invalid_type(serde::de::Unexpected::Bool(value), &self)),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        match self.shape() {
            Shape::Number => Ok(vec![self.check(&value.to_string()).map_err(E::custom)?]),
            _ => Err(E::invalid_type(serde::de::Unexpected::Signed(value), &self)),
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        match self.shape() {
            Shape::Text | Shape::Choice => Ok(vec![self.check(value).map_err(E::custom)?]),
            _ => Err(E::invalid_type(serde::de::Unexpected::Str(value), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        if !self.is_list() {
            return Err(A::Error::invalid_type(serde::de::Unexpected::Seq, &self));
        }
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(Entry(self))? {
            values.push(value);
        }
        Ok(values)
    }
}

/// One entry of a list. Refused here, a wrong one is reported on its own line.
struct Entry<'a>(&'a Flag);

impl<'de> DeserializeSeed<'de> for Entry<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Entry<'_> {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        self.0.check(text).map_err(E::custom)
    }
}
