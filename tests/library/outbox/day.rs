//! Acceptances, reminders, digests and pauses of firms, with the clock of the test.

use super::*;
use taubenabwehr::domain::inquiry::Suspicion;
use taubenabwehr::domain::matching::{FirmId, Pause};
use taubenabwehr::domain::referral::{Answer, Change, DigestPeriod};
use taubenabwehr::store::TimeRange;

impl Site {
    /// The subjects of the mails to an address, in order.
    fn subjects(&self, to: &str) -> Vec<String> {
        let mails = self.mail.mails();
        let meant = mails.iter().filter(|mail| mail.to == to);
        let parser = mail_parser::MessageParser::new();
        let parsed = meant.map(|mail| parser.parse(&mail.content).unwrap().subject().unwrap().to_owned());
        parsed.collect()
    }

    async fn has(&self, to: &str, subject: &str) {
        until(async || self.subjects(to).iter().any(|found| found.contains(subject))).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_acceptance_is_told_to_operator_and_firm() {
    let site = Site::new();
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    running.store.update(inquiry.id, Change::Accept(1)).await.unwrap();
    site.has("team@example.de", "übernimmt die Anfrage").await;
    site.has("auftrag@sued.example", "Kontaktdaten").await;
    let accepted = || {
        let calls = site.webhook.calls();
        let mut bodies = calls
            .iter()
            .map(|call| serde_json::from_slice::<Value>(&call.body).unwrap());
        bodies.find(|body| body["type"] == "inquiry.accepted")
    };
    until(async || accepted().is_some()).await;
    let body = accepted().unwrap();
    assert_eq!(body["data"]["firm"]["id"], "sued");
    assert_eq!(body["data"]["firm"]["state"], "accepted");
    assert!(body["data"]["firm"]["answered_at"].is_string() && body["data"]["addition"] == "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_firm_is_reminded_once_when_a_quarter_of_its_time_is_left() {
    let site = Site::new();
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    running
        .store
        .update(inquiry.id, Change::Decline(0))
        .await
        .unwrap();
    running.settled(&site, &inquiry).await;
    site.pass(SignedDuration::from_mins(17 * 60 + 59));
    running.settled(&site, &inquiry).await;
    assert!(
        site.subjects("auftrag@sued.example")
            .iter()
            .all(|subject| !subject.contains("Erinnerung"))
    );
    site.pass(SignedDuration::from_mins(2));
    for firm in ["sued", "west", "ost"] {
        site.has(&format!("auftrag@{firm}.example"), "Erinnerung").await;
    }
    site.pass(SignedDuration::from_hours(2));
    running.settled(&site, &inquiry).await;
    for (firm, count) in [("nord", 0), ("sued", 1), ("west", 1), ("ost", 1)] {
        let subjects = site.subjects(&format!("auftrag@{firm}.example"));
        let reminders = subjects.iter().filter(|subject| subject.contains("Erinnerung"));
        assert_eq!(reminders.count(), count, "{firm}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_digest_comes_each_morning_once() {
    let site = Site::new();
    site.configure(|handling| handling.notify.digest = Some(DigestPeriod::Daily));
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    // It is noon; the next morning in Hamburg is 18 hours away.
    site.pass(SignedDuration::from_hours(17));
    until(async || running.store.tick().await == Ok(0)).await;
    assert!(
        site.subjects("team@example.de")
            .iter()
            .all(|subject| !subject.contains("Überblick"))
    );
    site.pass(SignedDuration::from_hours(1));
    site.has(
        "team@example.de",
        "Überblick: 1 neue, 0 angenommen, 0 ohne Betrieb",
    )
    .await;
    until(async || running.store.tick().await == Ok(0)).await;
    running.stop().await;
    let again = site.start();
    until(async || again.store.tick().await == Ok(0)).await;
    // No firm is left, but the operator has marked the inquiry as done.
    let declined = (0..4).map(Change::Decline);
    for change in declined.chain([Change::Mark(true)]) {
        again.store.update(inquiry.id, change).await.unwrap();
    }
    site.pass(SignedDuration::from_hours(24));
    site.has(
        "team@example.de",
        "Überblick: 0 neue, 0 angenommen, 0 ohne Betrieb",
    )
    .await;
    let subjects = site.subjects("team@example.de");
    let digests = subjects.iter().filter(|subject| subject.contains("Überblick"));
    assert_eq!(digests.count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_instances_one_sends_the_digest() {
    let site = Site::new();
    if !site.place.is_shared() {
        return;
    }
    site.configure(|handling| handling.notify.digest = Some(DigestPeriod::Daily));
    let instances: Vec<Running> = (0..4).map(|_| site.start()).collect();
    let are_idle = async || {
        for instance in &instances {
            until(async || instance.store.tick().await == Ok(0)).await;
        }
    };
    let inquiry = instances[0].insert(&site, 1).await;
    instances[0].settled(&site, &inquiry).await;
    for days in 1..=3 {
        site.pass(SignedDuration::from_hours(24));
        let digests = || {
            let subjects = site.subjects("team@example.de");
            subjects
                .iter()
                .filter(|subject| subject.contains("Überblick"))
                .count()
        };
        until(async || digests() == days).await;
        are_idle().await;
        assert_eq!(digests(), days);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn suspected_inquiries_are_told_of_at_most_once_an_hour() {
    let site = Site::new();
    let running = site.start();
    let suspect = async |number: u64| {
        let body = serde_json::json!({
            "postal_code": "20095", "property_type": "residential", "first_name": "Rob", "last_name": format!("Ot {number}"),
            "email_address": "robot@example.de", "phone_number": "+49 40 7654321",
        });
        let inquiry = NewInquiry::parse(body.to_string().as_bytes(), site.now()).unwrap();
        let inquiry = inquiry.marked(Some(Suspicion::TooQuick(400)));
        running
            .store
            .insert(inquiry, NewReferral::default(), None)
            .await
            .unwrap();
    };
    suspect(1).await;
    site.has("team@example.de", "Eine verdächtige Anfrage wartet")
        .await;
    for number in 2..6 {
        suspect(number).await;
    }
    site.pass(SignedDuration::from_mins(59));
    until(async || running.store.tick().await == Ok(0)).await;
    assert_eq!(site.mail.mails().len(), 1);
    site.pass(SignedDuration::from_mins(1));
    site.has("team@example.de", "5 verdächtige Anfragen warten").await;
    assert_eq!(site.mail.mails().len(), 2);
}

impl Running {
    async fn answers(&self, inquiry: &Inquiry) -> Vec<(String, Answer)> {
        let asked = self.record(inquiry).await.referral.asked;
        asked
            .into_iter()
            .map(|asked| (asked.firm.to_string(), asked.answer))
            .collect()
    }

    /// Applies a configuration in which these firms are paused, as SIGHUP does.
    fn follow(&self, site: &Site, paused: &[&str]) {
        let mut policy = site.handling.borrow().policy();
        let firms = policy.firms.iter().map(|firm| Firm {
            paused: paused.contains(&firm.id.as_str()),
            ..firm.clone()
        });
        policy.firms = firms.collect();
        let policy = Arc::new(policy);
        self.store.set_policy(Arc::clone(&policy)).unwrap();
        self.policy.send_replace(policy);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn inquiries_are_matched_again_when_a_pause_ends() {
    let site = Site::new();
    let running = site.start();
    let pause = Pause {
        from: None,
        until: Some(site.now() + SignedDuration::from_hours(1)),
    };
    for firm in ["nord", "sued", "west", "ost"] {
        let firm = FirmId::parse(firm).unwrap();
        assert!(running.store.pause(firm, pause).await.unwrap());
    }
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    assert!(running.answers(&inquiry).await.is_empty());
    site.pass(SignedDuration::from_hours(1));
    until(async || running.answers(&inquiry).await.len() == 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_firm_was_asked_is_passed_on_once_the_configuration_pauses_it() {
    let site = Site::new();
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    let asked = |firm: &str, answer| (firm.to_owned(), answer);
    let first = ["nord", "sued", "west"].map(|firm| asked(firm, Answer::Pending));
    assert_eq!(running.answers(&inquiry).await, first);
    running.follow(&site, &["sued"]);
    let expected = [
        asked("nord", Answer::Pending),
        asked("sued", Answer::Silent),
        asked("west", Answer::Pending),
        asked("ost", Answer::Pending),
    ];
    until(async || running.answers(&inquiry).await == expected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_firm_was_asked_is_passed_on_when_the_first_day_of_its_pause_begins() {
    let site = Site::new();
    let running = site.start();
    let from = Some(site.now() + SignedDuration::from_hours(2));
    let pause = Pause { from, until: None };
    let nord = FirmId::parse("nord").unwrap();
    assert!(running.store.pause(nord, pause).await.unwrap());
    let inquiry = running.insert(&site, 1).await;
    let first = ["nord", "sued", "west"].map(|firm| (firm.to_owned(), Answer::Pending));
    assert_eq!(running.answers(&inquiry).await, first, "it is asked until then");
    site.pass(SignedDuration::from_hours(2));
    until(async || running.answers(&inquiry).await.len() == 4).await;
    let asked = running.record(&inquiry).await.referral.asked;
    assert!(
        asked[0].was_paused() && asked[3].firm.as_str() == "ost",
        "{asked:?}"
    );
    let later = running.insert(&site, 2).await;
    assert!(
        running
            .answers(&later)
            .await
            .iter()
            .all(|(firm, _)| firm != "nord")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_login_mail_is_dropped() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let desk = "https://desk.example.de".to_owned();
    running.store.note_desk(Some(desk)).await.unwrap();
    assert!(running.store.mail_desk_link().await.unwrap());
    let notice = async || {
        let find = |found: &mut Option<InquiryRecord>, record| *found = Some(record);
        running
            .store
            .fold(TimeRange::default(), None, find)
            .await
            .unwrap()
    };
    until(async || {
        let notice = notice().await.unwrap();
        notice.referral.deliveries[0].attempts == 1
    })
    .await;
    site.mail.recover();
    site.pass(SignedDuration::from_mins(10));
    // There is nothing left to mail, so the notice is dropped.
    until(async || notice().await.is_none()).await;
    assert!(site.mail.mails().is_empty());
}
