//! Diagnosis of the installation: each check returns a finding with advice.

mod address;
mod certificate;
mod clock;
mod exchange;
mod recipients;
mod records;
mod sayings;
mod surroundings;

pub use records::{StoreState, check_store};
pub use sayings::ending_checks;

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;

use crate::base::text::berlin;
use crate::config::Config;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// No problem.
    Ok,
    /// Works, but should be fixed.
    Warning,
    /// Does not work.
    Error,
}

/// The result of a check (`docs/behaviour.md`, "Doctor").
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The name of the check.
    pub check: &'static str,
    /// The severity.
    pub level: Level,
    /// What was found, on one line.
    pub message: String,
    /// What to do about it, on one line; `None` if there is no problem.
    pub advice: Option<String>,
}

impl Finding {
    /// A finding without a problem.
    pub fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self {
            check,
            level: Level::Ok,
            message: message.into(),
            advice: None,
        }
    }

    /// A finding of something that works but should be fixed.
    pub fn warning(check: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            check,
            level: Level::Warning,
            message: message.into(),
            advice: Some(advice.into()),
        }
    }

    /// A finding of something that does not work.
    pub fn error(check: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            level: Level::Error,
            ..Self::warning(check, message, advice)
        }
    }
}

/// The message and the advice on one line.
impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let advice = self.advice.iter().map(|advice| format!("; {advice}"));
        write!(formatter, "{}{}", self.message, advice.collect::<String>())
    }
}

/// Runs all checks of the configuration, except those that need the store. Checks that wait for other servers run concurrently,
/// so that together they take no longer than the slowest, at most 40 s: a page of the desk must be sent within 60 s.
pub async fn examine(config: &Config) -> Vec<Finding> {
    let (visit, directory, mail, webhook) = tokio::join!(
        address::visit(config),
        clock::of_directory(config),
        recipients::mail(config),
        recipients::webhook(config),
    );
    let mut findings = vec![
        settings(config),
        imprint(config),
        visit.address,
        surroundings::proxy(config),
        certificate::with_files(config, visit.certificate),
        clock::judge(visit.clock.into_iter().chain(directory)),
    ];
    let today = berlin::day(Timestamp::now());
    findings.extend(sayings::hidden(config, today));
    findings.extend(sayings::checks(&config.handling.firms, today));
    findings.extend(open_secrets(config));
    if let Some(location) = config.location() {
        findings.push(surroundings::disk(location.data_dir()));
    }
    findings.extend([mail, webhook]);
    findings
}

/// A warning for each file with a secret that others can access.
pub fn open_secrets(config: &Config) -> impl Iterator<Item = Finding> {
    config.open_secrets.iter().map(|path| {
        let path = path.display();
        Finding::warning(
            "secrets",
            format!("{path} holds a secret, and others may access it"),
            format!("have it belong to the server's user, and close it to others: `chmod 600 {path}`"),
        )
    })
}

/// The finding about settings that cannot be used.
pub fn wrong_settings(reason: &str) -> Finding {
    Finding::error(
        "settings",
        crate::base::text::mail_address::one_line(reason),
        "correct that, and run this again: everything else depends on it",
    )
}

fn settings(config: &Config) -> Finding {
    const CHECK: &str = "settings";
    if config.flags.demo {
        return Finding::warning(
            CHECK,
            "demo mode: inquiries are answered with success and NOT kept",
            "leave out --demo",
        );
    }
    let outside = config.handling.prefixes_outside();
    if !outside.is_empty() {
        return Finding::warning(
            CHECK,
            format!("no inquiry comes from {}", outside.join(", ")),
            "the site takes postal codes from 20000 to 22999; name prefixes of those in `postal_codes`",
        );
    }
    Finding::ok(
        CHECK,
        match &config.file {
            Some(file) => format!("{} is valid: {}", file.path().display(), config.handling),
            None => "right, without a configuration file".to_owned(),
        },
    )
}

fn imprint(config: &Config) -> Finding {
    const CHECK: &str = "imprint";
    let sample_keys = config.settings.sample_keys();
    if sample_keys.is_empty() {
        return Finding::ok(CHECK, "names an operator of its own");
    }
    Finding::warning(
        CHECK,
        format!("it names the sample operator ({})", sample_keys.join(", ")),
        "put your own data into [operator] of a file like the one that `taubenabwehr config sample site` prints, and name it by --site",
    )
}
