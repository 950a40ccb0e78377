//! A statement as an HTML page for printing on A4, with one sheet per firm.

use std::error::Error;

use jiff::Timestamp;
use jiff::civil::Date;
use minijinja::context;
use minijinja::value::{Serde, Value};

use super::rows;
use crate::base::text::berlin;
use crate::config::settings::SiteSettings;
use crate::domain::commission::{Percent, Terms};
use crate::domain::ledger::{Acceptance, BilledLine, LineKind, Statement};
use crate::domain::matching::FirmId;
use crate::site::embedded;
use crate::site::templates::{environment, german_cost, german_day, german_month};

const TEMPLATE: &str = include_str!("templates/statement.html");
const STYLE: &str = include_str!("templates/statement.css");

/// A statement as HTML, issued by the operator in `settings`. A statement of all firms, rather than of `only` one, ends with
/// their total, which is for the operator.
///
/// # Errors
/// When the embedded files are damaged. A test renders a statement, so this does not happen in production.
pub fn page(
    statement: &Statement,
    only: Option<&FirmId>,
    settings: &SiteSettings,
    made_at: Timestamp,
) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut environment = environment::html();
    environment.add_filter("day", |text: &str| {
        let time: Option<Timestamp> = text.parse().ok();
        time.map_or_else(|| text.to_owned(), |time| short_day(berlin::day(time)))
    });
    environment.add_filter("euro", environment::euro);
    let firms = statement.firms.iter().zip(rows::firms(statement));
    let firms = firms.map(|(firm, view)| {
        let accepted = firm
            .lines
            .iter()
            .filter(|(_, line)| line.kind == LineKind::Accepted);
        let orders = accepted
            .clone()
            .filter(|(_, line)| line.outcome.net_sum().is_some());
        context! {
            accepted => accepted.count(),
            orders => orders.count(),
            prices => prices(&firm.lines, statement.vat),
            ..Value::from(Serde(view))
        }
    });
    let (first, last) = (statement.month.first_day(), statement.month.last_day());
    let page = context! {
        style => Value::from_safe_string(embedded::text("private/fonts.css")? + STYLE),
        site => Value::from(Serde(settings)),
        firms => firms.collect::<Vec<_>>(),
        total => only.is_none().then(|| Value::from(Serde(statement.totals()))),
        month => german_month(first),
        period => format!("{}\u{a0}bis {}", short_day(first), short_day(last)),
        made_on => german_day(berlin::day(made_at)),
        is_closed => statement.closed_at.is_some(),
        vat_rate => (statement.vat != Percent::ZERO).then(|| statement.vat.german()),
    };
    Ok(environment.render_str(TEMPLATE, page)?)
}

/// A day as written in columns: `03.11.2026`.
fn short_day(day: Date) -> String {
    format!("{:02}.{:02}.{:04}", day.day(), day.month(), day.year())
}

/// The price of accepting as shown to the firm, each distinct price with the references of its inquiries, in the order in which
/// they were first agreed to.
fn prices(lines: &[(Acceptance, BilledLine)], vat: Percent) -> Vec<Value> {
    let mut prices: Vec<(Terms, Vec<String>)> = Vec::new();
    for (line, _) in lines {
        match prices.iter_mut().find(|(terms, _)| *terms == line.terms) {
            Some((_, references)) if references.contains(&line.reference()) => {}
            Some((_, references)) => references.push(line.reference()),
            None => prices.push((line.terms, vec![line.reference()])),
        }
    }
    let prices = prices.into_iter();
    let prices = prices.map(|(terms, references)| context! { text => german_cost(&terms, vat), references });
    prices.collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::commission::{Euro, Outcome};

    #[test]
    fn each_price_of_a_month_names_its_inquiries() {
        let acceptance = |number: u128, cents: i64| Acceptance {
            inquiry: Uuid::from_u128(0x019a_3c5e_7b1c_7000_8000_0000_0000_0000 + number),
            firm: FirmId::parse("nord").unwrap(),
            name: "Nord".to_owned(),
            at: Timestamp::from_second(1_793_500_000).unwrap(),
            terms: Terms {
                per_acceptance: Euro::from_cents(cents),
                per_order: Euro::ZERO,
                share: Percent::ZERO,
            },
            outcome: Outcome::Open,
            later: Vec::new(),
            credit: None,
            asked_at: None,
        };
        let acceptances = vec![acceptance(1, 2_500), acceptance(2, 1_000), acceptance(3, 2_500)];
        let month = "2026-11".parse().unwrap();
        let statement = Statement::new(month, None, Percent::USUAL_VAT, acceptances);
        let html = page(
            &statement,
            None,
            &SiteSettings::embedded().unwrap(),
            Timestamp::UNIX_EPOCH,
        )
        .unwrap();
        for expected in [
            "Bei Ihrer Zusage zu 000000000001, 000000000003 galt: Annehmen kostet 25,00",
            "Bei Ihrer Zusage zu 000000000002 galt: Annehmen kostet 10,00",
        ] {
            assert!(html.contains(expected), "{html}");
        }
    }
}
