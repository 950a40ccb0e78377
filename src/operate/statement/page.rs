//! A statement as a page of HTML that is printed on A4, a page a firm.

use jiff::Timestamp;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::base::text::berlin;
use crate::config::settings::SiteSettings;
use crate::domain::commission::{Euro, Outcome, Terms};
use crate::domain::ledger::{FirmStatement, Line, Month, Statement};
use crate::site::templates::{environment, german_cost, german_day, german_month};

/// So many lines stay on one page with the totals.
const LAST_LINES: usize = 3;

const TEMPLATE: &str = include_str!("templates/statement.html");
const STYLE: &str = include_str!("templates/statement.css");

/// A fault of the program's own files: a test draws a statement, so that no operator sees one.
#[derive(Debug, thiserror::Error)]
#[error("the page of the statement cannot be filled: {0}")]
pub struct StatementError(#[from] minijinja::Error);

/// Who draws up a statement, and when.
#[derive(Debug, Clone, Copy)]
pub struct Issuer<'a> {
    /// Name, address and contact.
    pub settings: &'a SiteSettings,
    /// The time.
    pub made_at: Timestamp,
}

#[derive(Serialize)]
struct Page {
    month: String,
    period: String,
    made_on: String,
    is_closed: bool,
    vat_rate: String,
    firms: Vec<FirmPage>,
}

#[derive(Serialize)]
struct FirmPage {
    id: String,
    name: String,
    /// All lines but the last ones, and these.
    parts: [Vec<Row>; 2],
    accepted: usize,
    orders: usize,
    prices: Vec<Price>,
    net: String,
    vat: String,
    gross: String,
}

/// What the firm was told that accepting costs, and of which inquiries.
#[derive(Serialize)]
struct Price {
    text: String,
    references: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    reference: String,
    received: String,
    accepted: String,
    outcome: &'static str,
    net_sum: String,
    commission: String,
}

/// Returns a statement as HTML.
///
/// # Errors
/// When the program's own files are damaged.
pub fn page(statement: &Statement, issuer: Issuer<'_>) -> Result<String, StatementError> {
    let page = Page {
        month: german_month(statement.month.first_day()),
        period: period(statement.month),
        made_on: german_day(berlin::day(issuer.made_at)),
        is_closed: statement.closed_at.is_some(),
        vat_rate: statement.vat.german(),
        firms: statement.firms.iter().map(FirmPage::new).collect(),
    };
    let style = Value::from_safe_string(STYLE.to_owned());
    let (page, site) = (Value::from(Serde(page)), Value::from(Serde(issuer.settings)));
    Ok(environment::html().render_str(TEMPLATE, context! { style, site, ..page })?)
}

fn period(month: Month) -> String {
    format!("{}\u{a0}bis {}", day(month.first_day()), day(month.last_day()))
}

/// Returns a day as it stands in a column: `03.11.2026`.
fn day(day: jiff::civil::Date) -> String {
    format!("{:02}.{:02}.{:04}", day.day(), day.month(), day.year())
}

impl FirmPage {
    fn new(firm: &FirmStatement) -> Self {
        let is_order = |line: &&Line| matches!(line.outcome, Outcome::Order(_));
        let mut lines: Vec<Row> = firm.lines.iter().map(Row::new).collect();
        let last_lines = lines.split_off(lines.len().saturating_sub(LAST_LINES));
        Self {
            id: firm.firm.to_string(),
            name: firm.name.clone(),
            accepted: firm.lines.len(),
            orders: firm.lines.iter().filter(is_order).count(),
            prices: prices(&firm.lines),
            parts: [lines, last_lines],
            net: firm.net.german(),
            vat: firm.vat.german(),
            gross: firm.gross.german(),
        }
    }
}

/// Returns each price once, in the order in which they were first agreed to.
fn prices(lines: &[Line]) -> Vec<Price> {
    let mut prices: Vec<(Terms, Price)> = Vec::new();
    for line in lines {
        let reference = line.reference.clone();
        if let Some((_, price)) = prices.iter_mut().find(|(terms, _)| *terms == line.terms) {
            price.references.push(reference);
        } else {
            let text = german_cost(&line.terms);
            let references = vec![reference];
            prices.push((line.terms, Price { text, references }));
        }
    }
    prices.into_iter().map(|(_, price)| price).collect()
}

impl Row {
    fn new(line: &Line) -> Self {
        let written = |time: Timestamp| day(berlin::day(time));
        Self {
            reference: line.reference.clone(),
            received: written(line.received),
            accepted: written(line.accepted),
            outcome: match line.outcome {
                Outcome::Open => "noch offen",
                Outcome::Order(_) => "Auftrag erhalten",
                Outcome::None => "kein Auftrag",
            },
            net_sum: line
                .outcome
                .net_sum()
                .map_or_else(|| "–".to_owned(), Euro::german),
            commission: line.commission.german(),
        }
    }
}
