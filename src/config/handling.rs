//! How inquiries are handled: the part of the configuration that SIGHUP reads again.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer};

use super::mail::MailSettings;
use super::notify::NotifySettings;
use super::values::within;
use crate::domain::commission::Percent;
use crate::domain::matching::{Firm, FirmId};
use crate::domain::referral::HandlingPolicy;

/// How many inquiries of one sender firms get within 24 hours unless the configuration says otherwise. Most people with
/// pigeons have one building, some two or three; and one sender cannot use up a firm that takes ten inquiries a week before the
/// operator has had mail about it for days.
const PER_DAY: u32 = 3;

/// How inquiries are handled. Everything else is fixed at start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handling {
    /// Absent: no mail leaves, and nothing promises one.
    pub mail: Option<MailSettings>,
    /// How the operator is notified.
    pub notify: NotifySettings,
    /// How firms are asked.
    pub matching: Matching,
    /// Whom to ask, in the order of the file.
    pub firms: Vec<Firm>,
    /// How long inquiries are kept.
    pub retention: Retention,
    /// The rate of value added tax on what firms owe; `None` for the usual one.
    pub vat: Option<Percent>,
}

/// `[matching]`: how firms are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Matching {
    /// Firms that may accept an inquiry: the site promises up to three offers.
    #[serde(deserialize_with = "within::<_, _, 1, 3>")]
    pub offers: u8,
    /// Hours after which a firm without an answer is passed over, up to thirty days.
    #[serde(deserialize_with = "within::<_, _, 1, 720>")]
    pub answer_hours: u16,
    /// Inquiries of one client, mail address or telephone number that firms get within 24 hours; 0 for all. Where a company's
    /// whole traffic comes from one address, there may be some hundreds.
    #[serde(deserialize_with = "within::<_, _, 0, 1000>")]
    pub per_day: u32,
}

/// `[retention]`: how long inquiries are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// Days since an inquiry was received, up to a hundred years, which every calculation with times can hold; absent: nothing is
    /// erased by itself.
    #[serde(deserialize_with = "days")]
    pub inquiries_days: Option<NonZeroU32>,
}

fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroU32>, D::Error> {
    within::<_, _, 1, 36_500>(deserializer).map(NonZeroU32::new)
}

impl Handling {
    /// Returns what is done with inquiries.
    pub fn policy(&self) -> HandlingPolicy {
        let has_mail = self.mail.is_some();
        HandlingPolicy {
            firms: self.firms.as_slice().into(),
            offers: self.matching.offers.into(),
            answer_within: self.matching.answer_within(),
            passed_on_per_day: NonZeroU32::new(self.matching.per_day),
            operator_mailboxes: if has_mail {
                u8::try_from(self.notify.mail.len()).unwrap_or(u8::MAX)
            } else {
                0
            },
            webhook: self.notify.webhook.is_some(),
            operator_accepted: self.notify.accepted,
            digest: self.notify.digest,
            visitor_mail: has_mail,
            vat: self.vat.unwrap_or(Percent::USUAL_VAT),
        }
    }

    /// Returns the same with these firms paused, too.
    #[must_use]
    pub fn with_paused(&self, paused: &BTreeSet<FirmId>) -> Self {
        let mut changed = self.clone();
        for firm in &mut changed.firms {
            firm.paused |= paused.contains(&firm.id);
        }
        changed
    }

    /// Returns the prefixes of firms that no inquiry's postal code begins with, each with the firm's id. They are no mistake
    /// where a firm works beyond the area, and a reason to wonder why it is never asked.
    pub fn prefixes_outside(&self) -> Vec<String> {
        let outside = self.firms.iter().flat_map(|firm| {
            let prefixes = firm.postal_codes.iter().filter(|prefix| !prefix.is_within_area());
            prefixes.map(|prefix| format!("{} of firm {}", prefix.as_str(), firm.id))
        });
        outside.collect()
    }

    /// Whether an inquiry notifies nobody: no mailbox, no webhook, no firm.
    pub fn tells_nobody(&self) -> bool {
        let policy = self.policy();
        policy.operator_mailboxes == 0 && !policy.webhook && policy.firms.is_empty()
    }
}

impl Matching {
    /// Returns how long a firm may take to answer.
    pub fn answer_within(self) -> SignedDuration {
        SignedDuration::from_hours(self.answer_hours.into())
    }
}

impl Retention {
    /// Returns since when inquiries must have been received to be kept; `None` if all are.
    pub fn kept_since(self, now: Timestamp) -> Option<Timestamp> {
        let days = i32::try_from(self.inquiries_days?.get()).unwrap_or(i32::MAX);
        now.checked_sub(SignedDuration::from_hours(24).saturating_mul(days))
            .ok()
    }
}

impl Default for Matching {
    fn default() -> Self {
        Self {
            offers: 3,
            answer_hours: 24,
            per_day: PER_DAY,
        }
    }
}

/// A summary for operators, without addresses of people.
impl fmt::Display for Handling {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paused = self.firms.iter().filter(|firm| firm.paused).count();
        let mailboxes = self.notify.mail.len();
        match self.firms.len() {
            0 => formatter.write_str("no firms")?,
            1 => formatter.write_str("1 firm")?,
            count => write!(formatter, "{count} firms")?,
        }
        if paused > 0 {
            write!(formatter, " ({paused} paused)")?;
        }
        match &self.mail {
            Some(mail) => write!(formatter, ", mail by {}:{}", mail.server.host, mail.server.port)?,
            None => formatter.write_str(", no mail")?,
        }
        let addresses = if mailboxes == 1 {
            "1 address".to_owned()
        } else {
            format!("{mailboxes} addresses")
        };
        match (mailboxes, self.notify.webhook.is_some()) {
            (0, false) => formatter.write_str(", operator not notified")?,
            (0, true) => formatter.write_str(", operator notified by webhook")?,
            (_, false) => write!(formatter, ", operator notified at {addresses}")?,
            (_, true) => write!(formatter, ", operator notified at {addresses} and by webhook")?,
        }
        match self.retention.inquiries_days {
            Some(days) if days.get() == 1 => formatter.write_str(", inquiries kept for 1 day")?,
            Some(days) => write!(formatter, ", inquiries kept for {days} days")?,
            None => formatter.write_str(", inquiries kept until erased")?,
        }
        match self.prefixes_outside().as_slice() {
            [] => Ok(()),
            outside => write!(
                formatter,
                "; no inquiry comes from {}: the site takes postal codes from 20000 to 22999",
                outside.join(", ")
            ),
        }
    }
}
