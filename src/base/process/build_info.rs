//! Version, commit and date of the build.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Version and source of the build; identical for all builds of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildInfo {
    /// The version in `Cargo.toml`.
    pub version: &'static str,
    /// The abbreviated commit hash; `unknown` for a build outside a checkout.
    pub commit: &'static str,
    /// The date of the commit, or of `SOURCE_DATE_EPOCH`, in UTC.
    pub date: Option<Date>,
}

/// Placeholder for the commit and date of a build outside a checkout.
const UNKNOWN: &str = "unknown";

impl BuildInfo {
    /// The build info that the build script has recorded in this executable.
    pub fn of_this_executable() -> Self {
        Self::new(env!("TAUBENABWEHR_BUILD_COMMIT"), env!("TAUBENABWEHR_BUILD_TIME"))
    }

    fn new(commit: &'static str, time: &str) -> Self {
        let time = time
            .parse()
            .ok()
            .and_then(|seconds| Timestamp::from_second(seconds).ok());
        Self {
            version: env!("CARGO_PKG_VERSION"),
            commit: if commit.is_empty() { UNKNOWN } else { commit },
            date: time.map(|time| time.to_zoned(TimeZone::UTC).date()),
        }
    }
}

impl fmt::Display for BuildInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({} ", self.version, self.commit)?;
        match self.date {
            Some(date) => write!(formatter, "{date})"),
            None => write!(formatter, "{UNKNOWN})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_commit_and_day_stand_in_one_line() {
        let version = env!("CARGO_PKG_VERSION");
        let said = |commit, time| BuildInfo::new(commit, time).to_string();
        // One second before midnight in UTC; already the next day in Hamburg.
        assert_eq!(
            said("4dc32aea1b2c", "1795391999"),
            format!("{version} (4dc32aea1b2c 2026-11-22)")
        );
        assert_eq!(said("", ""), format!("{version} (unknown unknown)"));
    }
}
