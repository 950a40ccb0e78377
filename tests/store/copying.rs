//! PostgreSQL only: an incomplete database is not copied, and a database in use is not overwritten.

use taubenabwehr::store::{Location, TransferError};
use tokio::task::block_in_place;

use crate::engines::{Engine, PostgresEngine};

fn copy(from: &Location, to: &Location) -> Result<(), TransferError> {
    block_in_place(|| {
        let source = from.copy_source().unwrap();
        taubenabwehr::store::copy(source, to).map(drop)
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_was_quiet_for_two_minutes_may_still_be_there() {
    let (Some(from), Some(to)) = (PostgresEngine::new(), PostgresEngine::new()) else {
        return;
    };
    drop(from.open());
    drop(to.open());
    to.schema().execute("DELETE FROM writers");
    let seen = |minutes: u32| {
        to.schema().execute(&format!(
            "INSERT INTO writers (k, v) SELECT '\\x0707', int8send(1) || \
             int8send((extract(epoch FROM now() - interval '{minutes} minutes') * 1000)::bigint) \
             ON CONFLICT (k) DO UPDATE SET v = excluded.v"
        ));
    };
    seen(2);
    let copied = || copy(&from.location(), &to.location());
    let error = copied().unwrap_err().to_string();
    assert!(error.contains("a server uses the database"), "{error}");
    seen(4);
    copied().unwrap();
}
