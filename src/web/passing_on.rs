//! Limits the inquiries per sender and day that are passed on to firms. Firms accept a limited number per week, and a sender of
//! many would use them all up.

use std::num::NonZeroU32;

use uuid::Uuid;

use super::app::App;
use crate::base::text::phone::national;
use crate::domain::inquiry::Answers;
use crate::store::Store;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::rate_limit::Reservation;

/// Held inquiries per network and day about which the operator is notified: enough for a company behind one address, but few
/// enough that a flood does not fill the mailbox.
const TOLD: NonZeroU32 = NonZeroU32::new(5).unwrap();

/// Counts an inquiry for its client, network, e-mail address and phone number if all are within the limit. Returns the
/// reservations, to be released if nothing is stored; there are none without firms or a limit. Senders are identified by keyed
/// digests, so that neither addresses nor numbers are kept.
///
/// # Errors
/// When the inquiry must be held back: its number among those of the same sender within 24 hours, with the reservation that counts
/// it there, and the one for notifying the operator, if one was left.
pub async fn count<'a>(
    app: &'a App,
    store: &Store,
    client: ClientNetwork,
    answers: &Answers,
) -> Result<Vec<Reservation<'a>>, (u32, Reservation<'a>, Option<Reservation<'a>>)> {
    let policy = app.policy();
    let limit = policy.passed_on_per_day.filter(|_| !policy.firms.is_empty());
    // If the store does not answer, nothing will be stored anyway.
    let (Some(limit), Ok(())) = (limit, store.ensure_secret_loaded().await) else {
        return Ok(Vec::new());
    };
    let secret = store.secret();
    let digest = |what: &[u8], text: &str| Uuid::from_bytes(secret.digest(what, text));
    let network = client.site().to_string();
    let senders = [
        digest(b"passed on client", &client.to_string()),
        digest(b"passed on network", &network),
        Uuid::from_bytes(secret.address_key(b"passed on", answers.email_address.as_str())),
        digest(b"passed on phone", &national(answers.phone_number.as_str())),
    ];
    let mut counted = Vec::with_capacity(senders.len());
    for sender in senders {
        if let Ok(reservation) = app.passing_on.reserve_up_to(limit, sender) {
            counted.push(reservation);
            continue;
        }
        counted.into_iter().for_each(Reservation::release);
        // Held inquiries are counted separately, so that they do not use up the limit.
        let held = digest(b"held", &sender.to_string());
        let Ok(counted) = app.passing_on.reserve_up_to(NonZeroU32::MAX, held) else {
            return Ok(Vec::new());
        };
        let number = limit.get().saturating_add(app.passing_on.used(held));
        let told = digest(b"told of network", &network);
        return Err((number, counted, app.passing_on.reserve_up_to(TOLD, told).ok()));
    }
    Ok(counted)
}
