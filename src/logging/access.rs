//! Whether requests are logged.

use clap::ValueEnum;

/// What is logged of each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AccessLog {
    /// Nothing
    #[value(alias = "false", alias = "no", alias = "0")]
    Off,
    /// A line without the client's address
    #[value(alias = "true", alias = "yes", alias = "1")]
    On,
    /// A line with the client's address, which is personal data
    Addresses,
}
