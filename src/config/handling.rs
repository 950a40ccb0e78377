//! How inquiries are handled: the part of the configuration that SIGHUP reloads.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer};

use super::mail::MailSettings;
use super::notify::NotifySettings;
use super::values::within;
use crate::base::text::counted;
use crate::domain::commission::{Percent, Terms};
use crate::domain::matching::{Firm, FirmId, PostalPrefix};
use crate::domain::referral::HandlingPolicy;

/// Default limit of inquiries per sender that are passed on to firms within 24 hours. Most people with pigeons have one building,
/// some two or three. A single sender cannot exhaust a firm that takes ten inquiries a week before the operator has had mail about
/// it for days.
const PER_DAY: u32 = 3;

/// How inquiries are handled. All other settings are fixed at start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handling {
    /// How mail is sent; `None` means that no mail is sent, and none is promised.
    pub mail: Option<MailSettings>,
    /// How the operator is notified.
    pub notify: NotifySettings,
    /// How firms are asked.
    pub matching: Matching,
    /// The firms, in the order of the file.
    pub firms: Vec<Firm>,
    /// How long inquiries are kept.
    pub retention: Retention,
    /// The commission of firms without their own terms; `None` if not configured.
    pub commission: Option<Terms>,
    /// The VAT rate on commission; `None` for the usual one.
    pub vat: Option<Percent>,
}

/// `[matching]`: how firms are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Matching {
    /// How many firms may accept an inquiry: the site promises up to three offers.
    #[serde(deserialize_with = "within::<_, _, 1, 3>")]
    pub offers: u8,
    /// Hours after which a firm without an answer is passed over, up to thirty days.
    #[serde(deserialize_with = "within::<_, _, 1, 720>")]
    pub answer_hours: u16,
    /// Limit of inquiries from one client, mail address or telephone number that are passed on to firms within 24 hours; 0 means no
    /// limit. The maximum leaves room for a company whose whole traffic comes from one address.
    #[serde(deserialize_with = "within::<_, _, 0, 1000>")]
    pub per_day: u32,
}

/// `[retention]`: how long inquiries are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// Days to keep an inquiry after it was received, up to a hundred years, which time arithmetic can represent; `None` keeps it
    /// until it is erased explicitly.
    #[serde(deserialize_with = "days")]
    pub inquiries_days: Option<NonZeroU32>,
}

fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroU32>, D::Error> {
    within::<_, _, 1, 36_500>(deserializer).map(NonZeroU32::new)
}

impl Handling {
    /// The VAT rate on commission.
    pub fn vat(&self) -> Percent {
        self.vat.unwrap_or(Percent::USUAL_VAT)
    }

    /// The policy for inquiries that follows from these settings.
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
            vat: self.vat(),
        }
    }

    /// A copy in which these firms are paused as well.
    #[must_use]
    pub fn with_paused(&self, paused: &BTreeSet<FirmId>) -> Self {
        let mut changed = self.clone();
        for firm in &mut changed.firms {
            firm.paused |= paused.contains(&firm.id);
        }
        changed
    }

    /// The postal prefixes of firms that lie outside the site's area, each with the firm's id. They are not an error, since a firm
    /// may work beyond the area, but they explain why a firm is never asked.
    pub fn prefixes_outside(&self) -> Vec<String> {
        let outside = self.firms.iter().flat_map(|firm| {
            let prefixes = firm.postal_codes.iter().filter(|prefix| !prefix.is_within_area());
            prefixes.map(|prefix| format!("{} of firm {}", prefix.as_str(), firm.id))
        });
        outside.collect()
    }

    /// The area of the firms that are asked, for visitors: each prefix once, such as `2208…` or `22087`, sorted.
    pub fn area(&self) -> String {
        let asked = self.firms.iter().filter(|firm| !firm.paused);
        let prefixes = asked.flat_map(|firm| &firm.postal_codes);
        let prefixes = prefixes.filter(|prefix| prefix.is_within_area());
        let mut area: Vec<&str> = prefixes.map(PostalPrefix::as_str).collect();
        // A prefix sorts directly before those that it covers.
        area.sort_unstable();
        area.dedup_by(|covered, prefix| covered.starts_with(*prefix));
        let shown = |prefix: &str| format!("{prefix}{}", if prefix.len() < 5 { "…" } else { "" });
        area.into_iter().map(shown).collect::<Vec<_>>().join(", ")
    }

    /// Whether some firm pays for inquiries.
    pub fn earns_commission(&self) -> bool {
        let terms = self.firms.iter().filter_map(|firm| firm.commission);
        terms.into_iter().any(|terms| !terms.is_free())
    }

    /// Whether an inquiry notifies neither the operator nor a firm.
    pub fn tells_nobody(&self) -> bool {
        let policy = self.policy();
        policy.operator_mailboxes == 0 && !policy.webhook && policy.firms.is_empty()
    }
}

impl Matching {
    /// How long a firm has to answer.
    pub fn answer_within(self) -> SignedDuration {
        SignedDuration::from_hours(self.answer_hours.into())
    }
}

impl Retention {
    /// The earliest time of receipt of inquiries to keep; `None` keeps all.
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

/// A summary for operators, without personal addresses.
impl fmt::Display for Handling {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paused = self.firms.iter().filter(|firm| firm.paused).count();
        let mailboxes = self.notify.mail.len();
        match self.firms.len() {
            0 => formatter.write_str("no firms")?,
            count => formatter.write_str(&counted(count, "firm", "firms"))?,
        }
        if paused > 0 {
            write!(formatter, " ({paused} paused)")?;
        }
        match &self.mail {
            Some(mail) => write!(formatter, ", mail by {}:{}", mail.server.host, mail.server.port)?,
            None => formatter.write_str(", no mail")?,
        }
        let addresses = counted(mailboxes, "address", "addresses");
        match (mailboxes, self.notify.webhook.is_some()) {
            (0, false) => formatter.write_str(", operator not notified")?,
            (0, true) => formatter.write_str(", operator notified by webhook")?,
            (_, false) => write!(formatter, ", operator notified at {addresses}")?,
            (_, true) => write!(formatter, ", operator notified at {addresses} and by webhook")?,
        }
        match self.retention.inquiries_days {
            Some(days) => {
                let days = counted(days.get(), "day", "days");
                write!(formatter, ", inquiries kept for {days}")?;
            }
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
