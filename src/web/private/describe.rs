//! The data of private pages, limited to what each reader may see.

use jiff::Timestamp;

use crate::base::text::berlin;
use crate::domain::commission::{Euro, Percent, Terms};
use crate::domain::inquiry::consent_wording;
use crate::domain::ledger::{Acceptance, CHANGEABLE};
use crate::domain::matching::Firm;
use crate::domain::referral::{
    Answer, Asked, HandlingPolicy, InquiryRecord, MAX_PHOTOS, PhotoList, PhotoSize, Referral, Status,
    suggested_name,
};
use crate::site::private_path::PrivatePath;
use crate::site::templates::context::{
    FirmPage, FirmState, OutcomeContext, OutcomeState, ReviewContext, VisitorPage, VisitorState,
    checked_firm, inquiry_reference, inquiry_with_person, inquiry_without_person, photo,
};
use crate::site::templates::{Value, context, german_cost, german_day, german_time};

/// The page of an inquiry for its visitor.
pub fn visitor(
    record: &InquiryRecord,
    acceptances: &[Acceptance],
    policy: &HandlingPolicy,
    token: &str,
    now: Timestamp,
) -> VisitorPage {
    let today = berlin::day(now);
    let referral = &record.referral;
    let state = visitor_state(referral, policy);
    let inquiry = record.inquiry.as_ref();
    let inquiry = inquiry.filter(|_| state != VisitorState::Withdrawn);
    let mut asked: Vec<_> = referral.reached().collect();
    // The ones to call come first.
    asked.sort_by_key(|asked| !matches!(asked.answer, Answer::Accepted(_)));
    let firms: Vec<_> = asked
        .into_iter()
        .map(|asked| checked_firm(asked, &policy.firms, today))
        .collect();
    let photo_room = referral.photos.as_ref().map_or(MAX_PHOTOS, PhotoList::room);
    // The earliest deadline counts, since another firm is asked after it.
    let pending = referral
        .asked
        .iter()
        .filter(|asked| asked.answer == Answer::Pending);
    let link = PrivatePath::Visitor(token).path();
    let addition = inquiry.map_or("", |_| &referral.addition);
    let page = VisitorPage {
        inquiry: inquiry.map_or_else(
            || reference(record),
            |inquiry| inquiry_without_person(inquiry, addition),
        ),
        reviews: inquiry.map_or_else(Vec::new, |inquiry| {
            reviews(referral, acceptances, &suggested_name(&inquiry.answers), now)
        }),
        state,
        asked_count: firms.len(),
        accepted_count: referral.accepted(),
        firms,
        answer_until: pending.map(|asked| asked.until).min().map(german_time),
        photos: photos(referral, |number, size| {
            PrivatePath::VisitorPhoto(token, number, size)
        }),
        has_consent: referral.consent.is_some(),
        calls_revoked: calls_revoked(referral),
        photo_room,
        photo_action: PrivatePath::Photos(token).path(),
        sends_photos: photo_room > 0 && state != VisitorState::Withdrawn,
        action: link.clone(),
        link,
        ..VisitorPage::default()
    };
    page.with_additions(addition)
}

/// Review forms for the firms that have accepted, prefilled with `name`. Without a review, a form opens once there can be work.
fn reviews(
    referral: &Referral,
    acceptances: &[Acceptance],
    name: &str,
    now: Timestamp,
) -> Vec<ReviewContext> {
    let accepted = referral.asked.iter().filter(|asked| asked.answer.is_accepted());
    let forms = accepted.zip(1..).map(|(asked, number)| {
        let review = asked.review.as_ref();
        let mut form = ReviewContext::new(&asked.firm, asked.accepted_name(), number, review, name);
        let mut acceptances = acceptances.iter();
        let acceptance = acceptances.find(|acceptance| acceptance.firm == asked.firm);
        let closed = acceptance.filter(|acceptance| review.is_none() && !acceptance.is_reviewable(now));
        form.opens = closed.map(|acceptance| german_time(acceptance.reviewable_from()));
        form
    });
    forms.collect()
}

/// The confirmation question before a withdrawal.
pub fn withdrawal(record: &InquiryRecord, token: &str) -> Value {
    context! {
        inquiry => reference(record),
        asked_count => record.referral.reached().count(),
        link => PrivatePath::Visitor(token).path(),
        action => PrivatePath::Withdrawal(token).path(),
    }
}

/// The page of an inquiry for a firm that was asked. Only a firm that has accepted sees who sent it.
pub fn firm(record: &InquiryRecord, asked: &Asked, policy: &HandlingPolicy, token: &str) -> FirmPage {
    let referral = &record.referral;
    let terms = Firm::find(&policy.firms, &asked.firm).and_then(|firm| firm.commission);
    let state = firm_state(referral, asked, policy);
    let addition = &referral.addition;
    let inquiry = match (&record.inquiry, state) {
        (Some(inquiry), FirmState::Accepted) => inquiry_with_person(inquiry, addition),
        (Some(inquiry), FirmState::Open | FirmState::PassedOver) => inquiry_without_person(inquiry, addition),
        _ => reference(record),
    };
    let consent = referral.consent.filter(|_| state == FirmState::Accepted);
    let consent = consent.and_then(consent_wording);
    let shown = if shows_photos(state) {
        photos(referral, |number, size| {
            PrivatePath::FirmPhoto(token, number, size)
        })
    } else {
        Vec::new()
    };
    FirmPage {
        photos: shown,
        inquiry,
        state,
        // This page's reader is one of the firms asked.
        asked_count: referral.reached().count().max(1),
        offers: policy.offers,
        answer_until: german_time(asked.until),
        cost: terms.map(|terms| german_cost(&terms, policy.vat)),
        price: terms.and_then(|terms| price(terms, policy.vat)),
        consent: consent.map(|wording| context! { wording, at => german_time(record.created_at()) }),
        calls_revoked: calls_revoked(referral).filter(|_| state == FirmState::Accepted),
        action: PrivatePath::Firm(token).path(),
        ..FirmPage::default()
    }
}

/// Since when nobody may call the visitor any more.
fn calls_revoked(referral: &Referral) -> Option<String> {
    referral.calls_revoked.map(|revoked| german_time(revoked.at))
}

/// The price of accepting as shown on the button. `None` if accepting is free.
fn price(terms: Terms, vat: Percent) -> Option<String> {
    let net = if vat == Percent::ZERO { "" } else { " netto" };
    (terms.per_acceptance != Euro::ZERO).then(|| format!("{} €{net}", terms.per_acceptance.german()))
}

/// The page of an erased inquiry for a firm that had accepted it.
pub fn erased(acceptance: &Acceptance, token: &str) -> FirmPage {
    FirmPage {
        inquiry: inquiry_reference(acceptance.inquiry, acceptance.at),
        state: FirmState::Erased,
        action: PrivatePath::Firm(token).path(),
        ..FirmPage::default()
    }
}

/// The form for a firm's outcome of an inquiry.
pub fn outcome(acceptance: &Acceptance, now: Timestamp, vat: Percent) -> OutcomeContext {
    let until = acceptance.at.saturating_add(CHANGEABLE).unwrap_or(acceptance.at);
    let reported = acceptance.reported();
    let credit = acceptance.credit.as_ref();
    OutcomeContext {
        state: if acceptance.is_changeable(now) {
            OutcomeState::Open
        } else {
            OutcomeState::Over
        },
        chosen: reported.id().to_owned(),
        net_sum: reported.net_sum().map(Euro::german).unwrap_or_default(),
        cost: (!acceptance.terms.is_free()).then(|| german_cost(&acceptance.terms, vat)),
        credit: credit.map(|credit| context! { reason => credit.reason.as_str() }),
        until: german_day(berlin::day(until)),
        error: None,
        is_refused: false,
        is_saved: false,
    }
}

fn visitor_state(referral: &Referral, policy: &HandlingPolicy) -> VisitorState {
    let waits = referral.asked.iter().any(|asked| asked.answer == Answer::Pending);
    match referral.status {
        Status::Withdrawn(_) | Status::Erased(_) | Status::Notice(_) => VisitorState::Withdrawn,
        Status::Active | Status::Released(_) if referral.is_unmatched && !waits => VisitorState::Nobody,
        _ if policy.firms.is_empty() && referral.asked.is_empty() => VisitorState::ByHand,
        // The page does not reveal to a robot that it was recognised.
        Status::Active | Status::Quarantined(_) | Status::Released(_) => VisitorState::Running,
    }
}

/// The state of an inquiry for a firm that was asked.
fn firm_state(referral: &Referral, asked: &Asked, policy: &HandlingPolicy) -> FirmState {
    match referral.status {
        Status::Erased(_) if asked.answer.is_accepted() => return FirmState::Erased,
        Status::Withdrawn(_) | Status::Erased(_) => return FirmState::Withdrawn,
        _ => {}
    }
    // The operator no longer works with this firm.
    let is_gone = Firm::find(&policy.firms, &asked.firm).is_none();
    match asked.answer {
        Answer::Accepted(_) => FirmState::Accepted,
        Answer::Declined(_) => FirmState::Declined,
        _ if is_gone => FirmState::Gone,
        _ if !referral.has_free_place(policy) => FirmState::Full,
        Answer::Pending => FirmState::Open,
        Answer::Silent | Answer::Unreachable => FirmState::PassedOver,
    }
}

/// Whether a firm may see photos: while it can answer, so that it can judge the job without a visit, and once it has accepted.
pub fn shows_photos(state: FirmState) -> bool {
    matches!(state, FirmState::Open | FirmState::Accepted)
}

fn photos<'a>(referral: &Referral, path: impl Fn(u16, PhotoSize) -> PrivatePath<'a>) -> Vec<Value> {
    let numbers = referral.photo_numbers().iter().zip(1..);
    let photos = numbers.map(|(number, place)| {
        let path = |size| path(*number, size).path();
        photo(place, path(PhotoSize::Large), path(PhotoSize::Small))
    });
    photos.collect()
}

/// Identifies an inquiry without any of its content.
fn reference(record: &InquiryRecord) -> Value {
    inquiry_reference(record.id, record.created_at())
}
