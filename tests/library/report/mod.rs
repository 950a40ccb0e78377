//! The operator's report, rendered from an invented year.

mod sample;

use jiff::Timestamp;
use regex::Regex;
use taubenabwehr::domain::matching::Firm;
use taubenabwehr::domain::referral::{InquiryRecord, Referral, Status};
use taubenabwehr::operate::report::{self, ReportFigures};
use taubenabwehr::store::TimeRange;

fn year(inquiries: u64) -> ReportFigures {
    let mut figures = ReportFigures::new(report::names(&sample::firms()));
    for record in sample::records(inquiries) {
        figures.add(&record);
    }
    for day in sample::funnel() {
        figures.add_funnel(&day);
    }
    figures
}

fn page_of(figures: &ReportFigures, range: TimeRange) -> String {
    report::page(
        figures,
        "Taubenabwehr <Hamburg>",
        range,
        at("2026-11-22T12:00:00Z"),
    )
    .unwrap()
}

fn page(figures: &ReportFigures) -> String {
    page_of(figures, TimeRange::default())
}

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

/// A report with enough inquiries for every element of the page.
fn some_days() -> String {
    page(&year(300))
}

#[test]
fn a_report_names_no_visitor() {
    let html = some_days();
    for personal in ["Änne", "Besucherin", "example.org", "7654321", "@"] {
        assert!(!html.replace("@media", "").contains(personal), "{personal}");
    }
}

#[test]
fn a_report_needs_no_other_file_and_no_script() {
    let html = some_days();
    let links: Vec<_> = Regex::new(r#"https?://[^"<]*"#)
        .unwrap()
        .find_iter(&html)
        .map(|link| link.as_str())
        .collect();
    assert_eq!(
        links,
        [
            "https://www.govdata.de/dl-de/by-2-0",
            "https://creativecommons.org/licenses/by/4.0/"
        ]
    );
    let loading = Regex::new(r"(?i)<script|<link|<img|<iframe|src=|@import|url\([^#]|\son[a-z]+=").unwrap();
    assert_eq!(loading.find(&html).map(|found| found.as_str()), None);
}

#[test]
fn names_are_texts_and_not_markup() {
    let firm = Firm {
        name: "<script>alert(1)</script> & Sons".to_owned(),
        ..sample::firms().remove(0)
    };
    let mut figures = ReportFigures::new(report::names(&[firm]));
    for record in sample::records(5) {
        figures.add(&record);
    }
    let html = page(&figures);
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; Sons"));
    assert!(html.contains("Taubenabwehr &lt;Hamburg&gt;"));
    // Firms that were removed from the file are shown by id.
    assert!(html.contains(">firm-1<"));
}

#[test]
fn no_mark_is_drawn_beyond_its_plot() {
    let html = some_days();
    let marks = Regex::new(r#"<rect class="[a-z0-9-]+" x="([0-9.]+)%" width="([0-9.]+)%""#).unwrap();
    let ends: Vec<f64> = marks
        .captures_iter(&html)
        .map(|mark| mark[1].parse::<f64>().unwrap() + mark[2].parse::<f64>().unwrap())
        .collect();
    assert!(ends.len() > 300);
    // Hours overlap by a hundredth or two, to avoid gaps between them.
    assert!(ends.iter().all(|&end| end <= 100.1), "{ends:?}");
    let bars = Regex::new(r#"<svg viewBox="0 0 ([0-9]+) ([0-9]+)""#).unwrap();
    let (days, top) = bars
        .captures(&html)
        .map(|bars| (bars[1].to_owned(), bars[2].parse::<u64>().unwrap()))
        .unwrap();
    assert_eq!(days, "365");
    let bar =
        Regex::new(r#"<rect class="day" x="[0-9]+" y="([0-9]+)" width="1" height="([0-9]+)">"#).unwrap();
    for bar in bar.captures_iter(&html) {
        assert_eq!(
            bar[1].parse::<u64>().unwrap() + bar[2].parse::<u64>().unwrap(),
            top
        );
    }
}

#[test]
fn a_report_of_nothing_says_so() {
    let html = page(&ReportFigures::default());
    assert!(html.contains("In diesem Zeitraum kam keine Anfrage."));
    assert!(!html.contains("<section"));
}

#[test]
fn visitors_without_inquiries_are_in_the_funnel() {
    let mut figures = ReportFigures::default();
    figures.add_funnel(&sample::counted(4711, [12, 9, 0, 0, 0], 0, 0));
    let html = page(&figures);
    assert!(html.contains("In diesem Zeitraum kam keine Anfrage."));
    assert!(
        html.contains("Von der Seite zur Anfrage") && html.contains("4.711"),
        "{html}"
    );
    assert_eq!(html.matches("<section").count(), 1);
}

#[test]
fn no_step_has_more_than_all_of_those_before() {
    let mut figures = year(300);
    // Links skip steps, and without JavaScript only the inquiry is counted.
    let steps = [5_000, 90_000, 80_000, 100_000, 90_000];
    figures.add_funnel(&sample::counted(1_000_000, steps, 200_000, 72));
    let html = page(&figures);
    let percentages = Regex::new(r"(\d+)(?:,\d+)?\u{a0}%").unwrap();
    let funnel = html.split("Von der Seite zur Anfrage").nth(1).unwrap();
    for part in [funnel, html.split("Fragebogen abgeschickt").nth(1).unwrap()] {
        for found in percentages.captures_iter(part) {
            assert!(found[1].parse::<u32>().unwrap() <= 100, "{}", &found[0]);
        }
    }
    assert!(funnel.contains("Nicht über den Fragebogen eingegangen: 72"));
}

#[test]
fn any_period_can_be_drawn() {
    let times = [
        None,
        Some(Timestamp::MIN),
        Some(at("2025-12-01T00:00:00Z")),
        Some(Timestamp::MAX),
    ];
    for inquiries in [1, 20] {
        let figures = year(inquiries);
        for since in times {
            for until in times {
                let html = page_of(&figures, TimeRange { since, until });
                assert!(
                    html.len() < 300_000,
                    "{inquiries} inquiries, {since:?}, {until:?}"
                );
            }
        }
    }
}

#[test]
fn robots_and_what_is_gone_are_told_and_left_out() {
    let mut figures = ReportFigures::default();
    let mut records = sample::records(10);
    records.retain(|record| record.inquiry.is_some());
    figures.add(&records[0]);
    figures.add(&InquiryRecord {
        inquiry: None,
        ..records[1].clone()
    });
    let held = Referral {
        status: Status::Quarantined(None),
        ..Referral::default()
    };
    figures.add(&InquiryRecord {
        referral: held,
        ..records[2].clone()
    });
    let html = page(&figures);
    assert!(html.contains("<dt>Anfragen</dt><dd><strong>1</strong>"), "{html}");
    assert!(html.contains("Nicht mitgezählt, weil verdächtig und nicht freigegeben: 1."));
    assert!(html.contains("Nicht mitgezählt, weil zurückgezogen oder gelöscht: 1."));
}

/// Writes a report for manual inspection: `REPORT=report.html cargo test --test library report_to_look_at -- --ignored`
#[test]
#[ignore = "writes a file"]
fn report_to_look_at() {
    let html = page(&year(10_000));
    std::fs::write(std::env::var_os("REPORT").unwrap(), html).unwrap();
}
