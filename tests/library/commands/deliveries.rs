//! Commands about pending mails and webhooks.

use jiff::SignedDuration;

use super::*;

#[test]
fn deliveries_that_failed_are_listed_and_tried_again() {
    let (place, ids) = Place::filled();
    let failed = place.json(&["deliveries", "--failed", "--json"]);
    assert_eq!(failed.as_array().unwrap().len(), 2, "{failed}");
    let first = &failed[0];
    assert_eq!(first["inquiry"], ids.accepted.to_string());
    assert_eq!(
        (&first["kind"], &first["recipient"]),
        (&json!("operator-new"), &json!("operator"))
    );
    assert_eq!(
        (&first["state"], &first["attempts"]),
        (&json!("failed"), &json!(1))
    );
    let all = place.json(&["deliveries", "--json"]);
    let kinds: Vec<_> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "operator-new",
            "operator-new",
            "firm-withdrawn",
            "operator-withdrawn",
            "newsletter-confirm"
        ],
        "{all}"
    );
    assert!(place.read(&["deliveries"]).contains("550 no such mailbox"));

    each_way(|place, ids| {
        let one = format!("{}-0", ids.declined).to_uppercase();
        assert_eq!(
            success(&place.run(&["deliveries", "retry", &one])),
            "1 delivery will be tried again\n"
        );
        assert!(failure(&place.run(&["deliveries", "retry", &one])).contains("no such delivery"));
        assert_eq!(
            success(&place.run(&["deliveries", "retry"])),
            "1 delivery will be tried again\n"
        );
        assert_eq!(
            success(&place.run(&["deliveries", "retry"])),
            "0 deliveries will be tried again\n"
        );
        assert_eq!(success(&place.run(&["deliveries", "--failed", "--json"])), "[]\n");
    });
}

#[test]
fn mails_of_the_newsletter_are_deliveries_without_an_inquiry() {
    each_way(|place, _| {
        let listed = |flags: &[&str]| -> Value {
            let args = [&["deliveries", "--json"], flags].concat();
            let all: Value = serde_json::from_str(&success(&place.run(&args))).unwrap();
            let mut all = all.as_array().unwrap().iter();
            let found = all.find(|one| one["kind"] == "newsletter-confirm");
            found.cloned().unwrap_or_default()
        };
        let waiting = listed(&[]);
        assert_eq!(
            (&waiting["inquiry"], &waiting["recipient"], &waiting["state"]),
            (&Value::Null, &json!("subscriber"), &json!("waiting"))
        );
        assert_eq!(listed(&["--failed"]), Value::Null);
        // It is already due, so a retry is refused.
        let id = waiting["id"].as_str().unwrap();
        let refused = failure(&place.run(&["deliveries", "retry", id]));
        assert!(refused.contains("no such"), "{refused}");
    });
    let (place, _) = Place::filled();
    place.runtime.block_on(async {
        let store = place.place.open().await;
        for claim in store.lease(Lane::Mail, 100).await.unwrap().claims {
            let failed = Err(Failure {
                reason: "550 no such mailbox".to_owned(),
                certainty: DeliveryCertainty::NotTaken,
                retry_at: None,
                refused: None,
            });
            store.settle(&claim, failed).await.unwrap();
        }
        assert!(store.close(Duration::from_secs(10)).await);
    });
    let all = place.json(&["deliveries", "--json", "--failed"]);
    let found = all.as_array().unwrap().last().unwrap();
    assert_eq!(found["kind"], "newsletter-confirm");
    let id = found["id"].as_str().unwrap();
    let one = "1 delivery will be tried again\n";
    assert_eq!(success(&place.run(&["deliveries", "retry", id])), one);
    let server = place.serve();
    let rest = all.as_array().unwrap().len() - 1;
    let retried = success(&place.run(&["deliveries", "retry"]));
    assert_eq!(retried, format!("{rest} deliveries will be tried again\n"));
    server.stop();
}

#[test]
fn what_waits_for_later_is_tried_now_and_counted() {
    let retried = |place: &Place| {
        let retry = || success(&place.run(&["deliveries", "retry"]));
        // Two mails to the operator have failed; two about a withdrawal and one about the newsletter are waiting.
        assert_eq!(retry(), "5 deliveries will be tried again\n");
        assert_eq!(retry(), "0 deliveries will be tried again\n");
    };
    let (alone, _) = with_mails_that_wait();
    retried(&alone);
    let due = alone.runtime.block_on(async {
        let store = alone.place.open().await;
        store.lease(Lane::Mail, 100).await.unwrap().claims.len()
    });
    assert_eq!(due, 5);
    let (place, _) = with_mails_that_wait();
    let server = place.serve();
    retried(&place);
    server.stop();
}

#[test]
fn all_deliveries_of_an_inquiry_are_tried_by_its_name() {
    let check = |place: &Place, ids: &Ids| {
        let retry = |name: &str| place.run(&["deliveries", "retry", name]);
        // The firm and the operator are notified of the withdrawal.
        let reference = ids.withdrawn.to_string().split_off(24);
        assert_eq!(success(&retry(&reference)), "2 deliveries will be tried again\n");
        assert!(failure(&retry(&reference)).contains("no such delivery"));
        assert_eq!(
            success(&retry(&ids.declined.to_string().to_uppercase())),
            "1 delivery will be tried again\n"
        );
        for unknown in ["0123456789ab", "019a3c5e-7b1c-7def-8000-000000000002"] {
            assert!(failure(&retry(unknown)).contains("there is no"), "{unknown}");
        }
    };
    let (alone, ids) = with_mails_that_wait();
    check(&alone, &ids);
    let (place, ids) = with_mails_that_wait();
    let server = place.serve();
    check(&place, &ids);
    server.stop();
}

/// A filled place whose mail server was unreachable: everything that was due is retried in an hour.
fn with_mails_that_wait() -> (Place, Ids) {
    let (place, ids) = Place::filled();
    place.runtime.block_on(async {
        let store = place.place.open().await;
        for claim in store.lease(Lane::Mail, 100).await.unwrap().claims {
            let later = Err(Failure {
                reason: "no connection".to_owned(),
                certainty: DeliveryCertainty::NotTaken,
                retry_at: Some(Timestamp::now() + SignedDuration::from_hours(1)),
                refused: None,
            });
            store.settle(&claim, later).await.unwrap();
        }
        assert!(store.close(Duration::from_secs(10)).await);
    });
    (place, ids)
}
