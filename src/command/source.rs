//! What commands read and change: through the server that has the store, or else in the store itself.

use std::path::Path;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use super::failure::Failure;
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

fn runtime() -> Result<Runtime, Failure> {
    Ok(Builder::new_current_thread().enable_time().build()?)
}
