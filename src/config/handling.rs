//! What becomes of inquiries: the part of the configuration that SIGHUP reads again.

use std::fmt;
use std::num::NonZeroU32;

use serde::Deserialize;

use super::mail::MailSettings;
use super::notify::NotifySettings;
use super::values::Within;
use crate::matching::Firm;

/// What becomes of inquiries. Everything else is fixed at start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handling {
    /// Absent: no mail leaves, and nothing promises one.
    pub mail: Option<MailSettings>,
    /// How the operator is told.
    pub notify: NotifySettings,
    /// How firms are asked.
    pub matching: Matching,
    /// Whom to ask, in the order of the file.
    pub firms: Vec<Firm>,
    /// How long inquiries are kept.
    pub retention: Retention,
}

/// `[matching]`: how firms are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "MatchingTable")]
pub struct Matching {
    /// Firms that may accept an inquiry, 1 to 3.
    pub offers: u8,
    /// Hours after which a firm without an answer is passed over, 1 to 720.
    pub answer_hours: u16,
}

/// `[retention]`: how long inquiries are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "RetentionTable")]
pub struct Retention {
    /// Days since an inquiry was received; absent: nothing is erased by itself.
    pub inquiries_days: Option<NonZeroU32>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct MatchingTable {
    // The site promises up to three offers.
    offers: Option<Within<u8, 1, 3>>,
    // Up to thirty days.
    answer_hours: Option<Within<u16, 1, 720>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RetentionTable {
    // Up to a hundred years, which every calculation with times can hold.
    inquiries_days: Option<Within<u32, 1, 36_500>>,
}

impl Default for Matching {
    fn default() -> Self {
        Self {
            offers: 3,
            answer_hours: 24,
        }
    }
}

impl From<MatchingTable> for Matching {
    fn from(table: MatchingTable) -> Self {
        let default = Self::default();
        Self {
            offers: table.offers.map_or(default.offers, Within::get),
            answer_hours: table.answer_hours.map_or(default.answer_hours, Within::get),
        }
    }
}

impl From<RetentionTable> for Retention {
    fn from(table: RetentionTable) -> Self {
        let days = table.inquiries_days.and_then(|days| NonZeroU32::new(days.get()));
        Self { inquiries_days: days }
    }
}

/// Sums it up for operators, without anything that is nobody else's business.
impl fmt::Display for Handling {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paused = self.firms.iter().filter(|firm| firm.paused).count();
        write!(
            formatter,
            "{} ({paused} paused)",
            counted(self.firms.len(), "firm")
        )?;
        match &self.mail {
            Some(mail) => write!(formatter, ", mail by {}:{}", mail.server.host, mail.server.port)?,
            None => formatter.write_str(", no mail")?,
        }
        write!(formatter, ", {}", counted(self.notify.mail.len(), "mailbox"))?;
        formatter.write_str(if self.notify.webhook.is_some() {
            " and a webhook to notify"
        } else {
            " and no webhook to notify"
        })?;
        match self.retention.inquiries_days {
            Some(days) => write!(formatter, ", inquiries erased after {days} days"),
            None => formatter.write_str(", inquiries never erased by age"),
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ if what.ends_with('x') => format!("{count} {what}es"),
        _ => format!("{count} {what}s"),
    }
}
