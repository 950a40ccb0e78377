//! `taubenabwehr reviews`: lists visitors' reviews of firms, and publishes or rejects them.

use serde_json::Value;

use super::CliError;
use super::named::{only, refused};
use super::output::{Column, List, is, say, text, time};
use crate::base::text::mail_address::one_line;
use crate::config::args::{JudgedReview, ReviewsAction, ReviewsArgs};
use crate::control::Caller;
use crate::domain::referral::{FoundReview, Verdict};
use crate::operate::calls::{JudgeReview, ListReviews};
use crate::operate::view::listed_review;

/// The columns of the list.
const COLUMNS: [Column; 7] = [
    ("ID", 48, |listed| text(listed, "id")),
    ("WRITTEN", 29, |listed| time(listed, "written_at")),
    ("STATE", 9, |listed| text(listed, "state")),
    ("CONSENT", 7, consent),
    ("STARS", 5, |listed| text(listed, "stars")),
    ("NAME", 14, |listed| text(listed, "name")),
    ("TEXT", 0, said),
];

fn consent(listed: &Value) -> String {
    if is(listed, "consent") { "yes" } else { "no" }.to_owned()
}

fn said(listed: &Value) -> String {
    one_line(listed.get("text").and_then(Value::as_str).unwrap_or_default())
}

/// Lists reviews, or publishes or rejects one.
///
/// # Errors
/// When the reviews cannot be read or changed, or the output not written.
pub fn run(args: &ReviewsArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data.location)?;
    let reviews = caller.call(ListReviews {})?;
    let (review, verdict, done) = match &args.action {
        None => return list(args, &reviews),
        Some(ReviewsAction::Publish(review)) => (review, Verdict::Publish, "published"),
        Some(ReviewsAction::Reject(review)) => (review, Verdict::Reject, "rejected"),
    };
    let JudgedReview { id: name, written_at } = review;
    let ids = reviews.iter().map(|found| &found.id);
    let none = || format!("there is no review {name}; `taubenabwehr reviews` shows the ids").into();
    let id = only(ids.filter(|id| name.is_of(id)).collect(), none, || {
        format!("{name} is more than one review")
    })?;
    let judged = caller.call(JudgeReview {
        id: id.clone(),
        verdict,
        read: *written_at,
    });
    judged.map_err(|error| refused(error, "reviews"))?;
    say(format!("{id} {done}\n"));
    Ok(())
}

fn list(args: &ReviewsArgs, reviews: &[FoundReview]) -> Result<(), CliError> {
    let mut list = List::begin(args.json.json, &COLUMNS)?;
    for found in reviews {
        if found.review.is_waiting() || !args.waiting {
            list.add(&listed_review(found))?;
        }
    }
    Ok(list.finish()?)
}
