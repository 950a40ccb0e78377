//! What commands ask about the store as a whole.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::control::operation::Operation;
use crate::inquiry::{parse_rfc3339, rfc3339_millis};
use crate::store::{Facts, Findings, Reckoning, Store, Unavailable};

/// Reads every record.
#[derive(Debug, Serialize, Deserialize)]
pub struct CheckRecords {}

/// Notes when a backup was made.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoteBackup {
    made_at: String,
}

/// Reads what the store says of its backups.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadFacts {}

/// Believes the clock.
#[derive(Debug, Serialize, Deserialize)]
pub struct BelieveClock {}

/// What a store says of its backups and of the time. Times are in UTC.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct FactsLine {
    backed_up_at: Option<String>,
    held_since: Option<String>,
    #[serde(default)]
    clock: Option<String>,
    #[serde(default)]
    clock_doubted_since: Option<String>,
}

impl NoteBackup {
    /// Names a time.
    pub fn at(made_at: Timestamp) -> Self {
        Self {
            made_at: rfc3339_millis(made_at),
        }
    }
}

impl FactsLine {
    /// Returns the facts.
    pub fn read(&self) -> Facts {
        let time = |text: &Option<String>| text.as_deref().and_then(parse_rfc3339);
        Facts {
            backed_up_at: time(&self.backed_up_at),
            held_since: time(&self.held_since),
            clock: Reckoning {
                known: time(&self.clock),
                doubted_since: time(&self.clock_doubted_since),
            },
        }
    }
}

impl Operation for CheckRecords {
    const PATH: &'static str = "/check";
    const CHANGES: bool = false;
    type Answer = Findings;

    async fn run(self, store: Arc<Store>) -> Result<Findings, Unavailable> {
        store.check().await
    }
}

impl Operation for NoteBackup {
    const PATH: &'static str = "/backup/note";
    const CHANGES: bool = true;
    type Answer = ();

    async fn run(self, store: Arc<Store>) -> Result<(), Unavailable> {
        let made_at = parse_rfc3339(&self.made_at).ok_or(Unavailable)?;
        store.note_backup(made_at).await
    }
}

impl Operation for BelieveClock {
    const PATH: &'static str = "/clock/believe";
    const CHANGES: bool = true;
    type Answer = ();

    async fn run(self, store: Arc<Store>) -> Result<(), Unavailable> {
        store.believe_clock().await
    }
}

impl Operation for ReadFacts {
    const PATH: &'static str = "/facts";
    const CHANGES: bool = false;
    type Answer = FactsLine;

    async fn run(self, store: Arc<Store>) -> Result<FactsLine, Unavailable> {
        let facts = store.facts().await?;
        Ok(FactsLine {
            backed_up_at: facts.backed_up_at.map(rfc3339_millis),
            held_since: facts.held_since.map(rfc3339_millis),
            clock: facts.clock.known.map(rfc3339_millis),
            clock_doubted_since: facts.clock.doubted_since.map(rfc3339_millis),
        })
    }
}
