//! The number of the format in which entries are kept. A build reads stores of its own format, and brings one of the last release's to
//! its own when it opens it.

use std::collections::BTreeMap;

use super::map::EngineError;

/// The fact that holds the number.
pub const SCHEMA: &str = "schema";

/// The number of this build's format.
pub const CURRENT: u64 = 1;

/// The fact that a copy into the store is not finished.
pub const COPYING: &str = "copying";

/// Checks that a store can be used.
///
/// # Errors
/// When it is of another format, or was not copied as a whole.
pub fn check(facts: &BTreeMap<String, u64>) -> Result<(), EngineError> {
    if facts.contains_key(COPYING) {
        return Err(EngineError::Failed(
            "a copy into it was not finished; copy to it again, or empty it".to_owned(),
        ));
    }
    match facts.get(SCHEMA) {
        Some(&CURRENT) | None => Ok(()),
        Some(newer) if *newer > CURRENT => Err(EngineError::Failed(format!(
            "a newer taubenabwehr wrote it (format {newer}, this one reads {CURRENT}); update this program"
        ))),
        Some(older) => Err(EngineError::Failed(format!(
            "an older taubenabwehr wrote it (format {older}, this one reads {CURRENT}); open it with the version between"
        ))),
    }
}
