//! The desk's pages other than those of inquiries. Each shows what a command prints.

use hyper::{Response, StatusCode};
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use uuid::Uuid;

use super::answer::{CHANGED, FIRST, XLSX, broken, known, unchanged};
use super::session::HEALTH;
use super::{Work, inbox, inquiry, parsed};
use crate::base::text::berlin;
use crate::config::args::{parse_bound, parse_end, parse_first_day};
use crate::config::{Config, ConfigFile};
use crate::domain::inquiry::FieldDigest;
use crate::domain::ledger::Month;
use crate::domain::matching::{Firm, FirmId, Pause, PostalPrefix};
use crate::domain::referral::{InquiryRecord, Pausing};
use crate::operate::doctor::{self, Finding, wrong_settings};
use crate::operate::report;
use crate::operate::statement::{csv, firms, page as statement_page, workbook};
use crate::operate::view::{self, extended};
use crate::site::http::response::Body;
use crate::site::templates::{DeskPage, german_cost, german_month};
use crate::store::TimeRange;
use crate::web::api_error::ApiError;
use crate::web::posted::Fields;

/// Media types of the output of commands.
const CSV: &str = "text/csv; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

/// Shows a page.
///
/// # Errors
/// When there is no such page, or the store does not answer.
pub async fn show(work: &Work, path: &[&str], query: &Fields) -> Result<Response<Body>, ApiError> {
    match *path {
        ["bericht", "ansehen"] => written_report(work, query).await,
        _ if path == HEALTH => Ok(work.page(DeskPage::Health, &json!({ "findings": findings(work).await }))),
        [""] => Ok(work.see(FIRST, [])),
        ["posteingang"] => inbox::show(work, query).await,
        ["posteingang.xlsx"] => inbox::written(work, query).await,
        ["neue-anfrage"] => Ok(inquiry::show_new(work, query, None)),
        ["anfragen", id] => inquiry::show(work, parsed(id)?, DeskPage::Inquiry, query, None).await,
        ["anfragen", id, "loeschen"] => inquiry::show(work, parsed(id)?, DeskPage::Erase, query, None).await,
        ["anfragen", id, "person"] => inquiry::show_person(work, id).await,
        ["anfragen", id, "foto", number] => inquiry::photo(work, id, number).await,
        ["betriebe"] => show_firms(work, query).await,
        ["betriebe", firm, "pause"] => ask_pause(work, firm, query).await,
        ["abrechnung"] => show_statement(work, query).await,
        ["abrechnung", month, "abschliessen"] => {
            let data = statement_data(work, parsed(month)?, None).await?;
            let read = json!({ "read": query.value("read").unwrap_or_default() });
            Ok(work.page(DeskPage::Close, &extended(data, read)))
        }
        ["abrechnung", file] => written_statement(work, file, query).await,
        ["bewertungen"] => show_reviews(work, query).await,
        ["bericht"] => Ok(work.page(DeskPage::Report, &periods(query))),
        _ => Err(ApiError::not_found()),
    }
}

/// Shows all firms with their configuration.
async fn show_firms(work: &Work, query: &Fields) -> Result<Response<Body>, ApiError> {
    let facts = work.store().facts().await?;
    let figures = work.operations().firm_figures(period(query)?).await?;
    let rows = view::firms(figures, &facts, work.firms()).map(|row| {
        let id = row.get("firm").and_then(Value::as_str).unwrap_or_default();
        let known = work.firms().iter().find(|firm| firm.id.as_str() == id);
        let area = known.map(|firm| firm.postal_codes.iter().map(PostalPrefix::as_str));
        let more = json!({
            "name": work.name_of(id),
            "is_known": known.is_some(),
            "is_fixed": known.is_some_and(|firm| firm.paused),
            "phone": known.and_then(|firm| firm.phone.as_deref()),
            "email": known.map(|firm| &firm.email),
            "area": area.map(|area| area.collect::<Vec<_>>().join(", ")),
            "price": known.and_then(|firm| firm.commission).map(|terms| german_cost(&terms, work.policy.vat)),
            "per_week": known.and_then(|firm| firm.per_week),
        });
        extended(row, more)
    });
    let rows: Vec<_> = rows.collect();
    let name = query.value("name").map(|id| work.name_of(id));
    let data = json!({
        "rows": rows,
        "notice": query.value("notice"),
        "name": name,
        "from": query.value("from"),
        "today": berlin::day(Timestamp::now()).to_string(),
        "passed_on": query.parsed::<u64>("passed_on"),
    });
    Ok(work.page(DeskPage::Firms, &extended(data, periods(query))))
}

/// Shows the confirmation before a firm is paused.
async fn ask_pause(work: &Work, firm: &str, query: &Fields) -> Result<Response<Body>, ApiError> {
    let firm = FirmId::parse(firm)
        .ok()
        .filter(|firm| Firm::find(work.firms(), firm).is_some());
    let firm = firm.ok_or_else(ApiError::not_found)?;
    let pause = requested_pause(query)?;
    let asked = firm.clone();
    let count = move |open: &mut u64, record: InquiryRecord| {
        *open += u64::from(record.waits_for(&asked, Pausing::Begins));
    };
    let open = work.store().fold(TimeRange::default(), 0, count).await?;
    let data = json!({
        "id": firm,
        "name": work.name_of(firm.as_str()),
        "until": pause.until.map(|until| until.to_string()),
        "until_day": query.value("until"),
        "is_later": !pause.holds(Timestamp::now()),
        "from_day": query.value("from"),
        "open": open,
    });
    Ok(work.page(DeskPage::Pause, &data))
}

/// The requested pause.
///
/// # Errors
/// When a day is invalid, or the last one is in the past or before the first one.
pub fn requested_pause(sent: &Fields) -> Result<Pause, ApiError> {
    let from = sent.value("from").map(parse_first_day).transpose();
    let from = from.map_err(|_| unchanged("Das ist kein Tag, an dem eine Pause beginnen kann."))?;
    let until = sent.value("until").map(parse_end).transpose();
    let until = until.map_err(|_| unchanged("Das ist kein Tag, bis zu dem eine Pause dauern kann."))?;
    if from.zip(until).is_some_and(|(from, until)| from >= until) {
        return Err(unchanged("Der letzte Tag der Pause liegt vor dem ersten."));
    }
    Ok(Pause { from, until })
}

async fn show_statement(work: &Work, query: &Fields) -> Result<Response<Body>, ApiError> {
    let month = query.parsed("month");
    let month = month.unwrap_or_else(|| Month::of(Timestamp::now()).previous());
    let data = statement_data(work, month, query.value("notice")).await?;
    Ok(work.page(DeskPage::Statement, &data))
}

/// Checks that the figures of a month are those that were read.
///
/// # Errors
/// When they have changed since, or cannot be read.
pub async fn ensure_unchanged(work: &Work, month: Month, read: &str) -> Result<(), ApiError> {
    let data = statement_data(work, month, None).await?;
    // A closed month no longer changes, and closing it again has no effect.
    let says = |name| data.get(name).and_then(Value::as_str);
    if says("closed_at").is_some() || says("digest") == Some(read) {
        return Ok(());
    }
    Err(known(StatusCode::CONFLICT, CHANGED))
}

/// What firms owe for a month, with a digest of the figures.
async fn statement_data(work: &Work, month: Month, notice: Option<&str>) -> Result<Value, ApiError> {
    let statement = work.operations().statement(month, None, None).await?;
    let firms: Value = firms(&statement).collect();
    let mut digest = FieldDigest::default();
    digest.add(firms.to_string().as_bytes());
    let digest = digest.finish();
    let (open, open_firms) = statement.open_outcomes(|firm| &firm.name);
    Ok(json!({
        "open": format!("{open} {open_firms}"),
        "month": month.to_string(),
        "month_name": german_month(month.first_day()),
        "firms": firms,
        "total": statement.totals(),
        "digest": Uuid::from_bytes(digest.first_chunk().copied().unwrap_or_default()),
        "closed_at": statement.closed_at.map(|at| at.to_string()),
        "vat_rate": statement.vat.german(),
        "is_over": month.is_over(Timestamp::now()),
        "notice": notice,
    }))
}

/// Writes the statement of a month to a file, for all firms or the one in the query.
async fn written_statement(work: &Work, file: &str, query: &Fields) -> Result<Response<Body>, ApiError> {
    let (month, format) = file.split_once('.').ok_or_else(ApiError::not_found)?;
    let month: Month = parsed(month)?;
    let firm = query.value("firm").map(FirmId::parse).transpose();
    let firm = firm.map_err(|_| ApiError::not_found())?;
    let statement = work.operations().statement(month, firm.clone(), None).await?;
    let (media_type, written) = match format {
        "csv" => (CSV, csv(&statement).map_err(broken)?),
        "html" => {
            let page = statement_page(&statement, firm.as_ref(), &work.desk.settings, Timestamp::now());
            (HTML, page.map_err(broken)?.into_bytes())
        }
        "xlsx" => (XLSX, workbook(&statement, None).map_err(broken)?),
        _ => return Err(ApiError::not_found()),
    };
    let name = match firm {
        _ if query.value("ansehen").is_some() => None,
        Some(firm) => Some(format!("abrechnung-{month}-{firm}.{format}")),
        None => Some(format!("abrechnung-{file}")),
    };
    Ok(work.file(media_type, name, written))
}

/// Shows reviews, newest first, with undecided ones listed separately.
async fn show_reviews(work: &Work, query: &Fields) -> Result<Response<Body>, ApiError> {
    let found = work.store().reviews().await?;
    let views = |is_waiting| -> Value {
        let newest = found.iter().rev();
        let shown = newest.filter(|found| found.review.is_waiting() == is_waiting);
        shown.map(view::listed_review).collect()
    };
    let data = json!({
        "waiting": views(true),
        "judged": views(false),
        "notice": query.value("notice"),
    });
    Ok(work.page(DeskPage::Reviews, &data))
}

/// The most common periods for figures, and the one in the query.
fn periods(query: &Fields) -> Value {
    let today = berlin::day(Timestamp::now());
    let first = today.first_of_month();
    json!({
        "since": query.value("since"),
        "until": query.value("until"),
        "month": first.to_string(),
        "last_month": first.saturating_sub(1.month()).to_string(),
        "year": today.first_of_year().to_string(),
    })
}

/// The period in the query.
fn period(query: &Fields) -> Result<TimeRange, ApiError> {
    let bound = |name| query.value(name).map(parse_bound).transpose();
    match (bound("since"), bound("until")) {
        (Ok(since), Ok(until)) if since.zip(until).is_none_or(|(since, until)| since <= until) => {
            Ok(TimeRange { since, until })
        }
        _ => Err(unchanged(
            "Das ist kein Zeitraum: Das Ende muss ein Tag nach dem Anfang sein.",
        )),
    }
}

async fn written_report(work: &Work, query: &Fields) -> Result<Response<Body>, ApiError> {
    let bounds = period(query)?;
    let names = report::names(work.firms());
    let html = work
        .operations()
        .report(bounds, names, &work.desk.settings.name)
        .await?;
    Ok(work.file(HTML, None, html.into_bytes()))
}

/// Runs `doctor` with the current configuration file.
async fn findings(work: &Work) -> Vec<Finding> {
    let file = work.desk.file.as_deref().map(ConfigFile::read).transpose();
    let config = file.map_err(|error| error.to_string()).and_then(|file| {
        let config = Config::from_args(work.desk.args.clone(), file);
        config.map_err(|error| error.to_string())
    });
    let config = match config {
        Ok(config) => config,
        Err(reason) => return vec![wrong_settings(&reason)],
    };
    let mut findings = doctor::examine(&config).await;
    let state = work.operations().store_state().await;
    findings.extend(doctor::check_store(state, &config.handling.firms));
    findings
}
