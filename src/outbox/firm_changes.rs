//! What follows when firms change: a paused one hands on what it was asked, and inquiries are matched again.

use std::collections::BTreeSet;

use crate::domain::matching::FirmId;
use crate::domain::referral::{HandlingPolicy, Pausing};
use crate::store::Store;

/// What is known of the firms, and what has to be done about them.
#[derive(Debug)]
pub struct FirmChanges {
    /// Firms that were paused at the last check.
    paused: BTreeSet<FirmId>,
    /// Firms that could not be reached then.
    unreachable: BTreeSet<FirmId>,
    /// Whether to match inquiries again, since firms may have changed.
    rematches: bool,
}

impl Default for FirmChanges {
    /// While the server was down, firms may have changed.
    fn default() -> Self {
        Self {
            paused: BTreeSet::new(),
            unreachable: BTreeSet::new(),
            rematches: true,
        }
    }
}

impl FirmChanges {
    /// Has inquiries matched again: the configuration names other firms.
    pub fn note(&mut self) {
        self.rematches = true;
    }

    /// Passes on what firms were asked before they were paused, and matches inquiries again when firms have changed, a pause has
    /// ended, or a firm can be reached again. What the store could not do waits for the next check.
    pub async fn follow(&mut self, store: &Store, policy: &HandlingPolicy) {
        let Ok(facts) = store.facts().await else { return };
        let in_file = policy.firms.iter().filter(|firm| firm.paused);
        let mut paused = facts.paused_at(store.now());
        paused.extend(in_file.map(|firm| firm.id.clone()));
        for firm in paused.difference(&self.paused) {
            if store.pass_on(firm, Pausing::Goes).await.is_err() {
                return;
            }
        }
        self.rematches |= self.paused.iter().any(|firm| !paused.contains(firm));
        self.paused = paused;
        let unreachable = policy
            .firms
            .iter()
            .filter(|firm| facts.unreachable_since(firm).is_some());
        let unreachable: BTreeSet<_> = unreachable.map(|firm| firm.id.clone()).collect();
        self.rematches |= self.unreachable.iter().any(|firm| !unreachable.contains(firm));
        self.unreachable = unreachable;
        if self.rematches {
            self.rematches = store.rematch().await.is_err();
        }
    }
}
