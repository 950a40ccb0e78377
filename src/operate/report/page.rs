//! The page of the report, filled with its plots.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::{Timestamp, Unit};
use minijinja::context;
use minijinja::value::Value;

use super::bars::{bar, segments};
use super::counts::{Counts, grouped, percent};
use super::day_plot::day_plot;
use super::figures::{FirmFigures, ReportFigures};
use super::map::map;
use super::week_plot::week_plot;
use super::{ReportError, last_day_before};
use crate::base::text::berlin;
use crate::domain::inquiry::{Choice, Location, Problem, PropertyType};
use crate::site::templates::{environment, german_day, german_time};

/// What a report is about.
#[derive(Debug, Clone)]
pub struct Header<'a> {
    /// The name of the site.
    pub site: &'a str,
    /// From when on inquiries are counted; `None` from the first one on.
    pub since: Option<Timestamp>,
    /// Before when they are counted; `None` up to now.
    pub until: Option<Timestamp>,
    /// When the report is made.
    pub made_at: Timestamp,
}

const TEMPLATE: &str = include_str!("templates/report.html");
const STYLE: &str = include_str!("templates/report.css");

/// How far a period may reach beyond the inquiries before the plot leaves the empty days out.
const EMPTY_DAYS: i64 = 31;

/// What is called an option where the visitor chose none.
const NONE: &str = "nichts gewählt";

/// The stages of the funnel after the pages: the questions of the questionnaire, in order.
const STEPS: [&str; 5] = ["Gebäude", "Postleitzahl", "Problem", "Stelle", "Kontakt"];

/// Returns the report as HTML.
pub fn page(figures: &ReportFigures, header: &Header<'_>) -> Result<String, ReportError> {
    let (first, last) = period(figures, header);
    let day_count = first
        .until((Unit::Day, last))
        .map_or(1, |span| i64::from(span.get_days()) + 1);
    let kinds = PropertyType::ALL.iter().copied();
    let legend: Vec<_> = kinds.map(|kind| (class(kind), kind.label())).collect();
    let page = context! {
        style => Value::from_safe_string(STYLE.to_owned()),
        site => header.site,
        made_at => german_time(header.made_at),
        period => format!("{} bis {}", german_day(first), german_day(last)),
        is_empty => figures.total == 0,
        tiles => tiles(figures, u64::try_from(day_count).unwrap_or(1)),
        days => day_plot(&figures.days, first, last),
        week => week_plot(&figures.week),
        map => map(&figures.postal_codes, figures.total)?,
        // The classes and names of the types of buildings.
        legend,
        parts => parts(figures),
        offers => offers(figures),
        funnel => (figures.funnel_days > 0).then(|| funnel(figures)),
        // Inquiries that are not in the funnel.
        others => (figures.funnel.others > 0).then(|| grouped(figures.funnel.others)),
        firms => firms(figures),
        notes => notes(figures),
    };
    Ok(environment::html().render_str(TEMPLATE, page)?)
}

/// Returns the first and the last day of the plots.
fn period(figures: &ReportFigures, header: &Header<'_>) -> (Date, Date) {
    let earliest = figures.days.keys().next().copied();
    let latest = figures.days.keys().next_back().copied();
    let since = header.since.map(berlin::day);
    let until = header.until.map(last_day_before);
    let last = until
        .unwrap_or(berlin::day(header.made_at))
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

fn days_between(from: Date, to: Date) -> i64 {
    from.until((Unit::Day, to))
        .map_or(i64::MAX, |span| i64::from(span.get_days()))
}

fn tiles(figures: &ReportFigures, days: u64) -> Vec<Value> {
    let tile = |label: &str, value: String, note: String| context! { label, value, note };
    let total = figures.total;
    let none = figures.offers.first().copied().unwrap_or_default();
    let offers: u64 = figures
        .offers
        .iter()
        .zip(0..)
        .map(|(count, offers)| count * offers)
        .sum();
    let tenths = (total * 10 + days / 2) / days.max(1);
    let each = (offers * 10 + total / 2).checked_div(total).unwrap_or_default();
    let mut tiles = vec![
        tile(
            "Anfragen",
            grouped(total),
            format!("{},{} am Tag", grouped(tenths / 10), tenths % 10),
        ),
        tile(
            "Mit Zusage",
            percent(total - none.min(total), total),
            format!("{},{} Zusagen je Anfrage im Mittel", each / 10, each % 10),
        ),
        tile(
            "Stunden bis zur ersten Zusage",
            figures.first_offer.median_text(),
            "Median, ab der ersten Frage an einen Betrieb".to_owned(),
        ),
    ];
    if figures.funnel_days > 0 {
        // A link may choose the building, and begin with a later step.
        let begun = longest(figures.funnel.steps);
        let of = format!("von {} begonnenen", grouped(begun));
        tiles.push(tile(
            "Fragebogen abgeschickt",
            kept(figures.funnel.sent, begun),
            of,
        ));
    }
    tiles
}

/// Classes of the types of buildings.
fn class(property_type: PropertyType) -> &'static str {
    match property_type {
        PropertyType::Residential => "tone-a",
        PropertyType::Commercial => "tone-b",
        PropertyType::Industrial => "tone-c",
    }
}

fn parts(figures: &ReportFigures) -> Vec<Value> {
    let total = figures.total;
    let most = longest(PropertyType::ALL.iter().map(|&kind| figures.buildings.of(kind)));
    let buildings = PropertyType::ALL.iter().map(|&kind| {
        let label = kind.label();
        bar(
            label,
            &[(class(kind), label, figures.buildings.of(kind))],
            most,
            total,
        )
    });
    let problems = Problem::ALL.iter();
    let problems = problems.map(|&problem| (problem.label(), Some(problem.number())));
    let locations = Location::ALL.iter();
    let locations = locations.map(|&location| (location.label(), Some(location.number())));
    let several = "von allen; mehrere Antworten möglich";
    [
        ("Gebäude", "von allen", buildings.collect()),
        ("Problem", several, rows(problems, &figures.problems, total)),
        ("Stelle", several, rows(locations, &figures.locations, total)),
    ]
    .map(|(title, share_of, rows): (_, _, Vec<Value>)| context! { title, share_of, rows })
    .into()
}

/// Returns a row for each option, and for none, divided by the type of building.
fn rows<'a>(
    options: impl Iterator<Item = (&'a str, Option<u8>)>,
    counts: &BTreeMap<Option<u8>, Counts>,
    total: u64,
) -> Vec<Value> {
    let longest = longest(counts.values().map(Counts::total));
    options
        .chain([(NONE, None)])
        .map(|(label, number)| {
            let counts = counts.get(&number).copied().unwrap_or_default();
            let kinds = PropertyType::ALL.iter();
            let parts = kinds.map(|&kind| (class(kind), kind.label(), counts.of(kind)));
            bar(label, &parts.collect::<Vec<_>>(), longest, total)
        })
        .collect()
}

fn longest(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().max().unwrap_or_default()
}

fn offers(figures: &ReportFigures) -> Value {
    let labels = ["keine Zusage", "eine Zusage", "zwei Zusagen", "drei Zusagen"];
    let longest = longest(figures.offers);
    let rows = labels.iter().zip(figures.offers);
    let rows = rows.zip(["tone-none", "tone-a", "tone-a", "tone-a"]);
    let rows =
        rows.map(|((label, count), class)| bar(label, &[(class, label, count)], longest, figures.total));
    let rows: Vec<_> = rows.collect();
    context! { title => "Zusagen je Anfrage", share_of => "von allen", rows }
}

fn funnel(figures: &ReportFigures) -> Vec<Value> {
    let counts = &figures.funnel;
    let steps = STEPS.iter().copied().zip(counts.steps);
    let stages: Vec<(&'static str, u64)> = [("Seiten gezeigt", counts.pages)]
        .into_iter()
        .chain(steps)
        .chain([("Abgeschickt", counts.sent)])
        .collect();
    // So many more pages than questionnaires are shown that their bar would dwarf all others.
    let longest = longest(stages.iter().skip(1).map(|(_, count)| *count));
    let mut before = None;
    stages
        .into_iter()
        .map(|(label, count)| {
            let before = before.replace(count).map(|before| kept(count, before));
            context! {
                label,
                count => grouped(count),
                kept => before.unwrap_or_default(),
                bar => segments(&[("tone-a", label, count.min(longest))], longest),
            }
        })
        .collect()
}

/// Writes how many of those before came so far. Without a script nobody reports steps, and links skip some: where there are more than
/// before, no share is known.
fn kept(count: u64, before: u64) -> String {
    percent(count, if count > before { 0 } else { before })
}

fn firms(figures: &ReportFigures) -> Vec<Value> {
    let mut firms: Vec<(&str, &FirmFigures)> = figures
        .firms
        .iter()
        .map(|(id, firm)| (figures.names.get(id).map_or(id.as_str(), String::as_str), firm))
        .collect();
    firms.sort_by_key(|&(name, firm)| (u64::MAX - firm.asked(), name));
    let longest = longest(firms.iter().map(|(_, firm)| firm.asked()));
    firms
        .into_iter()
        .map(|(name, firm)| {
            let bar = [
                ("tone-accepted", "angenommen", firm.accepted),
                ("tone-declined", "abgelehnt", firm.declined),
                ("tone-silent", "keine Antwort", firm.silent),
                ("tone-pending", "noch offen", firm.pending),
            ];
            context! {
                name,
                asked => grouped(firm.asked()),
                accepted => grouped(firm.accepted),
                declined => grouped(firm.declined),
                silent => grouped(firm.silent),
                pending => grouped(firm.pending),
                rate => percent(firm.accepted, firm.asked() - firm.pending),
                hours => firm.hours.median_text(),
                bar => segments(&bar, longest),
            }
        })
        .collect()
}

fn notes(figures: &ReportFigures) -> Vec<String> {
    let mut notes = vec!["Tage und Stunden sind die von Hamburg.".to_owned()];
    for (count, reason) in [
        (figures.suspected, "verdächtig und nicht freigegeben"),
        (figures.gone, "zurückgezogen oder gelöscht"),
    ] {
        if count > 0 {
            notes.push(format!("Nicht mitgezählt, weil {reason}: {}.", grouped(count)));
        }
    }
    notes
}
