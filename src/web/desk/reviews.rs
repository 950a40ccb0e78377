//! Visitors' reviews of firms, and their publication on the home page.

use hyper::Response;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::Work;
use crate::domain::referral::{FoundReview, Verdict};
use crate::operate::Call;
use crate::operate::calls::JudgeReview;
use crate::operate::view::listed_review;
use crate::site::http::response::Body;
use crate::site::templates::DeskPage;
use crate::web::api_error::ApiError;
use crate::web::posted::Fields;

/// Path of the list.
const PATH: &str = "/bewertungen";

/// Lists reviews, newest first, with undecided ones before the others.
///
/// # Errors
/// When they cannot be read.
pub async fn show(work: &Work, query: &Fields) -> Result<Response<Body>, ApiError> {
    let mut found = work.store().reviews().await?;
    found.reverse();
    let (waiting, judged): (Vec<_>, Vec<_>) = found.iter().partition(|found| found.review.is_waiting());
    let data = json!({
        "waiting": views(&waiting),
        "judged": views(&judged),
        "notice": query.value("notice"),
    });
    Ok(work.page(DeskPage::Reviews, &data))
}

fn views(found: &[&FoundReview]) -> Value {
    found.iter().copied().map(listed_review).collect()
}

/// Publishes or rejects a review. ///
/// # Errors
/// When there is no such review, it has changed since the operator read it, or the verdict was refused.
pub async fn judge(
    work: &Work,
    id: &str,
    verdict: Verdict,
    sent: &Fields,
) -> Result<Response<Body>, ApiError> {
    let found = work.store().reviews().await?;
    let mut ids = found.into_iter().map(|found| found.id);
    let id = ids
        .find(|known| known.to_string() == id)
        .ok_or_else(ApiError::not_found)?;
    // An invalid time counts as outdated: no review is that old.
    let read = sent
        .value("written_at")
        .map(|read| read.parse().unwrap_or(Timestamp::MIN));
    let call = JudgeReview {
        id: id.clone(),
        verdict,
        read,
    };
    call.run(work.operations()).await?;
    let notice = match verdict {
        Verdict::Publish => "published",
        Verdict::Reject => "rejected",
    };
    tracing::info!(inquiry = %id.inquiry, firm = %id.firm, "a review was {notice} at the desk");
    Ok(work.see(PATH, [("notice", notice)]))
}
