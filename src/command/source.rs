//! What commands read and change: through the server that has the store, or else in the store itself.

use std::sync::Arc;

use uuid::Uuid;

use super::failure::Failure;
use crate::control::operations::FoundSubscription;
use crate::control::{Access, Operation, access, client};
use crate::inquiry::InquiryName;
use crate::referral::Dossier;
use crate::store::{Location, TimeRange, Unavailable};

/// Carries out an operation.
pub fn operate<O: Operation>(location: &Location, operation: O) -> Result<O::Answer, Failure> {
    match access::<_, Failure>(location, |data_dir| client::operate(data_dir, &operation))? {
        Access::Server(answer) => Ok(answer),
        Access::Store(opened) => {
            let answer = opened.runtime.block_on(operation.run(Arc::new(opened.store)));
            answer.map_err(|Unavailable| {
                if O::CHANGES {
                    Failure::Unwritable
                } else {
                    Failure::Unreadable
                }
            })
        }
    }
}

/// Gives everything that is known of the inquiries of a range to `take`, one after the other, as of one moment.
pub fn each_dossier(
    location: &Location,
    range: TimeRange,
    mut take: impl FnMut(Dossier) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match access::<_, Failure>(location, |data_dir| client::dossiers(data_dir, range))? {
        Access::Server(mut dossiers) => {
            while let Some(dossier) = dossiers.next_dossier()? {
                take(dossier)?;
            }
        }
        Access::Store(opened) => {
            let damaged = |Unavailable| Failure::Unreadable;
            let runtime = &opened.runtime;
            let snapshot = runtime.block_on(opened.store.snapshot()).map_err(damaged)?;
            let mut dossiers = {
                let _inside = runtime.enter();
                snapshot.into_dossiers(range)
            };
            while let Some(dossier) = runtime.block_on(dossiers.next()).map_err(damaged)? {
                take(dossier)?;
            }
        }
    }
    Ok(())
}

/// Returns the ids of inquiries that are named by id or reference, in the same order.
///
/// # Errors
/// When a reference is of none, or of several. An id need not be one of an inquiry.
pub fn ids_of(location: &Location, names: &[InquiryName]) -> Result<Vec<Uuid>, Failure> {
    let mut found: Vec<Vec<Uuid>> = names.iter().map(|name| Vec::from_iter(name.id())).collect();
    if found.iter().any(Vec::is_empty) {
        each_dossier(location, TimeRange::default(), |dossier| {
            let meant = names.iter().zip(&mut found);
            for (_, ids) in meant.filter(|(name, _)| name.id().is_none() && name.is_of(dossier.id)) {
                ids.push(dossier.id);
            }
            Ok(())
        })?;
    }
    names
        .iter()
        .zip(found)
        .map(|(name, ids)| only(name, &ids))
        .collect()
}

fn only(name: &InquiryName, ids: &[Uuid]) -> Result<Uuid, Failure> {
    match ids {
        [id] => Ok(*id),
        [] => Err(Failure::Unknown(name.clone())),
        several => {
            let several: Vec<_> = several.iter().map(Uuid::to_string).collect();
            Err(Failure::Ambiguous(name.clone(), several.join(", ")))
        }
    }
}

/// Returns the id of an inquiry.
///
/// # Errors
/// As for [`ids_of`].
pub fn id_of(location: &Location, name: &InquiryName) -> Result<Uuid, Failure> {
    let ids = ids_of(location, std::slice::from_ref(name))?;
    ids.first().copied().ok_or_else(|| Failure::Unknown(name.clone()))
}

/// Gives each subscription to the newsletter to `take`, one after the other, as of one moment.
pub fn each_subscription(
    location: &Location,
    mut take: impl FnMut(FoundSubscription) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match access::<_, Failure>(location, client::subscriptions)? {
        Access::Server(mut subscriptions) => {
            while let Some(found) = subscriptions.next_subscription()? {
                take(found)?;
            }
        }
        Access::Store(opened) => {
            let damaged = |Unavailable| Failure::Unreadable;
            let runtime = &opened.runtime;
            let mut subscriptions = runtime.block_on(opened.store.subscriptions()).map_err(damaged)?;
            while let Some(subscription) = runtime.block_on(subscriptions.next()).map_err(damaged)? {
                take(FoundSubscription::new(&subscription, &opened.store))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_of_two_inquiries_names_neither() {
        let name = "0123456789ab".parse().unwrap();
        let ids = [1, 2].map(|start| Uuid::from_u128((start << 64) + 0x0123_4567_89ab));
        assert_eq!(only(&name, &ids[..1]).unwrap(), ids[0]);
        assert!(matches!(only(&name, &[]), Err(Failure::Unknown(_))));
        let message = only(&name, &ids).unwrap_err().to_string();
        for id in ids {
            assert!(name.is_of(id) && message.contains(&id.to_string()), "{message}");
        }
    }
}
