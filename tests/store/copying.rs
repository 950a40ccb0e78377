//! PostgreSQL alone: a database that is not whole is not copied, and nothing is copied into one that is in use.

use taubenabwehr::store::{Location, TransferError};
use tokio::task::block_in_place;

use crate::engines::{Engine, PostgresEngine};

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_copy_is_no_source() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    drop(engine.open());
    let location = engine.location();
    assert!(block_in_place(|| location.copy_source()).is_ok());
    let schema = engine.schema();
    schema.execute("INSERT INTO facts (k, v) VALUES ('copying', int8send(1))");
    let error = block_in_place(|| location.copy_source());
    let error = error.err().unwrap().to_string();
    assert!(error.contains("copy"), "{error}");
}

fn copy(from: &Location, to: &Location) -> Result<(), TransferError> {
    block_in_place(|| {
        let source = from.copy_source().unwrap();
        taubenabwehr::store::copy(source, to).map(drop)
    })
}

fn copy_to_a_directory(engine: &PostgresEngine) -> Result<(), TransferError> {
    let directory = tempfile::tempdir().unwrap();
    let target = Location::Directory(directory.path().join("copy"));
    copy(&engine.location(), &target)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_ours_in_a_database_is_not_copied_as_something_else() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    drop(engine.open());
    copy_to_a_directory(&engine).unwrap();
    let schema = engine.schema();
    for (put, take) in [
        (
            "INSERT INTO keys (k, v) VALUES ('\\x01', '\\x02')",
            "DELETE FROM keys",
        ),
        (
            "INSERT INTO confirmations (k, v) VALUES ('\\x01', '\\x01')",
            "DELETE FROM confirmations",
        ),
        (
            "INSERT INTO counts (k, v) VALUES ('\\x01', int8send(1))",
            "DELETE FROM counts",
        ),
        (
            "INSERT INTO counts (k, v) VALUES ('\\x00000001'::bytea || 'inquiry', '\\x01')",
            "DELETE FROM counts",
        ),
    ] {
        schema.execute(put);
        let error = copy_to_a_directory(&engine).unwrap_err().to_string();
        assert!(error.contains("taubenabwehr check"), "{put}: {error}");
        schema.execute(take);
    }
    copy_to_a_directory(&engine).unwrap();
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
