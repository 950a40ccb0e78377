//! PostgreSQL alone: a database that is not whole is not copied.

use std::ffi::OsStr;

use taubenabwehr::store::Location;

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
