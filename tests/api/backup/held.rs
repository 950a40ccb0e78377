//! Deliveries that were pending at the time of a backup are held after a restore, since the lost server may have sent them already.

use std::fmt::Write as _;

use serde_json::Value;

use super::erased::list;
use super::{at_new, backup, restore, serve};
use crate::harness::{Dir, Server, Setup, record, run, until, until_true};
use crate::sinks::{Behaviour, Security, SmtpSink, Step};

/// Runs a command on the restored store and returns the list that it prints.
fn lines(dir: &Dir, args: &[&str]) -> Vec<Value> {
    serde_json::from_str(at_new(dir, &[args, &["--json"]].concat()).success()).unwrap()
}

/// A configuration with firms and a mail server.
fn config(dir: &Dir, mail: &SmtpSink) -> String {
    let mut toml = format!(
        "[mail]\nserver = 'smtp://{}'\nfrom = 'Taubenabwehr <anfrage@example.de>'\n[notify]\nmail = ['team@example.de']\n",
        mail.address
    );
    for id in ["nord", "sued", "west", "ost"] {
        let _ = write!(
            toml,
            "[[firm]]\nid = '{id}'\nname = '{id} GmbH'\nemail = 'auftrag@{id}.example'\npostal_codes = ['2']\n"
        );
    }
    dir.write("config.toml", toml)
}

/// Starts a server whose mails are deferred by the mail server; also returns the path of its configuration.
fn start_unheard() -> (Server, SmtpSink, String) {
    let mail = SmtpSink::start(Security::Clear);
    mail.always(Step::Mail, Behaviour::Refuse("451 4.3.0 later"));
    let dir = Dir::new();
    let config = config(&dir, &mail);
    let server = Setup::new().dir(&dir).args(&["--config", &config]).start();
    (server, mail, config)
}

/// Restores a backup and asserts that the mails of one inquiry are held.
fn restore_held(dir: &Dir, args: &[&str]) {
    let restored = restore(dir, args);
    let held = "5 deliveries are held until `taubenabwehr deliveries retry`";
    assert!(restored.success().contains(held), "{restored:?}");
    let standing = "1 inquiry stands still until `taubenabwehr deliveries retry`";
    assert!(restored.success().contains(standing), "{restored:?}");
}

#[test]
fn what_waited_is_held_until_the_operator_says_so_and_new_inquiries_are_not() {
    let (server, mail, config) = start_unheard();
    let dir = server.dir().clone();
    server.store(&record("Kranichfeld"));
    mail.wait_for_step(Step::Mail, 4);
    backup(&dir).success();
    assert_eq!(server.terminate().code, Some(0));
    mail.recover();

    restore_held(&dir, &[]);
    let server = serve(&dir, &["--config", &config]);
    server.logged("were restored from a backup");
    server.store(&record("Zaunkönig"));
    until_true("the new inquiry's mails to arrive", || mail.mails().len() == 5);
    // Deliveries are recorded shortly after they arrive.
    let deliveries = until("the new inquiry's mails to be noted", || {
        let deliveries = lines(&dir, &["deliveries"]);
        (deliveries.len() == 5).then_some(deliveries)
    });
    assert!(
        deliveries.iter().all(|delivery| delivery["state"] == "held"),
        "{deliveries:?}"
    );
    let inquiries = lines(&dir, &["inquiries"]);
    assert_eq!(
        (&inquiries[0]["held"], &inquiries[1]["held"]),
        (&5.into(), &0.into())
    );

    let retried = at_new(&dir, &["deliveries", "retry"]);
    assert_eq!(
        retried.success(),
        "5 deliveries will be tried again\n1 inquiry that stood still since the restore goes on\n"
    );
    let again = at_new(&dir, &["deliveries", "retry"]);
    assert_eq!(again.success().lines().count(), 1, "nothing is held any more");
    until_true("what was held to arrive", || mail.mails().len() == 10);
    let server = server.restart();
    assert!(
        !server.stderr().contains("restored from a backup"),
        "{}",
        server.stderr()
    );
}

#[test]
fn what_is_erased_again_is_not_among_what_is_held() {
    let (server, _mail, _) = start_unheard();
    let dir = server.dir().clone();
    let gone = server.store(&record("Kranichfeld"));
    server.store(&record("Zaunkönig"));
    backup(&dir).success();
    run(dir.path(), &["erase", gone["id"].as_str().unwrap(), "--yes"]).success();
    assert_eq!(server.terminate().code, Some(0));

    restore_held(&dir, &["--erased", &list(&dir)]);
    assert_eq!(lines(&dir, &["deliveries"]).len(), 5);
}

/// With all mail delivered, an inquiry whose firms have not answered is also held.
#[test]
fn what_waits_for_firms_alone_is_named_too() {
    let mail = SmtpSink::start(Security::Clear);
    let dir = Dir::new();
    let config = config(&dir, &mail);
    let server = Setup::new().dir(&dir).args(&["--config", &config]).start();
    server.store(&record("Kranichfeld"));
    until_true("all mail to be delivered", || {
        let deliveries = run(dir.path(), &["deliveries", "--json"]);
        mail.mails().len() == 5 && deliveries.success().trim() == "[]"
    });
    backup(&dir).success();
    assert_eq!(server.terminate().code, Some(0));
    let restored = restore(&dir, &[]);
    let printed = restored.success();
    assert!(!printed.contains("0 deliveries"), "{printed}");
    assert!(printed.contains("1 inquiry stands still until"), "{printed}");
    let retried = at_new(&dir, &["deliveries", "retry"]);
    assert_eq!(
        retried.success(),
        "0 deliveries will be tried again\n1 inquiry that stood still since the restore goes on\n"
    );
}
