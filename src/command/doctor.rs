//! `taubenabwehr doctor`: says what keeps the site from working, and what to do.

use jiff::{SignedDuration, Timestamp};
use tokio::runtime::Builder;

use super::failure::Failure;
use super::list::{Entry, List};
use super::source::{each_dossier, operate};
use crate::cli::DoctorArgs;
use crate::config::toml_file::FileError;
use crate::config::{Config, ConfigFile, StorageMode};
use crate::control::operations::{BelieveClock, ReadFacts};
use crate::doctor::{self, Finding, Level};
use crate::export::in_berlin;
use crate::one_line::one_line;
use crate::referral::DeliveryState;
use crate::store::{Facts, Location, TimeRange};

/// How old the last backup may be (contract, "Backup, check, doctor").
const BACKUP: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Why it ended without success.
#[derive(Debug, thiserror::Error)]
pub enum DoctorError {
    /// The findings cannot be shown.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// Something does not work.
    #[error("{0} found; follow the advice above, and run this again")]
    Errors(String),
}

/// Prints what every check has found. A configuration file that cannot be read is a finding, too.
///
/// # Errors
/// When one of them is an error.
pub fn run(args: DoctorArgs, file: Result<Option<&ConfigFile>, &FileError>) -> Result<(), DoctorError> {
    let json = args.json.json;
    let config = match file {
        Ok(file) => Config::from_args(args.serve, file).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let findings = match config {
        Ok(config) => examine(&config, args.clock_is_right)?,
        Err(reason) => vec![doctor::wrong_settings(&reason)],
    };
    let mut list = List::begin(json)?;
    for finding in &findings {
        list.add(finding)?;
    }
    list.finish()?;
    match findings
        .iter()
        .filter(|finding| finding.level == Level::Error)
        .count()
    {
        0 => Ok(()),
        1 => Err(DoctorError::Errors("1 error was".to_owned())),
        count => Err(DoctorError::Errors(format!("{count} errors were"))),
    }
}

fn examine(config: &Config, clock_is_right: bool) -> Result<Vec<Finding>, Failure> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut findings = runtime.block_on(doctor::examine(config));
    // Looking up a host's name may hang, and nothing depends on it any more.
    runtime.shutdown_background();
    if let StorageMode::Store(location) = &config.storage {
        if clock_is_right {
            operate(location, BelieveClock {})?;
        }
        findings.extend(records(location));
    }
    Ok(findings)
}

/// Returns what the store says of deliveries, backups and the time.
fn records(location: &Location) -> Vec<Finding> {
    let unreadable = |check, failure: &Failure| {
        Finding::error(
            check,
            one_line(&failure.to_string()),
            "start the server once, or run this as its user and with its --data-dir or --store",
        )
    };
    let facts = match operate(location, ReadFacts {}) {
        Ok(facts) => facts.read(),
        Err(failure) => return vec![unreadable("deliveries", &failure), unreadable("backup", &failure)],
    };
    let deliveries =
        deliveries(location, &facts).unwrap_or_else(|failure| unreadable("deliveries", &failure));
    let mut findings = vec![deliveries, backup(&facts, Timestamp::now())];
    findings.extend(leap(&facts));
    findings
}

fn deliveries(location: &Location, facts: &Facts) -> Result<Finding, Failure> {
    const CHECK: &str = "deliveries";
    let mut failed = 0_u64;
    let mut reason = None;
    each_dossier(location, TimeRange::default(), |dossier| {
        for delivery in dossier.referral.deliveries {
            if let DeliveryState::Failed(_) = delivery.state {
                failed += 1;
                reason = delivery.reason.or(reason.take());
            }
        }
        Ok(())
    })?;
    if failed > 0 {
        let last = reason.map_or_else(String::new, |reason| format!("; the last: {reason}"));
        return Ok(Finding::warning(
            CHECK,
            format!("{failed} mails or webhooks were given up{last}"),
            "see `taubenabwehr deliveries --failed`; once the cause is gone, `taubenabwehr deliveries retry`",
        ));
    }
    if let Some(restored_at) = facts.held_since {
        return Ok(Finding::warning(
            CHECK,
            format!(
                "what waited when the store was restored at {} is held",
                in_berlin(restored_at)
            ),
            "see `taubenabwehr deliveries`, then let it go by `taubenabwehr deliveries retry`",
        ));
    }
    Ok(Finding::ok(CHECK, "none has failed"))
}

fn backup(facts: &Facts, now: Timestamp) -> Finding {
    const CHECK: &str = "backup";
    const ADVICE: &str =
        "run `taubenabwehr backup --output FILE` by a timer, and keep copies on another machine";
    match facts.backed_up_at {
        None => Finding::warning(CHECK, "none was ever made", ADVICE),
        Some(at) if now.duration_since(at) > BACKUP => Finding::warning(
            CHECK,
            format!("the last is of {}, older than 7 days", in_berlin(at)),
            ADVICE,
        ),
        Some(at) => Finding::ok(CHECK, format!("the last is of {}", in_berlin(at))),
    }
}

/// Returns why nothing is erased by its age, if that is so.
fn leap(facts: &Facts) -> Option<Finding> {
    let (known, from) = facts.clock.known.zip(facts.clock.believed_from())?;
    facts.clock.may_be_ahead().then(|| {
        Finding::warning(
            "retention",
            format!(
                "the clock has leapt beyond {}: nothing is erased by its age until {}",
                in_berlin(known),
                in_berlin(from)
            ),
            "set the clock, or, if it is right, say so by `taubenabwehr doctor --clock-is-right`",
        )
    })
}

impl Entry for Finding {
    const COLUMNS: &'static [(&'static str, usize)] =
        &[("LEVEL", 7), ("CHECK", 14), ("MESSAGE AND ADVICE", 0)];

    fn cells(&self) -> Vec<String> {
        let advice = self.advice.as_ref();
        let advice = advice.map_or_else(String::new, |advice| format!(" → {advice}"));
        vec![
            self.level.id().to_owned(),
            self.check.to_owned(),
            format!("{}{advice}", self.message),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_that_is_older_than_a_week_is_a_warning() {
        let now = Timestamp::UNIX_EPOCH;
        let level = |hours: Option<i64>| {
            let facts = Facts {
                backed_up_at: hours.map(|hours| now - SignedDuration::from_hours(hours)),
                ..Facts::default()
            };
            backup(&facts, now).level
        };
        assert_eq!(level(None), Level::Warning);
        assert_eq!(level(Some(7 * 24)), Level::Ok);
        assert_eq!(level(Some(7 * 24 + 1)), Level::Warning);
    }
}
