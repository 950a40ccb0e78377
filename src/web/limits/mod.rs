//! Identifies clients, and limits what each may use of the server: requests, mails, connections, and pages in memory.

pub mod client_ip;
pub mod concurrency;
pub mod rate_limit;
pub mod uploads;
