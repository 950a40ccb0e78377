//! The list of inquiries, newest first, with pending tasks above it.

use hyper::Response;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::Work;
use super::answer::{FIRST, XLSX, address, broken};
use crate::base::text::berlin;
use crate::domain::inquiry::Search;
use crate::domain::referral::{DeliveryState, InquiryRecord, State};
use crate::operate::CallError;
use crate::operate::doctor;
use crate::operate::export::InquiryWorkbook;
use crate::operate::view::{InquiryFilter, extended, listed};
use crate::site::http::response::Body;
use crate::site::templates::DeskPage;
use crate::web::api_error::ApiError;
use crate::web::posted::Fields;

/// Inquiries per page.
const PAGE: usize = 50;

/// Number of newest inquiries that are searched for pending tasks. More would take too long to load, and older inquiries hardly
/// ever need the operator.
const SCANNED: usize = 10_000;

/// Filter for inquiries with a failed mail or webhook, which is not a state.
const FAILED: &str = "failed";

/// Filter for inquiries that are done, which is not a state.
const DONE: &str = "done";

/// Pending tasks.
#[derive(Default, Serialize)]
struct ToDo {
    suspected: u64,
    unmatched: u64,
    /// Mails and webhooks that were given up.
    failed: u64,
    /// Mails and webhooks that have been held since the store was restored.
    held: u64,
    /// Reviews that can be published.
    reviews: u64,
    /// Firms whose check has expired or expires soon.
    checks: Vec<Value>,
}

impl ToDo {
    fn of(work: &Work) -> Self {
        let today = berlin::day(Timestamp::now());
        let ending = doctor::ending_checks(work.firms(), today);
        let checks = ending.map(|(firm, last_day)| json!({ "name": firm.name, "last_day": last_day }));
        Self {
            checks: checks.collect(),
            ..Self::default()
        }
    }

    fn add(&mut self, record: &InquiryRecord) {
        let referral = &record.referral;
        if referral.is_done() {
            return;
        }
        let state = referral.state();
        self.suspected += u64::from(state == State::Suspected);
        self.unmatched += u64::from(state == State::Unmatched);
        self.failed += referral.count(DeliveryState::is_failed) as u64;
        self.held += referral.count(DeliveryState::is_held) as u64;
        let reviews = referral.reviews();
        self.reviews += reviews
            .filter(|review| review.is_waiting() && review.has_consent)
            .count() as u64;
    }

    fn is_empty(&self) -> bool {
        self.suspected + self.unmatched + self.failed + self.held + self.reviews == 0
            && self.checks.is_empty()
    }
}

/// A page of the list.
#[derive(Default)]
struct Listing {
    rows: Vec<(Uuid, Value)>,
    /// Whether older inquiries follow.
    has_more: bool,
    /// Inquiries that were looked at.
    seen: usize,
    /// Pending tasks, if they are shown.
    to_do: Option<ToDo>,
}

impl Listing {
    /// Adds the next older inquiry; returns whether more are needed.
    fn add(&mut self, record: &InquiryRecord, takes: impl Fn(&InquiryRecord) -> bool) -> bool {
        self.seen += 1;
        if takes(record) {
            self.has_more = self.rows.len() == PAGE;
            if !self.has_more {
                let inquiry = record.inquiry.as_ref();
                let more = json!({
                    "phone_number": inquiry.map(|inquiry| inquiry.answers.phone_number.as_str()),
                    "photos": record.referral.photo_numbers().len(),
                });
                self.rows.push((record.id, extended(listed(record), more)));
            }
        }
        match &mut self.to_do {
            Some(to_do) if self.seen <= SCANNED => to_do.add(record),
            _ => return !self.has_more,
        }
        true
    }
}

/// The filter of a query: whether the list has an inquiry.
fn filter(query: &Fields) -> impl Fn(&InquiryRecord) -> bool + Send + use<> {
    let state = query.value("state");
    let filter = InquiryFilter {
        state: State::ALL.iter().copied().find(|known| Some(known.id()) == state),
        search: query.parsed::<Search>("search"),
    };
    let (only_failed, only_done) = (state == Some(FAILED), state == Some(DONE));
    // The lists that the tasks link to leave out what is done, like their counts.
    let only_open = query.value("open").is_some();
    move |record| {
        let is_done = record.referral.is_done();
        filter.takes(record)
            && (!only_done || is_done)
            && !(only_open && is_done)
            && (!only_failed || record.referral.count(DeliveryState::is_failed) > 0)
    }
}

/// Sends the inquiries of the list as a workbook, newest first.
///
/// # Errors
/// When the inquiries cannot be read, or the workbook cannot be written.
pub async fn written(work: &Work, query: &Fields) -> Result<Response<Body>, ApiError> {
    let takes = filter(query);
    let acceptances = work.store().all_acceptances().await?;
    let workbook = InquiryWorkbook::new(None, acceptances).map_err(broken)?;
    let add = move |(workbook, end): &mut (InquiryWorkbook, Result<(), CallError>), record| {
        if takes(&record) {
            *end = workbook.write(&record);
        }
        end.is_ok()
    };
    let (workbook, end) = work.store().fold_newest(None, (workbook, Ok(())), add).await?;
    end.map_err(broken)?;
    // Compressing many takes a while.
    let finished = spawn_blocking(|| workbook.finish()).await;
    let finished = finished.map_err(broken)?.map_err(broken)?;
    let name = format!("anfragen-{}.xlsx", berlin::day(Timestamp::now()));
    Ok(work.file(XLSX, Some(name), finished))
}

/// Shows the list.
///
/// # Errors
/// When the inquiries cannot be read.
pub async fn show(work: &Work, query: &Fields) -> Result<Response<Body>, ApiError> {
    let [state, search, open] = ["state", "search", "open"].map(|name| query.value(name));
    let takes = filter(query);
    let before: Option<Uuid> = query.parsed("before");
    // Tasks are shown only on the first page, without a filter.
    let is_first = before.is_none() && state.is_none() && search.is_none();
    let listing = Listing {
        to_do: is_first.then(|| ToDo::of(work)),
        ..Listing::default()
    };
    let add = move |listing: &mut Listing, record| listing.add(&record, &takes);
    let Listing {
        rows,
        has_more,
        seen,
        to_do,
    } = work.store().fold_newest(before, listing, add).await?;
    let link = |path: &str, before: Option<&str>| {
        let query = [
            ("state", state),
            ("search", search),
            ("open", open),
            ("before", before),
        ]
        .into_iter();
        address(path, query.filter_map(|(name, value)| Some((name, value?))))
    };
    let workbook = link("/posteingang.xlsx", None);
    let next = rows.last().filter(|_| has_more);
    let next = next.map(|(id, _)| link(FIRST, Some(&id.to_string())));
    let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
    Ok(work.page(
        DeskPage::Inbox,
        &json!({
            "state": state,
            "search": search,
            "open": open,
            "is_first": is_first,
            "is_older": before.is_some(),
            "nothing_to_do": to_do.as_ref().is_some_and(ToDo::is_empty),
            "to_do": to_do,
            "is_bounded": seen > SCANNED,
            "rows": rows,
            "next": next,
            "workbook": workbook,
            "notice": query.value("notice"),
        }),
    ))
}
