//! PostgreSQL alone: a database that is not whole is not copied, and nothing is copied into one that is in use.

use std::ffi::OsStr;

use taubenabwehr::store::{CopyError, CopyTarget, Location, copy};

use crate::engines::{Engine, PostgresEngine};

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_copy_is_no_source() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    drop(engine.open());
    let location = Location::parse(OsStr::new(&engine.schema().url())).unwrap();
    assert!(location.copy_source().await.is_ok());
    let schema = engine.schema();
    schema.execute("INSERT INTO meta (name, value) VALUES ('copying', 1)");
    let error = location.copy_source().await.err().unwrap().to_string();
    assert!(error.contains("copy"), "{error}");
}

async fn copy_to_a_directory(engine: &PostgresEngine) -> Result<(), CopyError> {
    let source = Location::parse(OsStr::new(&engine.schema().url())).unwrap();
    let source = source.copy_source().await.unwrap();
    let directory = tempfile::tempdir().unwrap();
    let target = CopyTarget::Directory(directory.path().join("copy"));
    copy(source, target).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_ours_in_a_database_is_not_copied_as_something_else() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    drop(engine.open());
    copy_to_a_directory(&engine).await.unwrap();
    let schema = engine.schema();
    for (put, take) in [
        (
            "INSERT INTO keys (name, tag, id, expires_at) VALUES ('\\x01', '\\x02', gen_random_uuid(), now() + interval '1 day')",
            "DELETE FROM keys",
        ),
        (
            "INSERT INTO confirmations (address, times, last) VALUES ('\\x01', ARRAY[1, 0, 0]::bigint[], now())",
            "DELETE FROM confirmations",
        ),
        (
            "INSERT INTO counts (day, name, count) VALUES ('2026-11-08', 'inquiry', -1)",
            "DELETE FROM counts",
        ),
        (
            "INSERT INTO counts (day, name, count) VALUES ('1960-11-08', 'inquiry', 1)",
            "DELETE FROM counts",
        ),
    ] {
        schema.execute(put);
        let error = copy_to_a_directory(&engine).await.unwrap_err().to_string();
        assert!(error.contains("taubenabwehr check"), "{put}: {error}");
        schema.execute(take);
    }
    copy_to_a_directory(&engine).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_was_quiet_for_two_minutes_may_still_be_there() {
    let (Some(from), Some(to)) = (PostgresEngine::new(), PostgresEngine::new()) else {
        return;
    };
    drop(from.open());
    drop(to.open());
    let location = |engine: &PostgresEngine| Location::parse(OsStr::new(&engine.schema().url())).unwrap();
    to.schema().execute("DELETE FROM writers");
    to.schema().execute(
        "INSERT INTO writers (id, batch, attempt, seen_at) VALUES (gen_random_uuid(), 1, 1, now() - interval '2 minutes')",
    );
    let copied = async || {
        let source = location(&from).copy_source().await.unwrap();
        copy(source, location(&to).copy_target().unwrap()).await
    };
    let error = copied().await.unwrap_err().to_string();
    assert!(error.contains("a server uses the database"), "{error}");
    to.schema()
        .execute("UPDATE writers SET seen_at = now() - interval '4 minutes'");
    copied().await.unwrap();
}
