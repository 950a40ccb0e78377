//! The outcome of an inquiry that a firm has accepted.

use serde::{Deserialize, Serialize};

use super::euro::Euro;

/// The outcome that the firm reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing yet.
    #[default]
    Open,
    /// An order of this net sum.
    Order(Euro),
    /// No order.
    None,
}

impl Outcome {
    /// Returns its name in the output of commands, and in the form of the firm's page.
    pub fn id(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Order(_) => "order",
            Self::None => "none",
        }
    }

    /// Returns the net sum of an order.
    pub fn net_sum(self) -> Option<Euro> {
        match self {
            Self::Order(sum) => Some(sum),
            Self::Open | Self::None => None,
        }
    }
}
