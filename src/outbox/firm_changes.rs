//! Follows changes of firms: passes on inquiries from paused firms, and matches waiting inquiries again.

use std::collections::BTreeSet;

use jiff::SignedDuration;

use crate::domain::inquiry::CREDIBLE;
use crate::domain::matching::FirmId;
use crate::domain::referral::{Answer, Change, HandlingPolicy, InquiryRecord, Pausing, Status};
use crate::store::{Store, TimeRange, Unavailable, UpdateError};

/// The maximum age of an inquiry that is matched again when firms change: visitors who have waited longer have found another firm.
const MATCHED_AGAIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The last known state of the firms, and the work that follows from changes.
#[derive(Debug, Default)]
pub struct FirmChanges {
    /// Firms that were paused at the last check.
    paused: BTreeSet<FirmId>,
    /// Firms that were unreachable at the last check.
    unreachable: BTreeSet<FirmId>,
    /// Whether inquiries were matched since firms last changed. Not at startup: firms may have changed while the server was down.
    is_matched: bool,
}

impl FirmChanges {
    /// Schedules matching, after the configuration has changed.
    pub fn note(&mut self) {
        self.is_matched = false;
    }

    /// Passes on the open inquiries of newly paused firms, and matches inquiries again when firms have changed, a pause has ended,
    /// or a firm is reachable again. If the store fails, the next check retries.
    pub async fn follow(&mut self, store: &Store, policy: &HandlingPolicy) {
        let Ok(facts) = store.facts().await else { return };
        let in_file = policy.firms.iter().filter(|firm| firm.paused);
        let mut paused = facts.paused_at(store.now());
        paused.extend(in_file.map(|firm| firm.id.clone()));
        for firm in paused.difference(&self.paused) {
            if pass_on(store, firm, Pausing::Goes).await.is_err() {
                return;
            }
        }
        self.is_matched &= self.paused.is_subset(&paused);
        self.paused = paused;
        let unreachable = policy
            .firms
            .iter()
            .filter(|firm| facts.unreachable_since(firm).is_some());
        let unreachable: BTreeSet<_> = unreachable.map(|firm| firm.id.clone()).collect();
        self.is_matched &= self.unreachable.is_subset(&unreachable);
        self.unreachable = unreachable;
        if !self.is_matched {
            self.is_matched = rematch(store).await.is_ok();
        }
    }
}

/// Passes on the inquiries that a paused firm has not answered; returns their number.
///
/// # Errors
/// While the store cannot be read or written. Some may already have been passed on.
pub async fn pass_on(store: &Store, firm: &FirmId, pausing: Pausing) -> Result<u64, Unavailable> {
    let is_open = |record: &InquiryRecord| record.waits_for(firm, pausing);
    let change = Change::Pass(firm.clone(), pausing);
    change_all(store, TimeRange::default(), is_open, &change).await
}

/// Matches recent inquiries with a free place and no pending answer again, since firms have changed. Returns how many were
/// processed.
///
/// # Errors
/// While the store cannot be read or written. Some may already have been matched.
pub async fn rematch(store: &Store) -> Result<u64, Unavailable> {
    // Inquiries from before a restore are held for the operator.
    let held_since = store.facts().await?.held_since;
    let since = store.now().checked_sub(MATCHED_AGAIN).ok();
    let is_waiting = |record: &InquiryRecord| {
        let is_held = record.received_at() < held_since;
        let mut asked = record.referral.asked.iter();
        !is_held
            && record.referral.status == Status::Active
            && record.received_at() >= since
            && !asked.any(|asked| asked.answer == Answer::Pending)
    };
    // A browser may have sent an inquiry long after it was made.
    let made = since.and_then(|since| since.checked_sub(CREDIBLE).ok());
    let range = TimeRange {
        since: made,
        until: None,
    };
    change_all(store, range, is_waiting, &Change::Rematch).await
}

/// Applies a change to all inquiries in a range that match a predicate; returns their number.
async fn change_all(
    store: &Store,
    range: TimeRange,
    is_meant: impl Fn(&InquiryRecord) -> bool,
    change: &Change,
) -> Result<u64, Unavailable> {
    let mut records = store.records(range).await?;
    let mut count = 0;
    while let Some(record) = records.next().await? {
        if record.inquiry.is_none() || !is_meant(&record) {
            continue;
        }
        match store.update(record.id, change.clone()).await {
            Ok(_) => count += 1,
            // It was withdrawn in the meantime.
            Err(UpdateError::Refused(_)) => {}
            Err(UpdateError::Unavailable(_)) => return Err(Unavailable),
        }
    }
    Ok(count)
}
