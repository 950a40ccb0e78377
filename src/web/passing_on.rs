//! How many inquiries of one sender are passed on to firms within a day. Firms take so many a week and no more: whoever sends
//! many would leave none for others.

use std::num::NonZeroU32;

use uuid::Uuid;

use crate::base::text::phone::national;
use crate::domain::inquiry::Answers;
use crate::domain::referral::HandlingPolicy;
use crate::store::Store;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::rate_limit::{DAY, RateLimit, Reservation};

/// Of how many of one client's inquiries that are held back the operator is told in a day. A company behind one address gets
/// through, and a flood does not fill the mailbox.
const TOLD: NonZeroU32 = NonZeroU32::new(5).unwrap();

/// Counts what was passed on, by keyed digests of what senders can be told by: neither addresses nor numbers are kept.
#[derive(Debug)]
pub struct PassingOn(pub(super) RateLimit);

/// What becomes of an inquiry. Dropping it leaves the inquiry counted.
#[must_use]
pub struct Passing<'a> {
    /// Whether it waits for the operator.
    pub is_held: bool,
    /// Whether the operator is told that it waits.
    pub is_told: bool,
    counted: Vec<Reservation<'a>>,
}

impl Default for PassingOn {
    fn default() -> Self {
        // How many it is follows from the configuration, which may change.
        Self(RateLimit::new(DAY, NonZeroU32::MIN))
    }
}

impl PassingOn {
    /// Counts an inquiry that nothing speaks against; `None` where nothing is passed on, or all is.
    pub async fn count(
        &self,
        policy: &HandlingPolicy,
        store: &Store,
        client: ClientNetwork,
        answers: &Answers,
    ) -> Option<Passing<'_>> {
        let limit = policy.passed_on_per_day.filter(|_| !policy.firms.is_empty())?;
        // Where it does not answer, nothing will be stored either.
        store.ensure_secret_loaded().await.ok()?;
        let secret = store.secret();
        let digest = |what: &[u8], text: &str| Uuid::from_bytes(secret.digest(what, text));
        let network = client.site().to_string();
        let mail = secret.address_key(b"passed on", answers.email_address.as_str());
        let senders = [
            digest(b"passed on client", &client.to_string()),
            digest(b"passed on network", &network),
            Uuid::from_bytes(mail),
            digest(b"passed on phone", &national(answers.phone_number.as_str())),
        ];
        let told = digest(b"told of network", &network);
        Some(self.pass(limit, senders, told))
    }

    /// Counts an inquiry if all that it can be told by may still send one to firms; else it is to be held.
    fn pass(&self, limit: NonZeroU32, senders: [Uuid; 4], told: Uuid) -> Passing<'_> {
        let mut counted = Vec::with_capacity(senders.len());
        for sender in senders {
            if let Ok(reservation) = self.0.reserve_up_to(limit, sender) {
                counted.push(reservation);
                continue;
            }
            for reservation in counted {
                reservation.release();
            }
            let told = self.0.reserve_up_to(TOLD, told).ok();
            return Passing {
                is_held: true,
                is_told: told.is_some(),
                counted: told.into_iter().collect(),
            };
        }
        Passing {
            is_held: false,
            is_told: false,
            counted,
        }
    }
}

impl Passing<'_> {
    /// Takes back what was counted, because nothing was stored.
    pub fn release(self) {
        for reservation in self.counted {
            reservation.release();
        }
    }
}
