//! `[[firm]]`: the firms that are asked.

use std::collections::HashSet;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use super::commission::TermsTable;
use super::toml_file::{FileError, TomlDocument};
use super::values::{FromText, Line, MailAddress, Parsed, Phone, WebAddress};
use crate::base::text::berlin;
use crate::domain::commission::Terms;
use crate::domain::inquiry::{Choice, Problem, PropertyType};
use crate::domain::matching::{Check, Firm, FirmId, PostalPrefix};

/// One table as in the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FirmTable {
    id: Spanned<Parsed<FirmId>>,
    name: Line,
    email: MailAddress,
    phone: Option<Phone>,
    website: Option<WebAddress>,
    postal_codes: NonEmpty<Parsed<PostalPrefix>>,
    property_types: Option<NonEmpty<Parsed<PropertyType>>>,
    problems: Option<NonEmpty<Parsed<Problem>>>,
    per_week: Option<PerWeek>,
    #[serde(default)]
    paused: bool,
    commission: Option<TermsTable>,
    checked: Option<CheckTable>,
}

/// `checked`: who looked at what of the firm, and when.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckTable {
    by: Line,
    on: PastDay,
    what: NonEmpty<Line>,
}

/// A day in Hamburg that is not in the future.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "Datetime")]
struct PastDay(Date);

/// A list with at least one entry.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<T>", bound = "T: Deserialize<'de>")]
struct NonEmpty<T>(Vec<T>);

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "i64")]
struct PerWeek(u32);

/// Returns the firms in the order of the file. The common terms are those of firms without a table of their own.
///
/// # Errors
/// When two have the same id.
pub(super) fn firms(
    tables: &[Spanned<FirmTable>],
    common: Option<Terms>,
    document: &TomlDocument,
) -> Result<Vec<Firm>, FileError> {
    let mut ids = HashSet::new();
    for table in tables {
        let id = &table.get_ref().id;
        if !ids.insert(&id.get_ref().0) {
            let message = format!(
                "another firm has the id `{}`, too; ids must be unique",
                id.get_ref().0
            );
            return Err(document.wrong(id.span(), &message));
        }
    }
    Ok(tables.iter().map(|table| table.get_ref().firm(common)).collect())
}

impl FirmTable {
    fn firm(&self, common: Option<Terms>) -> Firm {
        Firm {
            id: self.id.get_ref().0.clone(),
            name: self.name.to_string(),
            email: self.email.to_string(),
            phone: self.phone.as_ref().map(ToString::to_string),
            website: self.website.as_ref().map(ToString::to_string),
            postal_codes: self.postal_codes.parsed(),
            property_types: self.property_types.as_ref().map(NonEmpty::parsed),
            problems: self.problems.as_ref().map(NonEmpty::parsed),
            per_week: self.per_week.map(|count| count.0),
            paused: self.paused,
            commission: self.commission.map(Terms::from).or(common),
            checked: self.checked.as_ref().map(CheckTable::check),
        }
    }
}

impl CheckTable {
    fn check(&self) -> Check {
        Check {
            by: self.by.to_string(),
            on: self.on.0,
            what: self.what.0.iter().map(ToString::to_string).collect(),
        }
    }
}

impl TryFrom<Datetime> for PastDay {
    type Error = String;

    fn try_from(given: Datetime) -> Result<Self, String> {
        let wrong = || "must be a day without quotation marks, such as 2026-11-03".to_owned();
        let (Some(date), None, None) = (given.date, given.time, given.offset) else {
            return Err(wrong());
        };
        let year = i16::try_from(date.year).map_err(|_| wrong())?;
        let (month, day) = (i8::try_from(date.month), i8::try_from(date.day));
        let day = Date::new(year, month.map_err(|_| wrong())?, day.map_err(|_| wrong())?);
        let day = day.map_err(|_| wrong())?;
        if day > berlin::day(Timestamp::now()) {
            return Err("is in the future; a check is written down once it was made".to_owned());
        }
        Ok(Self(day))
    }
}

impl<T> TryFrom<Vec<T>> for NonEmpty<T> {
    type Error = String;

    fn try_from(list: Vec<T>) -> Result<Self, String> {
        if list.is_empty() {
            return Err("is an empty list; name at least one entry".to_owned());
        }
        Ok(Self(list))
    }
}

impl<T: Clone> NonEmpty<Parsed<T>> {
    fn parsed(&self) -> Vec<T> {
        self.0.iter().map(|entry| entry.0.clone()).collect()
    }
}

impl TryFrom<i64> for PerWeek {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        match u32::try_from(number) {
            Ok(number) if number > 0 => Ok(Self(number)),
            _ => Err("must be a number from 1; with `paused = true` a firm is not asked".to_owned()),
        }
    }
}

impl FromText for FirmId {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|wrong| wrong.to_string())
    }
}

impl FromText for PostalPrefix {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|wrong| wrong.to_string())
    }
}

impl<C: Choice> FromText for C {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::find(text).ok_or_else(|| one_of(Self::ALL.iter().map(|choice| choice.id())))
    }
}

fn one_of(ids: impl IntoIterator<Item = &'static str>) -> String {
    let ids: Vec<_> = ids.into_iter().map(|id| format!("\"{id}\"")).collect();
    format!("must hold only {}", ids.join(", "))
}
