//! Who is notified of what.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn everybody_is_told_what_they_may_know() {
    let site = Site::new();
    let running = site.start();
    let desk = Some("https://desk.example.de".to_owned());
    running.store.note_desk(desk).await.unwrap();
    let inquiry = running.insert(&site, 1).await;
    let mails = site.mails(MAILS).await;
    assert_eq!(
        recipients(&mails),
        BTreeSet::from([
            "team@example.de",
            "auftrag@nord.example",
            "auftrag@sued.example",
            "auftrag@west.example",
            "gross-1@example.de",
        ])
    );
    assert_eq!(message_ids(&mails).len(), MAILS);
    let at_the_desk = format!("https://desk.example.de/anfragen/{}", inquiry.id);
    for mail in &mails {
        let id = mail.header("Message-ID").unwrap();
        assert!(
            id.starts_with(&format!("<{}-", inquiry.id)) && id.ends_with("@www.example.de>"),
            "{id}"
        );
        let message = mail_parser::MessageParser::new().parse(&mail.content).unwrap();
        let text = message.body_text(0).unwrap();
        let knows_person = mail.to == "team@example.de";
        assert_eq!(text.contains("7654321"), knows_person, "{text}");
        assert_eq!(text.contains("Jürgen"), knows_person, "{text}");
        assert_eq!(text.contains("desk.example.de"), knows_person, "{text}");
        let page = match mail.to.as_str() {
            "team@example.de" => &at_the_desk,
            "gross-1@example.de" => "https://www.example.de/anfrage/",
            _ => "https://www.example.de/betrieb/",
        };
        assert!(text.contains(page), "{text}");
    }
    let call = site.webhook.wait_for(1).remove(0);
    let body: Value = serde_json::from_slice(&call.body).unwrap();
    assert_eq!(body["type"], "inquiry.created");
    assert_eq!(body["timestamp"], "2026-11-08T12:00:00Z");
    assert_eq!(body["data"]["id"], inquiry.id.to_string());
    assert_eq!(body["data"]["email_address"], "gross-1@example.de");
    let firms = body["data"]["firms"].as_array().unwrap();
    assert_eq!(firms.len(), 3);
    assert_eq!(
        (&firms[0]["id"], &firms[0]["state"]),
        (&"nord".into(), &"pending".into())
    );
    assert!(call.headers["webhook-id"].starts_with(&inquiry.id.to_string()));
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_mail_server_is_taken_over_while_running() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    let other = SmtpSink::start(Security::Clear);
    site.configure(|handling| handling.mail = Some(mail_settings(&other)));
    site.pass(SignedDuration::from_secs(40));
    until(async || other.mails().len() >= MAILS).await;
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
    // Without `[mail]`, pending deliveries have a reason.
    site.configure(|handling| handling.mail = None);
    let second = running.insert(&site, 2).await;
    let record = running.settled(&site, &second).await;
    let reason = record.referral.deliveries[0].reason.as_deref();
    assert_eq!(reason, Some("the configuration has no [mail]"));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_mailbox_of_the_operator_gets_a_mail_of_its_own() {
    let site = Site::new();
    site.configure(|handling| handling.notify.mail.push("leitung@example.de".to_owned()));
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    let mails = site.mails(MAILS + 1).await;
    assert_eq!(message_ids(&mails).len(), MAILS + 1);
    for mailbox in ["team@example.de", "leitung@example.de"] {
        let mail = mails.iter().find(|mail| mail.to == mailbox).unwrap();
        assert_eq!(mail.header("To").as_deref(), Some(mailbox));
    }
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}
