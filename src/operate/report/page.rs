//! Renders the page of the report with its plots.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::error::Error;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, Unit};
use minijinja::context;
use minijinja::value::Value;

use super::counts::{Part, add_filters, bars, percent, segments};
use super::figures::{FirmFigures, FunnelCounts, ReportFigures};
use super::map::map;
use super::plots::{day_plot, week_plot};
use crate::base::text::berlin;
use crate::domain::inquiry::{Choice, Location, Problem, PropertyType, TimeRange};
use crate::operate::funnel::STEPS;
use crate::site::templates::{environment, german_day, german_time};

const TEMPLATE: &str = include_str!("templates/report.html");
const STYLE: &str = include_str!("templates/report.css");

/// How many empty days at the start or end of the period are plotted; beyond that, they are omitted.
const EMPTY_DAYS: i64 = 31;

/// The label for visitors who chose no option.
const NONE: &str = "nichts gewählt";

/// The stages of the funnel after the pages: the questions of the questionnaire, in order.
const QUESTIONS: [&str; STEPS] = ["Gebäude", "Postleitzahl", "Problem", "Stelle", "Kontakt"];

/// The report as HTML. `site` is the name of the site.
///
/// # Errors
/// When the embedded files are damaged.
pub fn page(
    figures: &ReportFigures,
    site: &str,
    range: TimeRange,
    made_at: Timestamp,
) -> Result<String, Box<dyn Error + Send + Sync>> {
    let (first, last) = period(figures, range, made_at);
    let kinds = PropertyType::ALL.iter();
    let without_offer = figures.offers.first().copied().unwrap_or_default();
    let offers = figures.offers.iter().zip(0..);
    let page = context! {
        style => Value::from_safe_string(STYLE.to_owned()),
        site,
        made_at => german_time(made_at),
        period => format!("{} bis {}", german_day(first), german_day(last)),
        period_days => days_between(first, last).saturating_add(1),
        total => figures.total,
        suspected => figures.suspected,
        gone => figures.gone,
        with_offer => figures.total.saturating_sub(without_offer),
        offers_made => offers.map(|(count, offers)| count * offers).sum::<u64>(),
        first_offer => figures.first_offer.median_text(),
        days => day_plot(&figures.days, first, last),
        week => week_plot(&figures.week),
        map => map(&figures.postal_codes, figures.total)?,
        // The classes and names of the types of buildings.
        legend => kinds.map(|&kind| (class(kind), kind.label())).collect::<Vec<_>>(),
        buildings => buildings(figures),
        choices => [
            choices::<Problem>("Problem", &figures.problems),
            choices::<Location>("Stelle", &figures.locations),
        ],
        offers => offer_bars(figures),
        funnel => figures.funnel.as_ref().map(funnel),
        firms => firms(figures),
    };
    let mut environment = environment::html();
    add_filters(&mut environment);
    Ok(environment.render_str(TEMPLATE, page)?)
}

/// The first and last day of the plots.
fn period(figures: &ReportFigures, range: TimeRange, made_at: Timestamp) -> (Date, Date) {
    let earliest = figures.days.keys().next().copied();
    let latest = figures.days.keys().next_back().copied();
    let since = range.since.map(berlin::day);
    let until = range.until.map(last_day_before);
    let last = until
        .unwrap_or(berlin::day(made_at))
        .max(latest.unwrap_or(Date::MIN));
    let last = latest
        .filter(|&latest| days_between(latest, last) > EMPTY_DAYS)
        .unwrap_or(last);
    let first = since
        .or(earliest)
        .unwrap_or(last)
        .min(earliest.unwrap_or(Date::MAX));
    let first = earliest
        .filter(|&earliest| days_between(first, earliest) > EMPTY_DAYS)
        .unwrap_or(first);
    (first.min(last), last)
}

/// The last day that is at least partly before a time.
pub fn last_day_before(time: Timestamp) -> Date {
    berlin::day(time.checked_sub(SignedDuration::from_nanos(1)).unwrap_or(time))
}

fn days_between(from: Date, to: Date) -> i64 {
    from.until((Unit::Day, to))
        .map_or(i64::MAX, |span| i64::from(span.get_days()))
}

/// The class of a type of building.
fn class(property_type: PropertyType) -> &'static str {
    match property_type {
        PropertyType::Residential => "tone-a",
        PropertyType::Commercial => "tone-b",
        PropertyType::Industrial => "tone-c",
    }
}

fn buildings(figures: &ReportFigures) -> Value {
    let kinds = PropertyType::ALL.iter();
    let rows = kinds.map(|&kind| {
        let count = figures.buildings.get(&kind.number());
        (kind.label(), vec![part(kind, count)])
    });
    bars("Gebäude", rows)
}

/// How often each option, or none, was chosen, by type of building.
fn choices<C: Choice>(title: &str, counts: &BTreeMap<(Option<u8>, u8), u64>) -> Value {
    let options = C::ALL
        .iter()
        .map(|option| (option.label(), Some(option.number())));
    let rows = options.chain([(NONE, None)]).map(|(label, number)| {
        let kinds = PropertyType::ALL.iter();
        let parts = kinds.map(|&kind| part(kind, counts.get(&(number, kind.number()))));
        (label, parts.collect())
    });
    bars(title, rows)
}

fn part(kind: PropertyType, count: Option<&u64>) -> Part<'static> {
    (class(kind), kind.label(), count.copied().unwrap_or_default())
}

fn offer_bars(figures: &ReportFigures) -> Value {
    let labels = [
        ("keine Zusage", "tone-none"),
        ("eine Zusage", "tone-a"),
        ("zwei Zusagen", "tone-a"),
        ("drei Zusagen", "tone-a"),
    ];
    let rows = labels.into_iter().zip(figures.offers);
    bars(
        "Zusagen je Anfrage",
        rows.map(|((label, class), count)| (label, vec![(class, label, count)])),
    )
}

/// The stages of the funnel, each with its share of the previous stage.
fn funnel(counts: &FunnelCounts) -> Value {
    let steps = QUESTIONS.into_iter().zip(counts.steps);
    let stages = steps.chain([("Abgeschickt", counts.sent)]);
    // Links may preselect the building and start at a later step.
    let begun = counts.steps.into_iter().max().unwrap_or_default();
    // Pages have no bar, since it would dwarf all others.
    let longest = begun.max(counts.sent);
    let mut before = counts.pages;
    let stages = stages.map(|(label, count)| {
        let before = std::mem::replace(&mut before, count);
        let bar = segments(&[("tone-a", label, count)], longest);
        context! { label, count, bar, kept => kept(count, before) }
    });
    context! {
        pages => counts.pages,
        stages => stages.collect::<Vec<_>>(),
        begun,
        kept => kept(counts.sent, begun),
        // Inquiries that are not part of the funnel.
        others => counts.others,
    }
}

/// The share of the previous stage that reached this one. Without JavaScript, no steps are reported, and links skip some, so the
/// share is unknown if this stage has the larger count.
fn kept(count: u64, before: u64) -> String {
    percent(count, if count > before { 0 } else { before })
}

fn firms(figures: &ReportFigures) -> Vec<Value> {
    let named = figures.firms.iter();
    let named = named.map(|(id, firm)| (figures.names.get(id).map_or(id.as_str(), String::as_str), firm));
    let mut firms: Vec<(&str, &FirmFigures)> = named.collect();
    firms.sort_by_key(|&(name, firm)| (Reverse(firm.asked()), name));
    let longest = firms.first().map_or(0, |(_, firm)| firm.asked());
    let rows = firms.into_iter().map(|(name, firm)| {
        let bar = [
            ("tone-accepted", "angenommen", firm.accepted),
            ("tone-declined", "abgelehnt", firm.declined),
            ("tone-silent", "keine Antwort", firm.silent),
            ("tone-pending", "noch offen", firm.pending),
        ];
        context! {
            name,
            asked => firm.asked(),
            counts => bar.map(|(_, _, count)| count),
            rate => percent(firm.accepted, firm.asked() - firm.pending),
            hours => firm.hours.median_text(),
            bar => segments(&bar, longest),
        }
    });
    rows.collect()
}
