//! Exposition of the metrics in the `OpenMetrics` text format.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::iter;
use std::time::Duration;

use jiff::Timestamp;
use strum::VariantArray;

use super::counters::{Counters, Distribution, Metrics};
use super::labels::{InquiryResult, Refusal, RequestKind, STATUS_CLASSES};
use crate::base::process::BuildInfo;

/// The content type of the text.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Prefix of every metric name.
const PREFIX: &str = "taubenabwehr";

/// Mails and webhooks by state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryCounts {
    /// The number of deliveries in each state.
    pub states: BTreeMap<&'static str, u64>,
    /// The time since which the oldest waiting delivery has been waiting; `None` if none is.
    pub oldest_waiting: Option<Timestamp>,
}

impl Default for DeliveryCounts {
    /// Includes every state with a count of zero.
    fn default() -> Self {
        let states = ["waiting", "delivered", "failed", "cancelled", "held"];
        Self {
            states: states.map(|state| (state, 0)).into(),
            oldest_waiting: None,
        }
    }
}

/// The text of the metrics, to which callers add what they measure at each scrape.
pub struct Exposition(String);

impl Exposition {
    /// Starts with the program and what it has counted.
    pub fn of(metrics: &Metrics) -> Self {
        let mut text = Self(String::new());
        let BuildInfo { version, commit, .. } = BuildInfo::of_this_executable();
        let build = format!("_info{{version=\"{version}\",commit=\"{commit}\"}} 1");
        text.family("build", "info", "Version of the program and its commit", [build]);
        let (name, started_at) = ("start_timestamp_seconds", metrics.started_at.as_secs_f64());
        text.gauge(name, "When the program was started, since 1970", started_at);
        text.requests(&metrics.counts.lock().clone());
        text
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.0 + "# EOF\n"
    }

    fn requests(&mut self, counts: &Counters) {
        let kinds = RequestKind::VARIANTS.iter();
        let requests = kinds.flat_map(|&kind| STATUS_CLASSES.map(|class| (kind, class)));
        let requests = requests.map(|series @ (kind, class)| {
            let count = number(counts.requests.get(&series));
            format!("_total{{kind=\"{kind}\",status=\"{class}\"}} {count}")
        });
        let help = "Requests that were answered, by what was asked for and the class of the status";
        self.family("http_requests", "counter", help, requests);
        let durations = RequestKind::VARIANTS.iter().flat_map(|kind| {
            let durations = counts.durations.get(kind).cloned().unwrap_or_default();
            histogram(&format!("kind=\"{kind}\""), &durations)
        });
        let help = "Time from the head of a request until its answer was ready";
        self.family("http_request_duration_seconds", "histogram", help, durations);
        let refusals = Refusal::VARIANTS.iter().map(|reason| {
            let count = number(counts.refusals.get(reason));
            format!("_total{{reason=\"{reason}\"}} {count}")
        });
        let help = "Requests and connections that were refused, by the reason";
        self.family("http_refusals", "counter", help, refusals);
        let inquiries = InquiryResult::VARIANTS.iter().map(|result| {
            let count = number(counts.inquiries.get(result));
            format!("_total{{result=\"{result}\"}} {count}")
        });
        let help = "Inquiries that were not refused, by what came of them";
        self.family("inquiries", "counter", help, inquiries);
    }

    /// Adds mails and webhooks.
    pub fn deliveries(&mut self, deliveries: &DeliveryCounts) {
        let states = deliveries.states.iter();
        let states = states.map(|(state, count)| format!("{{state=\"{state}\"}} {count}"));
        let help = "Mails and webhooks of inquiries that are kept, by what became of them";
        self.family("outbox_deliveries", "gauge", help, states);
        // Derived from the start of the wait, so that the age grows between two counts of the outbox.
        let waited = deliveries
            .oldest_waiting
            .and_then(|since| Duration::try_from(Timestamp::now().duration_since(since)).ok());
        let (name, waited) = ("outbox_oldest_waiting_seconds", waited.unwrap_or_default());
        let help = "Age of the mail or webhook that has waited longest; 0 if none waits";
        self.gauge(name, help, waited.as_secs_f64());
    }

    /// Adds a histogram.
    pub fn histogram(&mut self, name: &str, help: &str, durations: &Distribution) {
        self.family(name, "histogram", help, histogram("", durations));
    }

    /// Adds a value that can fall.
    pub fn gauge(&mut self, name: &str, help: &str, value: impl Debug) {
        self.family(name, "gauge", help, [format!(" {value:?}")]);
    }

    /// Adds a metric family, whose name ends with its unit. A sample is what follows the name.
    fn family(&mut self, name: &str, kind: &str, help: &str, samples: impl IntoIterator<Item = String>) {
        let name = format!("{PREFIX}_{name}");
        let heading = format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
        let unit = ["seconds", "bytes"].into_iter().find(|unit| name.ends_with(unit));
        let unit = unit.map(|unit| format!("# UNIT {name} {unit}\n"));
        let samples = samples.into_iter().map(|sample| format!("{name}{sample}\n"));
        self.0.extend(iter::once(heading).chain(unit).chain(samples));
    }
}

fn number(count: Option<&u64>) -> u64 {
    count.copied().unwrap_or_default()
}

/// The samples of a histogram with these labels, if any.
fn histogram(labels: &str, durations: &Distribution) -> Vec<String> {
    let (braces, comma) = match labels {
        "" => (String::new(), ""),
        _ => (format!("{{{labels}}}"), ","),
    };
    let mut samples = vec![
        format!("_sum{braces} {:?}", durations.sum()),
        format!("_count{braces} {}", durations.count()),
    ];
    let mut up_to = 0;
    for (end, count) in durations.buckets() {
        up_to += count;
        let end = match end {
            f64::INFINITY => "+Inf".to_owned(),
            end => format!("{end:?}"),
        };
        samples.push(format!("_bucket{{le=\"{end}\"{comma}{labels}}} {up_to}"));
    }
    samples
}
