//! What commands read and change: through the server that has the store, or else in the store itself.

use std::sync::Arc;

use super::failure::Failure;
use crate::control::operations::FoundSubscription;
use crate::control::{Access, Operation, access, client};
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
