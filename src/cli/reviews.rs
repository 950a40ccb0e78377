//! `taubenabwehr reviews`: what visitors say of firms, and what of it stands on the home page.

use super::CliError;
use super::named::refused;
use super::output::{Cell, List, ListEntry, say};
use crate::base::text::mail_address::one_line;
use crate::config::args::{JudgedReview, ReviewsAction, ReviewsArgs};
use crate::control::Caller;
use crate::domain::referral::{FoundReview, ReviewId, ReviewName, Verdict};
use crate::operate::calls::{JudgeReview, ListReviews};
use crate::operate::view::{ListedReview, harmless};

/// Lists reviews, publishes one, or rejects one.
///
/// # Errors
/// When that was not done.
pub fn run(args: &ReviewsArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data.location)?;
    let reviews = caller.call(ListReviews {})?;
    let (review, verdict, done) = match &args.action {
        None => return list(args, &reviews),
        Some(ReviewsAction::Publish(review)) => (review, Verdict::Publish, "published"),
        Some(ReviewsAction::Reject(review)) => (review, Verdict::Reject, "rejected"),
    };
    let JudgedReview { id: name, written_at } = review;
    let id = only(name, &reviews)?;
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
    let mut list = List::begin(args.json.json)?;
    for found in reviews {
        if found.review.is_waiting() || !args.waiting {
            list.add(&ListedReview::from(found))?;
        }
    }
    Ok(list.finish()?)
}

/// Returns the review that a name is of.
fn only<'a>(name: &ReviewName, reviews: &'a [FoundReview]) -> Result<&'a ReviewId, CliError> {
    let ids = reviews.iter().map(|found| &found.id);
    let ids: Vec<_> = ids.filter(|id| name.is_of(id)).collect();
    match ids[..] {
        [id] => Ok(id),
        [] => Err(format!("there is no review {name}; `taubenabwehr reviews` shows the ids").into()),
        _ => {
            let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
            let ids = ids.join(", ");
            Err(format!("{name} is more than one review: {ids}; name one by its whole id").into())
        }
    }
}

impl ListEntry for ListedReview {
    fn row(&self) -> Vec<Cell> {
        let review = &self.review;
        let consent = if review.consent { "yes" } else { "no" };
        vec![
            ("ID", 48, self.id.clone()),
            ("WRITTEN", 29, review.written_at.to_string()),
            ("STATE", 9, review.state.id().to_owned()),
            ("CONSENT", 7, consent.to_owned()),
            ("STARS", 5, review.stars.to_string()),
            ("NAME", 14, harmless(&review.name)),
            ("TEXT", 0, one_line(&review.text)),
        ]
    }
}
