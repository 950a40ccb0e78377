//! Who a client is, and how much of the server it may use: requests in a time, mails in a day, connections, pages in memory.

pub mod client_ip;
pub mod concurrency;
pub mod rate_limit;
pub mod uploads;
