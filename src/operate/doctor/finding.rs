//! What was found.

use serde::Serialize;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It is right.
    Ok,
    /// It works, and should not stay so.
    Warning,
    /// It does not work.
    Error,
}

/// What one check has found (`docs/behaviour.md`, "Doctor").
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The name of the check.
    pub check: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What was found, in one line.
    pub message: String,
    /// What to do, in one line; `None` where nothing is to be done.
    pub advice: Option<String>,
}

impl Finding {
    /// Describes what is right.
    pub fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self {
            check,
            level: Level::Ok,
            message: message.into(),
            advice: None,
        }
    }

    /// Describes what should not stay so.
    pub fn warning(check: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            check,
            level: Level::Warning,
            message: message.into(),
            advice: Some(advice.into()),
        }
    }

    /// Describes what does not work.
    pub fn error(check: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            level: Level::Error,
            ..Self::warning(check, message, advice)
        }
    }
}
