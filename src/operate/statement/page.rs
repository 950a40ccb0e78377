//! A statement as a page of HTML that is printed on A4, a page a firm.

use jiff::Timestamp;
use minijinja::context;
use minijinja::value::{Serde, Value};

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

/// Returns a statement as HTML, which the operator whose settings these are draws up at this time.
///
/// # Errors
/// When the program's own files are damaged.
pub fn page(
    statement: &Statement,
    settings: &SiteSettings,
    made_at: Timestamp,
) -> Result<String, StatementError> {
    let style = Value::from_safe_string(STYLE.to_owned());
    let site = Value::from(Serde(settings));
    let firms: Vec<Value> = statement.firms.iter().map(firm).collect();
    let page = context! {
        style,
        site,
        firms,
        month => german_month(statement.month.first_day()),
        period => period(statement.month),
        made_on => german_day(berlin::day(made_at)),
        is_closed => statement.closed_at.is_some(),
        vat_rate => statement.vat.german(),
    };
    Ok(environment::html().render_str(TEMPLATE, page)?)
}

fn period(month: Month) -> String {
    format!("{}\u{a0}bis {}", day(month.first_day()), day(month.last_day()))
}

/// Returns a day as it stands in a column: `03.11.2026`.
fn day(day: jiff::civil::Date) -> String {
    format!("{:02}.{:02}.{:04}", day.day(), day.month(), day.year())
}

fn firm(firm: &FirmStatement) -> Value {
    let is_order = |line: &&Line| matches!(line.outcome, Outcome::Order(_));
    let mut lines: Vec<Value> = firm.lines.iter().map(row).collect();
    let last_lines = lines.split_off(lines.len().saturating_sub(LAST_LINES));
    context! {
        id => firm.firm.as_str(),
        name => &*firm.name,
        // All lines but the last ones, and these.
        parts => [lines, last_lines],
        accepted => firm.lines.len(),
        orders => firm.lines.iter().filter(is_order).count(),
        prices => prices(&firm.lines),
        net => firm.net.german(),
        vat => firm.vat.german(),
        gross => firm.gross.german(),
    }
}

/// Returns what the firm was told that accepting costs, each price once, in the order in which they were first agreed to, and of which
/// inquiries.
fn prices(lines: &[Line]) -> Vec<Value> {
    let mut prices: Vec<(Terms, Vec<String>)> = Vec::new();
    for line in lines {
        match prices.iter_mut().find(|(terms, _)| *terms == line.terms) {
            Some((_, references)) => references.push(line.reference.clone()),
            None => prices.push((line.terms, vec![line.reference.clone()])),
        }
    }
    let prices = prices.into_iter();
    let prices = prices.map(|(terms, references)| context! { text => german_cost(&terms), references });
    prices.collect()
}

fn row(line: &Line) -> Value {
    let written = |time: Timestamp| day(berlin::day(time));
    let net_sum = line.outcome.net_sum().map(Euro::german);
    context! {
        reference => &*line.reference,
        received => written(line.received),
        accepted => written(line.accepted),
        outcome => match line.outcome {
            Outcome::Open => "noch offen",
            Outcome::Order(_) => "Auftrag erhalten",
            Outcome::None => "kein Auftrag",
        },
        net_sum => net_sum.unwrap_or_else(|| "–".to_owned()),
        commission => line.commission.german(),
    }
}
