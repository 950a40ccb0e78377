//! Mails and webhooks of a real server that is killed at each step or shut down (`docs/behaviour.md`, "Deliveries").

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::thread;

use serde_json::json;

use crate::harness::inquiry::{post, with};
use crate::harness::referral::submit;
use crate::harness::{Request, Server, Setup, record, until_true};
use crate::sinks::{Behaviour, Security, SmtpSink, Step, WebhookSink, message_ids};

/// Mails for one inquiry: to the operator, three firms and the visitor.
const MAILS: usize = 5;

/// The limit of concurrent deliveries of mail.
const AT_ONCE: usize = 4;

/// The servers that receive mails and webhooks.
struct Sinks {
    mail: SmtpSink,
    webhook: WebhookSink,
}

impl Sinks {
    fn start() -> Self {
        Self {
            mail: SmtpSink::start(Security::Clear),
            webhook: WebhookSink::start(),
        }
    }

    /// A setup whose configuration names the sinks and three firms.
    fn setup(&self) -> Setup {
        let setup = Setup::new();
        setup
            .dir
            .write("webhook-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
        setup.config(config(&self.mail, &self.webhook))
    }

    fn mail_ids(&self) -> BTreeSet<String> {
        message_ids(&self.mail.mails())
    }

    /// Waits until all deliveries of one inquiry have arrived.
    fn wait_for_everything(&self) {
        until_true("every mail arrives", || self.mail_ids().len() == MAILS);
        self.webhook.wait_for(1);
    }
}

fn config(mail: &SmtpSink, webhook: &WebhookSink) -> String {
    let mut toml = format!(
        "[mail]\nserver = 'smtp://{}'\nfrom = 'Taubenabwehr <anfrage@example.de>'\n[notify]\nmail = ['team@example.de']\n\
         webhook = 'http://{}/hook'\nwebhook_secret_file = 'webhook-secret'\n",
        mail.address, webhook.address
    );
    for id in ["nord", "sued", "west"] {
        let _ = write!(
            toml,
            "[[firm]]\nid = '{id}'\nname = '{id} GmbH'\nemail = 'auftrag@{id}.example'\npostal_codes = ['2']\n"
        );
    }
    toml
}

/// Stores an inquiry; returns the path of its visitor's page.
fn insert(server: &Server) -> String {
    let response = server.send(&post(&record("Kranichfeld")));
    assert_eq!(response.status, 201);
    response.expect("location").to_owned()
}

fn withdraw(server: &Server, visitor: &str) {
    let withdrawn = submit(server, &format!("{visitor}/zurueckziehen"), "");
    assert_eq!(withdrawn.status, 303);
}

/// The server must not open ever more connections to a mail server and a webhook that accept them and never respond.
#[test]
fn servers_that_hang_get_few_connections_whatever_is_asked_for() {
    const MANY: usize = 30;
    let sinks = Sinks::start();
    let setup = sinks.setup();
    let toml = config(&sinks.mail, &sinks.webhook) + "[matching]\nper_day = 0\n";
    setup.dir.write("config.toml", toml);
    let server = setup.start();
    let insert = |number: usize| {
        let response = server.send(&post(&with("email_address", format!("anna-{number}@example.de"))));
        assert_eq!(response.status, 201);
        response.expect("location").to_owned()
    };
    let visitors: Vec<String> = (0..MANY).map(insert).collect();
    sinks.mail.wait_for(MANY * MAILS);
    let called = sinks.webhook.wait_for(MANY).len();
    let greeted = sinks.mail.count_of(Step::Greeting);
    sinks.mail.always(Step::Greeting, Behaviour::Hang);
    sinks.webhook.answer(None);
    thread::scope(|scope| {
        for (number, visitor) in visitors.iter().enumerate() {
            let server = &server;
            scope.spawn(move || {
                withdraw(server, visitor);
                let wish = Request::new("POST", "/rest/v1/newsletter")
                    .header("Content-Type", "application/json")
                    .body(json!({ "email": format!("berta-{number}@example.de") }).to_string());
                assert_eq!(server.send(&wish).status, 202);
            });
        }
    });
    (MANY..2 * MANY).for_each(|number| drop(insert(number)));
    sinks.mail.wait_for_step(Step::Greeting, greeted + AT_ONCE);
    sinks.webhook.wait_for(called + AT_ONCE);
    assert_eq!(server.terminate().code, Some(0));
    assert_eq!(sinks.mail.count_of(Step::Greeting), greeted + AT_ONCE);
    assert_eq!(sinks.webhook.calls().len(), called + AT_ONCE);
    assert!(
        sinks.mail.most_open() <= 2 * AT_ONCE,
        "{}",
        sinks.mail.most_open()
    );
}

/// An unreachable mail server does not flood the log.
#[test]
fn failures_are_summed_up_in_few_lines() {
    const MANY: usize = 20;
    let sinks = Sinks::start();
    sinks.mail.always(Step::Greeting, Behaviour::Drop);
    let server = sinks.setup().start();
    for _ in 0..MANY {
        insert(&server);
    }
    sinks.mail.wait_for_step(Step::Greeting, 2 * MANY);
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let lines = ended.stderr.lines();
    // The first line comes at once, further ones once a minute.
    let count = lines.filter(|line| line.contains("tried again")).count();
    assert!((1..=2).contains(&count), "{}", ended.stderr);
}

#[test]
fn nothing_is_lost_at_whatever_step_the_server_is_killed() {
    let steps = [
        (Step::Greeting, Behaviour::Hang),
        (Step::Ehlo, Behaviour::Hang),
        (Step::Mail, Behaviour::Hang),
        (Step::Rcpt, Behaviour::Hang),
        (Step::Data, Behaviour::Hang),
        (Step::Content, Behaviour::Hang),
        // The mail has arrived, but the server does not know.
        (Step::Content, Behaviour::KeepAndHang),
        (Step::Quit, Behaviour::Hang),
    ];
    // Run concurrently: on PostgreSQL, each case waits until the leases of the killed server expire.
    thread::scope(|scope| {
        for (step, behaviour) in steps {
            scope.spawn(move || assert_nothing_is_lost(step, behaviour));
        }
    });
}

fn assert_nothing_is_lost(step: Step, behaviour: Behaviour) {
    let sinks = Sinks::start();
    sinks.mail.always(step, behaviour);
    let server = sinks.setup().start();
    insert(&server);
    sinks.mail.wait_for_step(step, 1);
    let setup = server.kill();
    sinks.mail.recover();
    let server = setup.start();
    sinks.wait_for_everything();
    assert_eq!(server.stored().len(), 1);
    // A mail arrives twice only if the server was killed after its arrival and before recording it.
    let after = sinks.mail.mails();
    assert!(after.len() <= MAILS + AT_ONCE, "{step:?}: {} mails", after.len());
    assert_eq!(message_ids(&after).len(), MAILS, "{step:?}");
}

#[test]
fn a_webhook_that_was_under_way_comes_again_with_its_id() {
    let sinks = Sinks::start();
    sinks.webhook.answer(None);
    let server = sinks.setup().start();
    insert(&server);
    sinks.webhook.wait_for(1);
    let setup = server.kill();
    sinks.webhook.answer(Some("HTTP/1.1 204 No Content\r\n\r\n"));
    let _server = setup.start();
    let calls = sinks.webhook.wait_for(2);
    assert_eq!(calls[0].headers["webhook-id"], calls[1].headers["webhook-id"]);
    assert_eq!(calls[0].body, calls[1].body);
}

#[test]
fn the_log_names_deliveries_and_no_person() {
    let sinks = Sinks::start();
    let echo = "550 5.1.1 <anna@example.de>: Kranichfeld is unknown";
    sinks.mail.always(Step::Rcpt, Behaviour::Answer(echo));
    let server = sinks.setup().start();
    insert(&server);
    let line = server.logged("given up: the mail server refused the recipient: 550 5.1.1");
    assert!(line.contains("delivery="), "{line}");
    let log = server.terminate().stderr;
    for secret in [
        "anna@",
        "Kranichfeld",
        "team@example.de",
        "auftrag@",
        "unknown",
        "whsec_",
    ] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}
