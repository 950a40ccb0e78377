//! `taubenabwehr doctor`: diagnoses problems of the installation and gives advice.

use serde_json::{Value, json};
use tokio::runtime::Builder;

use super::CliError;
use super::output::{self, Column, text};
use crate::base::text::counted;
use crate::config::args::DoctorArgs;
use crate::config::toml_file::FileError;
use crate::config::{Config, ConfigFile};
use crate::control::Caller;
use crate::operate::calls::{BelieveClock, ReadStoreState};
use crate::operate::doctor::{self, Finding, Level};

const COLUMNS: [Column; 3] = [
    ("LEVEL", 7, |finding| text(finding, "level")),
    ("CHECK", 14, |finding| text(finding, "check")),
    ("MESSAGE AND ADVICE", 0, message),
];

fn message(finding: &Value) -> String {
    let [message, advice] = ["message", "advice"].map(|key| text(finding, key));
    if advice.is_empty() {
        return message;
    }
    format!("{message} → {advice}")
}

/// Prints the finding of each check. A configuration file that cannot be read is also reported as a finding.
///
/// # Errors
/// When a finding is an error, or the checks cannot be run.
pub fn run(args: DoctorArgs, file: Result<Option<&ConfigFile>, &FileError>) -> Result<(), CliError> {
    let config = match file {
        Ok(file) => Config::from_args(args.serve, file.cloned()).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let findings = match config {
        Ok(config) => examine(&config, args.clock_is_right)?,
        Err(reason) => vec![doctor::wrong_settings(&reason)],
    };
    let list = output::list(args.json.json, &COLUMNS)?;
    list.complete(findings.iter().map(|finding| json!(finding)))?;
    let errors = findings.iter().filter(|finding| finding.level == Level::Error);
    let errors = match errors.count() {
        0 => return Ok(()),
        count => counted(count, "error was", "errors were"),
    };
    Err(format!("{errors} found; follow the advice above, and run this again").into())
}

fn examine(config: &Config, clock_is_right: bool) -> Result<Vec<Finding>, CliError> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut findings = runtime.block_on(doctor::examine(config));
    // Looking up a host name may hang, and its result is no longer needed.
    runtime.shutdown_background();
    let Some(location) = config.location() else {
        return Ok(findings);
    };
    let caller = Caller::new(location)?;
    if clock_is_right {
        caller.call(BelieveClock {})?;
    }
    let state = caller.call(ReadStoreState {});
    findings.extend(doctor::check_store(state, &config.handling.firms));
    Ok(findings)
}
