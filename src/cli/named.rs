//! Lookup of inquiries and firms that operators name on the command line.

use std::fmt::Display;

use uuid::Uuid;

use super::CliError;
use crate::config::ConfigFile;
use crate::control::Caller;
use crate::domain::inquiry::InquiryName;
use crate::domain::matching::{Firm, FirmId};
use crate::operate::CallError;
use crate::operate::calls::KnowsFirm;
use crate::store::{Location, TimeRange};

/// Advice for when the configuration file is needed but not given.
pub const NAME_CONFIG: &str = "name the configuration file by --config, which the command needs with a database, and where no server runs";

/// The only element of `found`.
///
/// # Errors
/// When there is none or more than one. In the latter case, the error lists their ids.
pub fn only<T: Display>(
    mut found: Vec<T>,
    none: impl FnOnce() -> CliError,
    several: impl FnOnce() -> String,
) -> Result<T, CliError> {
    if found.len() > 1 {
        let ids: Vec<_> = found.iter().map(T::to_string).collect();
        return Err(format!("{}: {}; name one by its whole id", several(), ids.join(", ")).into());
    }
    found.pop().ok_or_else(none)
}

/// The id of an inquiry that is named by id or reference.
///
/// # Errors
/// As for [`ids_of`].
pub fn id_of(caller: &Caller, name: &InquiryName) -> Result<Uuid, CliError> {
    let ids = ids_of(caller, std::slice::from_ref(name))?;
    ids.into_iter().next().ok_or_else(|| unknown(name))
}

/// The ids of inquiries that are named by id or reference. Reads the records once, and only if there is a reference.
///
/// # Errors
/// When a reference matches no inquiry, or several. Ids are not looked up, so they may not belong to an inquiry.
pub fn ids_of(caller: &Caller, names: &[InquiryName]) -> Result<Vec<Uuid>, CliError> {
    let mut found: Vec<Vec<Uuid>> = names.iter().map(|name| name.id().into_iter().collect()).collect();
    if found.iter().any(Vec::is_empty) {
        for record in caller.records(TimeRange::default())? {
            let id = record?.id;
            for (name, found) in names.iter().zip(&mut found) {
                if name.id().is_none() && name.is_of(id) {
                    found.push(id);
                }
            }
        }
    }
    let ids = names.iter().zip(found).map(|(name, found)| {
        let several = || format!("the reference {name} is of more than one inquiry");
        only(found, || unknown(name), several)
    });
    ids.collect()
}

/// The error for an inquiry that does not exist.
pub fn unknown(name: &InquiryName) -> CliError {
    format!("there is no inquiry with the id or reference {name}; `taubenabwehr inquiries` shows the ids")
        .into()
}

/// Checks that a firm is in the configuration or the ledger.
///
/// # Errors
/// When it is in neither.
pub fn known_firm(caller: &Caller, firm: &FirmId, file: Option<&ConfigFile>) -> Result<(), CliError> {
    let is_configured = file.is_some_and(|file| Firm::find(&file.firms, firm).is_some());
    if is_configured || caller.call(KnowsFirm { firm: firm.clone() })? {
        return Ok(());
    }
    let advice = file.map_or(NAME_CONFIG, |_| "`taubenabwehr firms` lists them");
    Err(format!("neither the configuration nor the ledger knows a firm `{firm}`; {advice}").into())
}

/// A caller for changes to a firm, which must be known. Without a running server, firms are asked as the configuration says.
///
/// # Errors
/// As for [`known_firm`]; or when a file that the configuration names cannot be used.
pub fn caller_about(
    location: &Location,
    firm: &FirmId,
    file: Option<&ConfigFile>,
) -> Result<Caller, CliError> {
    let handling = file.map(ConfigFile::handling).transpose()?;
    let caller = Caller::new(location)?.with_policy(handling.map(|handling| handling.policy()));
    known_firm(&caller, firm, file)?;
    Ok(caller)
}

/// The error for a change that failed. If it was refused, the advice is to look at the current state with `command`.
pub fn refused(error: CallError, command: &str) -> CliError {
    match error {
        CallError::Refused(reason) => {
            format!("{reason}, so nothing was changed; `taubenabwehr {command}` shows what there is").into()
        }
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_of_two_inquiries_names_neither() {
        let name = "0123456789ab".parse().unwrap();
        let ids = [1, 2].map(|start| Uuid::from_u128((start << 64) + 0x0123_4567_89ab));
        let only = |ids: &[Uuid]| {
            only(
                ids.to_vec(),
                || unknown(&name),
                || format!("{name} is of several"),
            )
        };
        assert_eq!(only(&ids[..1]).unwrap(), ids[0]);
        let missing = only(&[]).unwrap_err().to_string();
        assert!(missing.contains("there is no inquiry"), "{missing}");
        let message = only(&ids).unwrap_err().to_string();
        for id in ids {
            assert!(name.is_of(id) && message.contains(&id.to_string()), "{message}");
        }
    }
}
