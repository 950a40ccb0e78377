//! Sending mail to a server that misbehaves at each step.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use taubenabwehr::config::{Encryption, Login, MailSettings, Secret};
use taubenabwehr::domain::referral::DeliveryCertainty;
use taubenabwehr::outbox::mail::{Address, Outgoing, SmtpTimes, SmtpTransport, mailbox};
use taubenabwehr::outbox::sending::SendErrorKind::{NoMailbox, Permanent, Transient};
use taubenabwehr::outbox::sending::{SendError, SendErrorKind};

use crate::outbox::mail_settings;
use crate::sinks::{Behaviour, Certificate, Mail, Security, SmtpSink, Step};

/// A wait that expires soon, and one that outlasts every test.
const SHORT: Duration = Duration::from_secs(3);
const LONG: Duration = Duration::from_mins(10);

/// The reply of a server that repeats the recipient in every line.
const REFUSAL: &str = "550-5.1.1 anna@example.de\r\n550 5.1.1 <anna@example.de> unknown";

fn mail() -> Outgoing {
    Outgoing {
        message_id: "0199-1@www.example.de".to_owned(),
        to: mailbox(None, &Address::parse("anna@example.de").unwrap()),
        reply_to: None,
        subject: "Ihre Anfrage".to_owned(),
        text: "Guten Tag\n.\n..\nEnde".to_owned(),
        html: "<p>Guten Tag</p>".to_owned(),
    }
}

/// Settings for a server with STARTTLS and authentication, so that every step is taken.
fn full_settings(sink: &SmtpSink, certificate: &Certificate) -> MailSettings {
    MailSettings {
        login: Some(login()),
        roots: Some(vec![certificate.authority.clone()]),
        ..mail_settings(sink)
    }
}

fn login() -> Login {
    Login {
        username: "anfrage@example.de".to_owned(),
        password: Secret::new("geheim".to_owned()),
    }
}

/// Timeouts that no test reaches.
const PATIENT: SmtpTimes = SmtpTimes {
    step: LONG,
    whole: LONG,
};

fn transport(settings: MailSettings, times: SmtpTimes) -> SmtpTransport {
    SmtpTransport::new(settings, "www.example.de", times)
}

async fn send(settings: MailSettings) -> Result<String, SendError> {
    transport(settings, PATIENT).send(&mail()).await
}

/// Waits for a mail without blocking the runtime.
async fn first_mail(sink: SmtpSink) -> Mail {
    let waited = tokio::task::spawn_blocking(move || sink.wait_for(1).remove(0));
    waited.await.unwrap()
}

#[tokio::test]
async fn a_mail_arrives_whole() {
    let sink = SmtpSink::start(Security::Clear);
    send(mail_settings(&sink)).await.unwrap();
    let taken = first_mail(sink).await;
    assert_eq!(
        (taken.from.as_str(), taken.to.as_str(), taken.parameters.as_str()),
        ("anfrage@example.de", "anna@example.de", "")
    );
    assert!(!taken.was_encrypted && taken.credentials.is_none());
    assert_eq!(
        taken.header("Message-ID").as_deref(),
        Some("<0199-1@www.example.de>")
    );
    let content = String::from_utf8(taken.content).unwrap();
    assert!(
        content.contains("\r\nGuten Tag\r\n.\r\n..\r\nEnde\r\n"),
        "{content}"
    );
}

#[tokio::test]
async fn tls_and_the_log_in_are_used_where_they_are_offered() {
    let certificate = Certificate::of(&["127.0.0.1"]);
    for security in [
        Security::StartTls(certificate.server.clone()),
        Security::Implicit(certificate.server.clone()),
    ] {
        let encryption = match security {
            Security::Implicit(_) => Encryption::Tls,
            _ => Encryption::StartTls,
        };
        let sink = SmtpSink::start(security);
        let mut settings = full_settings(&sink, &certificate);
        settings.server.encryption = encryption;
        send(settings).await.unwrap();
        let taken = first_mail(sink).await;
        assert!(taken.was_encrypted, "{encryption:?}");
        // NUL, user, NUL, password.
        assert_eq!(
            taken.credentials.as_deref(),
            Some("AGFuZnJhZ2VAZXhhbXBsZS5kZQBnZWhlaW0="),
            "{encryption:?}"
        );
    }
}

/// A step, what the server does there, and the outcome (`None` for delivered).
type Case = (Step, Behaviour, Option<SendErrorKind>);

/// A case in which the server answers a step with this text.
fn answer(step: Step, text: &'static str, kind: impl Into<Option<SendErrorKind>>) -> Case {
    (step, Behaviour::Answer(text), kind.into())
}

/// Every failure at every step.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for step in Step::ALL {
        let (broken, refused) = match step {
            // The mail was already accepted, so nothing after that matters.
            Step::Quit => (None, None),
            Step::Rcpt => (Some(Transient), Some(NoMailbox)),
            Step::Data | Step::Content => (Some(Transient), Some(Permanent)),
            // A refusal here concerns the machine, the account or the sender, not the recipient.
            Step::Greeting | Step::Ehlo | Step::StartTls | Step::Auth | Step::Mail => {
                (Some(Transient), Some(Transient))
            }
        };
        cases.extend([
            (step, Behaviour::Hang, broken),
            (step, Behaviour::Drop, broken),
            answer(step, "421 4.3.2 closing", broken),
            answer(step, "451 4.7.1 greylisted, come again", broken),
            answer(step, "nonsense", broken),
            answer(step, "530 5.7.0 log in first", broken),
            answer(step, "535 5.7.8 wrong password", broken),
            answer(step, REFUSAL, refused),
            answer(step, "554 no service", refused),
        ]);
    }
    cases.extend([
        // The mail may have been accepted, so it is sent again with the same id.
        (Step::Content, Behaviour::KeepAndDrop, Some(Transient)),
        // Positive replies that are wrong at their step.
        answer(Step::Data, "250 ok", Transient),
        answer(Step::Content, "354 more?", Transient),
        answer(Step::Rcpt, "452 4.2.2 mailbox full", Transient),
        answer(Step::Mail, "553 5.1.8 sender's domain unknown", Transient),
        // Many servers reject the sender only at this step.
        answer(
            Step::Rcpt,
            "553 5.7.1 sender address rejected: not owned by user",
            Transient,
        ),
        answer(Step::Rcpt, "550 5.1.8 sender address rejected", Transient),
        answer(Step::Data, "554 5.7.1 relay access denied", Transient),
        answer(Step::Rcpt, "553 5.1.3 bad address", NoMailbox),
        answer(Step::Rcpt, "450 4.2.1 busy", Transient),
    ]);
    cases.extend(whose_fault());
    cases.extend(odd_replies());
    cases
}

/// Refusals of a mail: those caused by the sender, and those caused by the recipient.
fn whose_fault() -> Vec<Case> {
    let mut cases = Vec::new();
    for step in [Step::Rcpt, Step::Data, Step::Content] {
        let of_sender = [
            "550 5.4.5 Daily user sending limit exceeded.",
            "554 5.4.6 too many hops",
            "550 5.1.90 your message can't be sent: the daily limit was exceeded",
            "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException",
            "554 5.2.252 SendAsDenied",
            "550 5.3.2 system not accepting network messages",
            "503 5.5.1 authentication first",
            "503 bad sequence of commands",
            "501 5.5.4 invalid argument",
            "554 5.6.0 message malformed",
            "550 Access denied - Invalid HELO name",
            "550 Sender verify failed",
        ];
        let refused = if step == Step::Rcpt { NoMailbox } else { Permanent };
        let of_recipient = [
            "550 5.1.1 no such user",
            "550 5.1.10 recipient not found",
            "550 5.2.1 mailbox disabled",
            "552 5.2.2 mailbox full",
            "550 5.4.1 recipient address rejected: access denied",
            "552 5.3.4 message too big",
            "550",
            "550 relaying denied",
        ];
        cases.extend(of_sender.map(|text| answer(step, text, Transient)));
        cases.extend(of_recipient.map(|text| answer(step, text, refused)));
    }
    cases
}

/// Replies that consist of a code alone, or are not UTF-8.
fn odd_replies() -> Vec<Case> {
    let mut cases = Vec::new();
    for (step, alone, latin) in [
        (Step::Greeting, "220", b"220 Willkommen bei M\xfcller"),
        (
            Step::Ehlo,
            "250",
            b"250-M\xfcller\r\n250-AUTH PLAIN\r\n250-STARTTLS\r\n250",
        ),
        (Step::StartTls, "220", b"220 verschl\xfcsselt"),
        (Step::Auth, "235", b"235 Gr\xfc\xdfe"),
        (Step::Mail, "250", b"250 Gr\xfc\xdfe"),
        (Step::Rcpt, "250", b"250-Gr\xfc\xdfe\r\n250"),
        (Step::Data, "354", b"354 Gr\xfc\xdfe"),
        (Step::Content, "250", b"250 Gr\xfc\xdfe"),
    ] as [(_, &str, &[u8]); 8]
    {
        if step != Step::Ehlo {
            cases.push((step, Behaviour::Say(alone.as_bytes()), None));
        }
        cases.push((step, Behaviour::Say(latin), None));
    }
    let unknown = Behaviour::Say(b"550 5.1.1 Empf\xe4nger unbekannt");
    cases.push((Step::Rcpt, unknown, Some(NoMailbox)));
    cases
}

#[tokio::test]
async fn the_first_prompt_of_a_log_in_asks_for_the_name_and_the_second_for_the_password() {
    let sink = SmtpSink::start_at([127, 0, 0, 1].into(), Security::Clear, &["AUTH LOGIN"]);
    let mut settings = mail_settings(&sink);
    settings.login = Some(login());
    send(settings).await.unwrap();
    let taken = first_mail(sink).await;
    assert_eq!(
        taken.credentials.as_deref(),
        Some("YW5mcmFnZUBleGFtcGxlLmRl Z2VoZWlt")
    );
}

#[tokio::test]
async fn a_server_without_tls_from_the_first_byte_is_told_apart() {
    let sink = SmtpSink::start(Security::Clear);
    let mut settings = mail_settings(&sink);
    settings.server.encryption = Encryption::Tls;
    let error = send(settings).await.unwrap_err();
    assert!(error.to_string().contains("use smtp://"), "{error}");
}

#[tokio::test]
async fn a_server_that_waits_for_tls_is_told_apart() {
    // An address that no other run of this test uses, since the port is fixed.
    let [.., high, low] = std::process::id().to_be_bytes();
    let address = Ipv4Addr::new(127, 46, high, low);
    let silent = match TcpListener::bind((address, 465)) {
        Ok(silent) => silent,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            println!("left out: this user may not listen at port 465");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let mut settings = mail_settings(&SmtpSink::start(Security::Clear));
    settings.server.host = address.to_string();
    settings.server.port = 465;
    let begun = Instant::now();
    let error = send(settings).await.unwrap_err();
    assert!(error.to_string().contains("use smtps://"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    drop(silent);
}

#[tokio::test]
async fn each_failure_of_each_step_is_told_apart() {
    let certificate = Certificate::of(&["127.0.0.1"]);
    let mut all = JoinSet::new();
    for (step, behaviour, expected) in cases() {
        let sink = SmtpSink::start(Security::StartTls(certificate.server.clone()));
        sink.always(step, behaviour);
        let settings = full_settings(&sink, &certificate);
        let mut times = PATIENT;
        if behaviour == Behaviour::Hang && step != Step::Quit {
            times.step = SHORT;
        }
        all.spawn(async move {
            let sent = transport(settings, times).send(&mail()).await;
            let found = sent.as_ref().err().map(|error| error.kind);
            assert_eq!(found, expected, "{step:?} {behaviour:?}: {sent:?}");
            let kept = usize::from(expected.is_none() || behaviour == Behaviour::KeepAndDrop);
            assert_eq!(sink.mails().len(), kept, "{step:?} {behaviour:?}");
            if let Err(error) = sent {
                // Only a server that received the content and reported no result may have accepted the mail.
                let is_refused = matches!(behaviour, Behaviour::Answer(text) if text.starts_with(['4', '5']));
                let certainty = if step == Step::Content && !is_refused {
                    DeliveryCertainty::MayBeTaken
                } else {
                    DeliveryCertainty::NotTaken
                };
                assert_eq!(error.certainty, certainty, "{step:?} {behaviour:?}");
                let reason = error.to_string();
                assert!(
                    reason.lines().count() == 1 && !reason.contains("anna") && !reason.contains("unknown"),
                    "{reason}"
                );
            }
        });
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
}

/// More than the buffers of a connection, and far less than the memory that an endless reply would fill within the test.
const MOST_TAKEN: usize = 32 * 1024 * 1024;

/// A continuation line: more always follow.
const LINE: &str = concat!(
    "250-",
    "a line as long as many that mail servers say, and as harmless as they are, but for those that follow it: ",
    "there is no last one, and whoever waits for it waits for ever, while what was said before fills the memory\r\n"
);

#[tokio::test]
async fn an_endless_answer_is_not_read_to_its_end() {
    let certificate = Certificate::of(&["127.0.0.1"]);
    let mut all = JoinSet::new();
    for (security, encryption) in [
        (Security::Clear, Encryption::StartTlsIfOffered),
        (
            Security::StartTls(certificate.server.clone()),
            Encryption::StartTls,
        ),
        (Security::Implicit(certificate.server.clone()), Encryption::Tls),
    ] {
        for step in Step::ALL {
            if step == Step::Quit || (step == Step::StartTls && encryption != Encryption::StartTls) {
                continue;
            }
            for text in ["x", LINE] {
                let sink = SmtpSink::start(security.clone());
                sink.always(step, Behaviour::Endless(text));
                let mut settings = full_settings(&sink, &certificate);
                settings.server.encryption = encryption;
                all.spawn(async move {
                    let error = send(settings).await.unwrap_err();
                    assert_eq!(error.kind, Transient, "{encryption:?} {step:?} {text}: {error}");
                    let taken = sink.endless_bytes();
                    assert!(
                        taken < MOST_TAKEN,
                        "{encryption:?} {step:?} {text}: {taken} bytes"
                    );
                });
            }
        }
    }
    let done = tokio::time::timeout(Duration::from_mins(4), all.join_all()).await;
    assert!(done.is_ok(), "a server that never ends its answer holds up mail");
}

#[tokio::test]
async fn a_server_that_dawdles_uses_up_the_whole_time_only() {
    for (step, certainty) in [
        (Step::Data, DeliveryCertainty::NotTaken),
        (Step::Content, DeliveryCertainty::MayBeTaken),
    ] {
        let sink = SmtpSink::start(Security::Clear);
        sink.always(step, Behaviour::Hang);
        let times = SmtpTimes {
            whole: SHORT,
            ..PATIENT
        };
        let error = transport(mail_settings(&sink), times)
            .send(&mail())
            .await
            .unwrap_err();
        assert_eq!((error.kind, error.certainty), (Transient, certainty));
        assert!(error.to_string().contains("has not taken the mail"), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_is_away_is_tried_again() {
    let sink = SmtpSink::start(Security::Clear);
    let mut settings = mail_settings(&sink);
    // Nothing listens on port 1.
    settings.server.port = 1;
    assert_eq!(send(settings.clone()).await.unwrap_err().kind, Transient);
    settings.server.encryption = Encryption::Tls;
    assert_eq!(send(settings.clone()).await.unwrap_err().kind, Transient);
    settings.server.host = "mail.invalid".to_owned();
    assert_eq!(send(settings).await.unwrap_err().kind, Transient);
}

#[tokio::test]
async fn a_certificate_must_be_known_and_name_the_server() {
    let known = Certificate::of(&["127.0.0.1"]);
    let other = Certificate::of(&["127.0.0.1"]);
    let misnamed = Certificate::of(&["mail.example.de"]);
    for (shown, trusted) in [(&known, &other), (&misnamed, &misnamed)] {
        let sink = SmtpSink::start(Security::StartTls(shown.server.clone()));
        let error = send(full_settings(&sink, trusted)).await.unwrap_err();
        assert_eq!(error.kind, Transient);
        assert!(error.to_string().contains("certificate"), "{error}");
        assert!(sink.mails().is_empty());
    }
    let sink = SmtpSink::start(Security::StartTls(known.server.clone()));
    let mut settings = full_settings(&sink, &known);
    settings.roots = Some(vec![b"no certificate".to_vec().into()]);
    let error = send(settings).await.unwrap_err();
    assert!(error.to_string().contains("ca_file"), "{error}");
}

/// A reply injected before TLS starts must not be read as one sent within TLS.
#[tokio::test]
async fn an_answer_before_tls_is_none_within() {
    let certificate = Certificate::of(&["127.0.0.1"]);
    let sink = SmtpSink::start(Security::StartTls(certificate.server.clone()));
    sink.always(
        Step::StartTls,
        Behaviour::Answer("220 go ahead\r\n250-sink\r\n250 AUTH PLAIN"),
    );
    let error = send(full_settings(&sink, &certificate)).await.unwrap_err();
    assert_eq!(error.kind, Transient);
    assert!(error.to_string().contains("(TLS)"), "{error}");
    assert!(sink.mails().is_empty());
}

#[tokio::test]
async fn no_mail_leaves_the_machine_in_the_clear() {
    // A non-loopback address of this machine; looking up the route sends nothing.
    let way = UdpSocket::bind("0.0.0.0:0").unwrap();
    way.connect("192.0.2.1:9").unwrap();
    let address = way.local_addr().unwrap().ip();
    assert!(!address.is_loopback(), "this test needs a network");
    let sink = SmtpSink::start_at(address, Security::Clear, &[]);
    let error = send(mail_settings(&sink)).await.unwrap_err();
    assert_eq!(error.kind, Transient);
    assert!(error.to_string().contains("STARTTLS"), "{error}");
    assert!(sink.mails().is_empty());
}

#[tokio::test]
async fn a_server_without_a_log_in_gets_no_password() {
    let sink = SmtpSink::start_at([127, 0, 0, 1].into(), Security::Clear, &[]);
    let mut settings = mail_settings(&sink);
    settings.login = Some(login());
    let error = send(settings).await.unwrap_err();
    assert_eq!(error.kind, Transient);
    assert!(error.to_string().contains("user name"), "{error}");
}

#[tokio::test]
async fn umlauts_before_the_at_need_a_server_that_knows_them() {
    let mail = Outgoing {
        to: mailbox(None, &Address::parse("jürgen@müller.de").unwrap()),
        ..mail()
    };
    let sink = SmtpSink::start(Security::Clear);
    transport(mail_settings(&sink), PATIENT)
        .send(&mail)
        .await
        .unwrap();
    let taken = first_mail(sink).await;
    assert_eq!(taken.to, "jürgen@xn--mller-kva.de");
    assert_eq!(taken.parameters, "SMTPUTF8 BODY=8BITMIME");

    let sink = SmtpSink::start_at([127, 0, 0, 1].into(), Security::Clear, &["8BITMIME"]);
    let error = transport(mail_settings(&sink), PATIENT)
        .send(&mail)
        .await
        .unwrap_err();
    assert_eq!(error.kind, Permanent);
}

#[tokio::test]
async fn a_clear_connection_needs_the_configurations_leave() {
    let sink = SmtpSink::start_at([127, 0, 0, 1].into(), Security::Clear, &[]);
    let mut settings = mail_settings(&sink);
    settings.server.encryption = Encryption::StartTls;
    let error = send(settings).await.unwrap_err();
    assert!(error.to_string().contains("STARTTLS"), "{error}");
    assert!(sink.mails().is_empty());
}
