//! How many inquiries of one sender are passed on to firms within a day. Firms take so many a week and no more: whoever sends
//! many would leave none for others.

use std::num::NonZeroU32;

use uuid::Uuid;

use super::app::App;
use crate::base::text::phone::national;
use crate::domain::inquiry::Answers;
use crate::store::Store;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::rate_limit::Reservation;

/// Of how many of one client's inquiries that are held back the operator is told in a day. A company behind one address gets
/// through, and a flood does not fill the mailbox.
const TOLD: NonZeroU32 = NonZeroU32::new(5).unwrap();

/// Counts an inquiry if all that its sender can be told by may still send one to firms; returns what was counted, which is taken back if
/// nothing is stored. Nothing is counted where nothing is passed on, or all is. Senders are told apart by keyed digests: neither addresses
/// nor numbers are kept.
///
/// # Errors
/// When the inquiry is to be held, with what was counted of that if the operator is told.
pub async fn count<'a>(
    app: &'a App,
    store: &Store,
    client: ClientNetwork,
    answers: &Answers,
) -> Result<Vec<Reservation<'a>>, Option<Reservation<'a>>> {
    let policy = app.policy();
    let limit = policy.passed_on_per_day.filter(|_| !policy.firms.is_empty());
    // Where the store does not answer, nothing will be stored either.
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
        let told = digest(b"told of network", &network);
        return Err(app.passing_on.reserve_up_to(TOLD, told).ok());
    }
    Ok(counted)
}
