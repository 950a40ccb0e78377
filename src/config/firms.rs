//! `[[firm]]` and `[commission]`: the firms, and the commission they pay for accepted inquiries.

use std::collections::HashSet;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::value::Datetime;

use super::toml_file::{FileError, TomlDocument};
use super::values::{Line, MailAddress, Phone, WebAddress};
use crate::base::text::berlin;
use crate::domain::commission::{Euro, Percent, Terms};
use crate::domain::inquiry::{Choice, Problem, PropertyType};
use crate::domain::matching::{Check, Firm, FirmId, PostalPrefix};

/// A `[[firm]]` table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FirmTable {
    id: FirmId,
    name: Line,
    email: MailAddress,
    phone: Option<Phone>,
    website: Option<WebAddress>,
    #[serde(deserialize_with = "some")]
    postal_codes: Vec<PostalPrefix>,
    #[serde(default, deserialize_with = "choices")]
    property_types: Option<Vec<PropertyType>>,
    #[serde(default, deserialize_with = "choices")]
    problems: Option<Vec<Problem>>,
    #[serde(default, deserialize_with = "per_week")]
    per_week: Option<u32>,
    #[serde(default)]
    paused: bool,
    commission: Option<Terms>,
    checked: Option<CheckTable>,
}

/// `checked`: who checked what about the firm, and when.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckTable {
    by: Line,
    #[serde(deserialize_with = "past_day")]
    on: Date,
    #[serde(deserialize_with = "some")]
    what: Vec<Line>,
}

/// An entry of a list. With its own type, errors point to the line of the entry instead of the list.
#[derive(Deserialize)]
struct Entry<T>(T);

/// `[commission]`: the default for firms without their own terms, and the VAT rate.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CommissionTable {
    per_acceptance: Euro,
    per_order: Euro,
    share: Percent,
    vat: Option<Percent>,
}

impl CommissionTable {
    pub(super) fn vat(&self) -> Percent {
        self.vat.unwrap_or(Percent::USUAL_VAT)
    }

    pub(super) fn terms(self) -> Terms {
        Terms {
            per_acceptance: self.per_acceptance,
            per_order: self.per_order,
            share: self.share,
        }
    }
}

/// Converts the tables to firms, in the order of the file. `common` are the terms of firms without their own.
///
/// # Errors
/// When two firms have the same id.
pub(super) fn firms(
    tables: Vec<FirmTable>,
    common: Option<Terms>,
    document: &TomlDocument,
) -> Result<Vec<Firm>, FileError> {
    let mut ids = HashSet::new();
    for (index, FirmTable { id, .. }) in tables.iter().enumerate() {
        if !ids.insert(id) {
            let message = format!("another firm has the id `{id}`, too; ids must be unique");
            return Err(document.wrong(&format!("firm.{index}.id"), &message));
        }
    }
    Ok(tables.into_iter().map(|table| table.firm(common)).collect())
}

impl FirmTable {
    fn firm(self, common: Option<Terms>) -> Firm {
        Firm {
            id: self.id,
            name: self.name.to_string(),
            email: self.email.to_string(),
            phone: self.phone.map(|phone| phone.to_string()),
            website: self.website.map(|website| website.to_string()),
            postal_codes: self.postal_codes,
            property_types: self.property_types,
            problems: self.problems,
            per_week: self.per_week,
            paused: self.paused,
            commission: self.commission.or(common),
            checked: self.checked.map(CheckTable::check),
        }
    }
}

impl CheckTable {
    fn check(self) -> Check {
        Check {
            by: self.by.to_string(),
            on: self.on,
            what: self.what.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Deserializes a date that is not in the future in Hamburg.
fn past_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    let date = match Datetime::deserialize(deserializer)? {
        Datetime {
            date: Some(date),
            time: None,
            offset: None,
        } => date.to_string().parse::<Date>().ok(),
        _ => None,
    };
    let wrong = || D::Error::custom("must be a day without quotation marks, such as 2026-11-03");
    let day = date.ok_or_else(wrong)?;
    if day > berlin::day(Timestamp::now()) {
        let message = "is in the future; a check is written down once it was made";
        return Err(D::Error::custom(message));
    }
    Ok(day)
}

/// Deserializes a non-empty list.
fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let list = Vec::<Entry<T>>::deserialize(deserializer)?;
    if list.is_empty() {
        return Err(D::Error::custom("is an empty list; name at least one entry"));
    }
    Ok(list.into_iter().map(|Entry(entry)| entry).collect())
}

/// Deserializes a non-empty list of questionnaire choices by id.
fn choices<'de, D: Deserializer<'de>, C: Choice>(deserializer: D) -> Result<Option<Vec<C>>, D::Error> {
    let choices = some::<_, Id<C>>(deserializer)?;
    Ok(Some(choices.into_iter().map(|Id(choice)| choice).collect()))
}

/// A questionnaire choice, deserialized from its id.
#[derive(Deserialize)]
#[serde(try_from = "String", bound = "C: Choice")]
struct Id<C>(C);

impl<C: Choice> TryFrom<String> for Id<C> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        C::find(&text).map(Self).ok_or_else(|| {
            let ids: Vec<_> = C::ALL
                .iter()
                .map(|choice| format!("\"{}\"", choice.id()))
                .collect();
            format!("must hold only {}", ids.join(", "))
        })
    }
}

fn per_week<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let number = u32::try_from(i64::deserialize(deserializer)?).ok();
    let wrong = || D::Error::custom("must be a number from 1; with `paused = true` a firm is not asked");
    number.filter(|&number| number > 0).map(Some).ok_or_else(wrong)
}
