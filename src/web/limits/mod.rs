//! Who a client is, and how much of the server it may use: requests in a time, mails in a day, connections, pages in memory.

mod client_counts;
pub mod client_ip;
pub mod daily_share;
pub mod made_pages;
pub mod rate_limit;
pub mod seat;
pub mod uploads;

pub use client_counts::{ClientCounts, ClientPermit};
