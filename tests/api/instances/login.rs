//! Passwords and certificates for the connection to the database.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use crate::harness::command::{Finished, command, finish};
use crate::harness::inquiry::post;
use crate::harness::{Dir, Setup, leave_out_on_redb, record, until_true};
use crate::postgres::{self, Database, Schema};

/// Guards the settings of the database server that all tests share, since changing its files is a read followed by a replacement.
static SETTINGS: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    SETTINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the server reload its settings and waits until it has.
fn reload(schema: &Schema) {
    let loaded = || schema.query("SELECT pg_conf_load_time()::text")[0].get::<_, String>(0);
    let before = loaded();
    schema.execute("SELECT pg_reload_conf()");
    until_true("the settings to be read", || loaded() != before);
}

/// A role that needs a password, whatever the server requires of other roles.
struct Role {
    database: Database,
    name: String,
}

impl Role {
    fn new(schema: &Schema) -> Self {
        let database = Database::on(postgres::server().unwrap());
        let name = format!("{}_role", database.name());
        schema.execute(&format!(
            "CREATE ROLE {name} LOGIN PASSWORD 'ge:heim'; ALTER DATABASE {} OWNER TO {name};",
            database.name()
        ));
        let _alone = alone();
        // The user of the server may write its files, and the first matching line of `pg_hba.conf` applies.
        schema.execute(&format!(
            "COPY (SELECT 'host {0} {name} all scram-sha-256') TO PROGRAM \
             'cat - pg_hba.conf > pg_hba.{name} && mv pg_hba.{name} pg_hba.conf'",
            database.name()
        ));
        reload(schema);
        Self { database, name }
    }

    /// A URL with this login and these parameters.
    fn url(&self, login: &str, host: &str, parameters: &str) -> String {
        let (_, port) = self.database.address();
        format!(
            "postgres://{login}@{host}:{port}/{}?{parameters}",
            self.database.name()
        )
    }
}

/// The error of `inquiries` with this URL, if it fails.
fn list(dir: &Dir, url: &str, set: impl FnOnce(&mut Command)) -> Result<(), String> {
    let listed = listed(dir, url, set);
    match listed.code {
        Some(0) => Ok(()),
        _ => Err(listed.failure().to_owned()),
    }
}

/// Runs `inquiries` with this URL, and asserts that it never reveals the password.
fn listed(dir: &Dir, url: &str, set: impl FnOnce(&mut Command)) -> Finished {
    let mut command = command(dir.path());
    command.env_remove("TAUBENABWEHR_STORE").env("HOME", dir.path());
    command.args(["inquiries", "--json", "--store", url]);
    set(&mut command);
    let listed = finish(&mut command);
    assert!(!listed.stderr.contains("heim"), "{}", listed.stderr);
    listed
}

fn write_private(dir: &Dir, name: &str, content: &str) -> String {
    let path = dir.write(name, content);
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    path
}

#[test]
fn the_password_comes_from_address_variable_file_or_credential() {
    leave_out_on_redb!("logging in to a database");
    let dir = Dir::new();
    let role = Role::new(dir.schema().unwrap());
    let name = &role.name;
    let url = role.url(name, "127.0.0.1", "");

    let error = list(&dir, &url, |_| {}).unwrap_err();
    assert!(error.contains("password"), "{error}");
    let error = list(
        &dir,
        &role.url(&format!("{name}:falsch"), "127.0.0.1", ""),
        |_| {},
    )
    .unwrap_err();
    assert!(error.contains("password"), "{error}");

    list(
        &dir,
        &role.url(&format!("{name}:ge%3Aheim"), "127.0.0.1", ""),
        |_| {},
    )
    .unwrap();
    list(&dir, &role.url(name, "127.0.0.1", "password=ge%3Aheim"), |_| {}).unwrap();
    list(&dir, &url, |command| {
        command.env("PGPASSWORD", "ge:heim");
    })
    .unwrap();

    let file = write_private(&dir, "password", "ge:heim\n");
    let by_file = |file: &str| {
        let file = file.to_owned();
        move |command: &mut Command| {
            command.args(["--store-password-file", &file]);
        }
    };
    list(&dir, &url, by_file(&file)).unwrap();
    list(&dir, &url, |command| {
        command.env("TAUBENABWEHR_STORE_PASSWORD_FILE", &file);
    })
    .unwrap();
    let config = dir.write(
        "config.toml",
        format!("store = '{url}'\nstore_password_file = 'password'"),
    );
    let bare = |args: &[&str]| finish(command(dir.path()).env_remove("TAUBENABWEHR_STORE").args(args));
    for args in [
        &["inquiries", "--config", &config][..],
        &["backup", "--output", "backup", "--config", &config],
        &[
            "copy",
            "--from",
            &url,
            "--to",
            "redb:copy",
            "--store-password-file",
            &file,
        ],
    ] {
        let done = bare(args);
        assert_eq!(done.code, Some(0), "{args:?}: {done:?}");
    }
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    let checked = bare(&["config", "check", "--config", &config]);
    assert_has!(checked.stderr, &format!("chmod 600 {file}"));
    // The password in the URL takes precedence.
    let wrong = write_private(&dir, "wrong", "falsch\n");
    let with_password = role.url(&format!("{name}:ge%3Aheim"), "127.0.0.1", "");
    list(&dir, &with_password, by_file(&wrong)).unwrap();
    for (file, expected) in [
        (&*wrong, "password authentication failed"),
        ("missing", "missing: "),
        (&dir.write("lines", "ge:heim\n\n"), "one line"),
    ] {
        let error = list(&dir, &url, by_file(file)).unwrap_err();
        assert!(error.contains(expected), "{file}: {error}");
    }
    // The password file of libpq is ignored.
    write_private(&dir, ".pgpass", "*:*:*:*:ge\\:heim\n");
    let passfile = dir.path().join(".pgpass");
    let error = list(&dir, &url, |command| {
        command.env("PGPASSFILE", &passfile);
    });
    assert!(error.unwrap_err().contains("--store-password-file"));

    fs::create_dir(dir.path().join("credentials")).unwrap();
    write_private(&dir, "credentials/postgres-password", "ge:heim\n");
    let credentials = dir.path().join("credentials");
    list(&dir, &url, |command| {
        command.env("CREDENTIALS_DIRECTORY", &credentials);
    })
    .unwrap();
}

#[test]
fn a_new_password_counts_at_the_next_log_in() {
    leave_out_on_redb!("logging in to a database");
    let dir = Dir::new();
    let schema = dir.schema().unwrap();
    let role = Role::new(schema);
    let file = write_private(&dir, "password", "ge:heim\n");
    let url = role.url(&role.name, "127.0.0.1", "");
    let server = Setup::new()
        .args(&["--store", &url, "--store-password-file", &file])
        .start();
    let posted = || server.send(&post(&record("Kranichfeld"))).status;
    assert_eq!(posted(), 201);
    schema.execute(&format!("ALTER ROLE {} PASSWORD 'neu'", role.name));
    write_private(&dir, "password", "neu\n");
    let ends = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{}'",
        role.name
    );
    schema.execute(&ends);
    until_true("it to log in again", || posted() == 201);
}

/// Makes the server present a certificate.
fn serve_certificate(schema: &Schema, certificate: &str, key: &str) {
    let _alone = alone();
    for (name, pem) in [("server.crt", certificate), ("server.key", key)] {
        schema.execute(&format!(
            "COPY (SELECT unnest(string_to_array('{}', E'\\n'))) TO PROGRAM 'umask 077; cat > {name}'",
            pem.trim_end()
        ));
    }
    schema.execute("COPY (SELECT 'ssl = on') TO PROGRAM 'cat >> postgresql.conf'");
    reload(schema);
}

#[test]
fn certificates_are_checked_as_far_as_sslmode_says() {
    leave_out_on_redb!("logging in to a database");
    let dir = Dir::new();
    let schema = dir.schema().unwrap();
    let role = Role::new(schema);
    let login = format!("{}:ge%3Aheim", role.name);
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = params.self_signed(&key).unwrap();
    let issuer = Issuer::new(params, key);
    let roots = dir.write("root.pem", root.pem());
    let other = CertificateParams::new(Vec::new()).unwrap();
    let other = other.self_signed(&KeyPair::generate().unwrap()).unwrap();
    let others = dir.write("other.pem", other.pem());
    let own = KeyPair::generate().unwrap();
    let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&own, &issuer).unwrap();
    serve_certificate(schema, &certificate.pem(), &own.serialize_pem());

    for (host, parameters, expected) in [
        (
            "localhost",
            "sslmode=require&channel_binding=require".to_owned(),
            "",
        ),
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={roots}"),
            "",
        ),
        ("127.0.0.1", format!("sslmode=require&sslrootcert={roots}"), ""),
        (
            "127.0.0.1",
            format!("sslmode=verify-full&sslrootcert={roots}"),
            "not valid for name",
        ),
        (
            "localhost",
            format!("sslmode=require&sslrootcert={others}"),
            "certificate",
        ),
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={others}"),
            "certificate",
        ),
        (
            "localhost",
            "sslmode=verify-full&sslrootcert=missing.pem".to_owned(),
            "missing.pem",
        ),
        (
            "localhost",
            "sslmode=disable&channel_binding=require".to_owned(),
            "channel binding",
        ),
    ] {
        let url = role.url(&login, host, &parameters);
        match list(&dir, &url, |_| {}) {
            Ok(()) => assert_eq!(expected, "", "{host} {parameters} was let in"),
            Err(error) => assert!(
                !expected.is_empty() && error.contains(expected),
                "{host} {parameters}: {error}"
            ),
        }
    }
}

#[test]
fn the_host_that_takes_changes_is_found_wherever_it_stands() {
    leave_out_on_redb!("logging in to a database");
    let dir = Dir::new();
    let database = Database::on(postgres::server().unwrap());
    let (host, port) = database.address();
    let name = database.name();
    let url = |hosts: &str, parameters: &str| format!("postgres://test@{hosts}/{name}?{parameters}");
    let there = format!("{host}:{port}");
    for hosts in [format!("{host}:1,{there}"), format!("{there},{host}:1")] {
        for target in ["read-write", "primary", "any"] {
            list(
                &dir,
                &url(&hosts, &format!("target_session_attrs={target}")),
                |_| {},
            )
            .unwrap();
        }
        list(&dir, &url(&hosts, ""), |_| {}).unwrap();
    }
    // A read-only server is skipped like an unreachable one.
    let read_only = "options=-c%20default_transaction_read_only%3Don";
    let error = list(&dir, &url(&format!("{host}:1,{there}"), read_only), |_| {}).unwrap_err();
    assert_has!(error, "does not allow writes");
    assert_has!(error, ":1: ");
}
