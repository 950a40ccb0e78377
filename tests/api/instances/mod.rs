//! Several instances of one site (`docs/behaviour.md`, "Two stores"). They need PostgreSQL.

mod example;
mod four;
mod login;
mod outages;
mod pooler;
mod reviews;
mod sharing;
mod takeover;
mod versions;

/// The reason why these tests are skipped on redb.
const SEVERAL: &str = "several instances share a database";
