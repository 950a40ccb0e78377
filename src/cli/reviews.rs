//! `taubenabwehr reviews`: lists visitors' reviews of firms, and publishes or rejects them.

use super::CliError;
use super::named::{only, refused};
use super::output::{self, Column, either, say, text, time};
use crate::base::text::mail_address::one_line;
use crate::config::args::{JudgedReview, ReviewsAction, ReviewsArgs};
use crate::control::Caller;
use crate::domain::referral::Verdict;
use crate::operate::calls::{JudgeReview, ListReviews};
use crate::operate::export::cell;
use crate::operate::view::listed_review;

const COLUMNS: [Column; 7] = [
    ("ID", 48, |listed| text(listed, "id")),
    ("WRITTEN", 29, |listed| time(listed, "written_at")),
    ("STATE", 9, |listed| text(listed, "state")),
    ("CONSENT", 7, |listed| either(listed, "consent", "yes", "no")),
    ("STARS", 5, |listed| text(listed, "stars")),
    ("NAME", 14, |listed| text(listed, "name")),
    ("TEXT", 0, |listed| one_line(cell(listed, "text"))),
];

/// Lists reviews, or publishes or rejects one.
///
/// # Errors
/// When the reviews cannot be read or changed, or the output cannot be written.
pub fn run(args: &ReviewsArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data)?;
    let reviews = caller.call(ListReviews {})?;
    let (review, verdict, done) = match &args.action {
        None => {
            let list = output::list(args.json.json, &COLUMNS)?;
            let shown = reviews
                .iter()
                .filter(|found| found.review.is_waiting() || !args.waiting);
            return Ok(list.complete(shown.map(listed_review))?);
        }
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
