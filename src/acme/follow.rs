//! Where instances share a store, one of them orders. The others answer its challenges, and serve its certificate.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::sleep;

use super::challenge::{Answer, Answers, Published};
use super::kept::SharedKept;
use super::stored::Stored;
use crate::acme_flags::Domain;

/// How often is looked for challenges and a new certificate.
pub const POLL: Duration = Duration::from_secs(1);

/// How long after a challenge was published the directory is told of it: every instance has seen it by then, unless the
/// store answers slowly.
pub const SPREAD: Duration = Duration::from_secs(3);

/// Of so many looks, one is for the certificate.
const CERTIFICATE_EVERY: u32 = 10;

/// Answers what others have published, and serves what they got for these domains: a configuration that names others is
/// carried to one instance after the other. Never ends by itself.
pub async fn follow(kept: &SharedKept, answers: &Answers, domains: &[Domain]) {
    let mut given: BTreeMap<Published, Option<Answer>> = BTreeMap::new();
    let mut last = None;
    let mut looks = 0_u32;
    loop {
        sleep(POLL).await;
        if let Ok(challenges) = kept.shared.challenges().await {
            let challenges: BTreeSet<_> = challenges.into_iter().filter_map(Published::read).collect();
            // First, since a new answer may have the name of one that is over.
            given.retain(|published, _| challenges.contains(published));
            for published in challenges {
                // One that cannot be answered is not tried again each second.
                given
                    .entry(published)
                    .or_insert_with_key(|new| answers.repeat(new).ok());
            }
        }
        looks = looks.wrapping_add(1);
        if looks.is_multiple_of(CERTIFICATE_EVERY)
            && let Ok(Some(pem)) = kept.certificate().await
            && last.as_ref() != Some(&pem)
        {
            if let Some(stored) = Stored::parse_shared(&pem, domains) {
                answers.resolver.set_default(stored.certificate);
            }
            last = Some(pem);
        }
    }
}
