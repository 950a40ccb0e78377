//! What is remembered of tries, over restarts, too.

use std::io;

use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::files::PROGRESS;
use super::kept::Kept;
use super::kind::Kind;
use super::schedule::Failures;

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// Tries that failed.
    pub failures: Failures,
    /// The kind of challenge that succeeded last.
    pub worked: Option<Kind>,
}

impl Progress {
    /// Reads the file's bytes. A damaged file is as good as none.
    pub fn parse(bytes: Option<&[u8]>) -> Self {
        let parsed = bytes.map(serde_json::from_slice);
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    /// Writes it.
    ///
    /// # Errors
    /// When the system refuses.
    pub async fn write(&self, kept: &Kept) -> Result<(), Failure> {
        let progress = serde_json::to_vec_pretty(self).map_err(io::Error::from)?;
        kept.write(PROGRESS, progress).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_again_and_damage_does_no_harm() {
        let mut progress = Progress {
            worked: Some(Kind::TlsAlpn01),
            ..Progress::default()
        };
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        progress.failures.add(now, Some(now));
        let bytes = serde_json::to_vec(&progress).unwrap();
        assert_eq!(Progress::parse(Some(&bytes)), progress);
        assert_eq!(Progress::parse(Some(b"{}")), Progress::default());
        for damaged in [None, Some(&b"{"[..]), Some(b"[]")] {
            assert_eq!(Progress::parse(damaged), Progress::default());
        }
    }
}
