//! What commands read and change: through the server that has the store, or else in the store itself.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use super::failure::Failure;
use crate::control::operations::FoundSubscription;
use crate::control::{Access, Operation, access, client};
use crate::referral::Dossier;
use crate::store::{TimeRange, Unavailable};

/// Carries out an operation.
pub fn operate<O: Operation>(data_dir: &Path, operation: O) -> Result<O::Answer, Failure> {
    match access::<_, Failure>(data_dir, || client::operate(data_dir, &operation))? {
        Access::Server(answer) => Ok(answer),
        Access::Store(store) => {
            let answer = runtime()?.block_on(operation.run(Arc::from(store)));
            answer.map_err(|Unavailable| {
                if O::CHANGES {
                    Failure::Unwritable
                } else {
                    Failure::Damaged
                }
            })
        }
    }
}

/// Gives everything that is known of the inquiries of a range to `take`, one after the other, as of one moment.
pub fn each_dossier(
    data_dir: &Path,
    range: TimeRange,
    mut take: impl FnMut(Dossier) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match access::<_, Failure>(data_dir, || client::dossiers(data_dir, range))? {
        Access::Server(mut dossiers) => {
            while let Some(dossier) = dossiers.next_dossier()? {
                take(dossier)?;
            }
        }
        Access::Store(store) => {
            let runtime = runtime()?;
            let damaged = |Unavailable| Failure::Damaged;
            let snapshot = runtime.block_on(store.snapshot()).map_err(damaged)?;
            let mut dossiers = {
                let _inside = runtime.enter();
                snapshot.into_dossiers(range)
            };
            while let Some(dossier) = dossiers.blocking_next().map_err(damaged)? {
                take(dossier)?;
            }
        }
    }
    Ok(())
}

/// Gives each subscription to the newsletter to `take`, one after the other, as of one moment.
pub fn each_subscription(
    data_dir: &Path,
    mut take: impl FnMut(FoundSubscription) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match access::<_, Failure>(data_dir, || client::subscriptions(data_dir))? {
        Access::Server(mut subscriptions) => {
            while let Some(found) = subscriptions.next_subscription()? {
                take(found)?;
            }
        }
        Access::Store(store) => {
            let runtime = runtime()?;
            let damaged = |Unavailable| Failure::Damaged;
            let mut subscriptions = runtime.block_on(store.subscriptions()).map_err(damaged)?;
            while let Some(subscription) = subscriptions.blocking_next().map_err(damaged)? {
                take(FoundSubscription::new(&subscription, &store))?;
            }
        }
    }
    Ok(())
}

/// Returns what commands wait with.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_time().build()
}
