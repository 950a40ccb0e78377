//! Several instances that serve one site (contract, "A second engine"). They need PostgreSQL.

mod cluster;
mod example;
mod four;
mod gate;
mod login;
mod outages;
mod pooler;
mod sharing;
mod takeover;
mod versions;

use crate::harness::store::is_postgres;

/// Returns whether a test is to end here, because the suite runs on a file, which only one server can have.
fn needs_postgres() -> bool {
    let is_left_out = !is_postgres();
    if is_left_out {
        println!("left out on redb: several instances share a database");
    }
    is_left_out
}
