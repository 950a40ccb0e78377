//! Exposition of the metrics in the `OpenMetrics` text format.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};
use std::time::Duration;

use jiff::Timestamp;

use super::counters::{Counters, Distribution, Metrics};
use super::labels::{InquiryResult, Refusal, RequestKind, StatusClass};
use crate::base::process::BuildInfo;

/// The content type of the text.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Prefix of every metric name.
const PREFIX: &str = "taubenabwehr";

/// Values that are measured at each scrape.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// Open client connections.
    pub connections: u64,
    /// Number and duration of the store's durable commits; `None` without a store.
    pub commits: Option<Distribution>,
    /// The size of the store's file in bytes.
    pub store_bytes: Option<u64>,
    /// Mails and webhooks in the outbox.
    pub deliveries: Option<DeliveryCounts>,
    /// When the current certificate expires, if there is one.
    pub certificate_end: Option<Timestamp>,
}

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

/// Formats all metrics.
///
/// # Errors
/// Never: writing to a string cannot fail.
pub fn write(metrics: &Metrics, measured: &Measured) -> Result<String, fmt::Error> {
    let mut page = Page {
        text: String::new(),
        family: String::new(),
    };
    let counts = metrics.counts.lock().clone();
    page.program(metrics.started_at, measured.certificate_end)?;
    page.requests(&counts)?;
    page.refusals(&counts, measured.connections)?;
    page.store(measured)?;
    if let Some(deliveries) = &measured.deliveries {
        page.deliveries(deliveries)?;
    }
    page.text.push_str("# EOF\n");
    Ok(page.text)
}

/// The text written so far.
struct Page {
    text: String,
    /// The metric family of the samples that follow.
    family: String,
}

impl Page {
    fn program(&mut self, started_at: Duration, certificate_end: Option<Timestamp>) -> fmt::Result {
        self.family("build", "info", "Version of the program and its commit")?;
        let BuildInfo { version, commit, .. } = BuildInfo::of_this_executable();
        let labels = format!("version=\"{version}\",commit=\"{commit}\"");
        self.sample("_info", &labels, 1)?;
        let help = "When the program was started, since 1970";
        self.family("start_timestamp_seconds", "gauge", help)?;
        self.seconds("", "", started_at.as_secs_f64())?;
        if let Some(end) = certificate_end {
            let help = "When the certificate of the TLS listeners ends, since 1970";
            self.family("certificate_end_timestamp_seconds", "gauge", help)?;
            self.sample("", "", end.as_second())?;
        }
        Ok(())
    }

    fn requests(&mut self, counts: &Counters) -> fmt::Result {
        let help = "Requests that were answered, by what was asked for and the class of the status";
        self.family("http_requests", "counter", help)?;
        for &kind in RequestKind::ALL {
            for &class in StatusClass::ALL {
                let labels = format!("kind=\"{}\",status=\"{}\"", kind.name(), class.name());
                self.count(&labels, counts.requests.get(&(kind, class)))?;
            }
        }
        let help = "Time from the head of a request until its answer was ready";
        self.family("http_request_duration_seconds", "histogram", help)?;
        let none = Distribution::default();
        for kind in RequestKind::ALL {
            let durations = counts.durations.get(kind).unwrap_or(&none);
            self.histogram(&format!("kind=\"{}\"", kind.name()), durations)?;
        }
        Ok(())
    }

    fn refusals(&mut self, counts: &Counters, connections: u64) -> fmt::Result {
        self.family(
            "http_connections",
            "gauge",
            "Connections of clients that are open",
        )?;
        self.sample("", "", connections)?;
        let help = "Requests and connections that were refused, by the reason";
        self.family("http_refusals", "counter", help)?;
        for reason in Refusal::ALL {
            self.count(
                &format!("reason=\"{}\"", reason.name()),
                counts.refusals.get(reason),
            )?;
        }
        let help = "Inquiries that were not refused, by what came of them";
        self.family("inquiries", "counter", help)?;
        for result in InquiryResult::ALL {
            self.count(
                &format!("result=\"{}\"", result.name()),
                counts.inquiries.get(result),
            )?;
        }
        Ok(())
    }

    fn store(&mut self, measured: &Measured) -> fmt::Result {
        if let Some(commits) = &measured.commits {
            let help = "Durable commits of the store: how many, and how long they took";
            self.family("store_commit_duration_seconds", "histogram", help)?;
            self.histogram("", commits)?;
        }
        if let Some(bytes) = measured.store_bytes {
            self.family("store_size_bytes", "gauge", "Size of the store's file")?;
            self.sample("", "", bytes)?;
        }
        Ok(())
    }

    fn deliveries(&mut self, deliveries: &DeliveryCounts) -> fmt::Result {
        let help = "Mails and webhooks of inquiries that are kept, by what became of them";
        self.family("outbox_deliveries", "gauge", help)?;
        for (state, count) in &deliveries.states {
            self.sample("", &format!("state=\"{state}\""), count)?;
        }
        let help = "Age of the mail or webhook that has waited longest; 0 if none waits";
        self.family("outbox_oldest_waiting_seconds", "gauge", help)?;
        // Derived from the start of the wait, so that the age grows between two counts of the outbox.
        let waited = deliveries
            .oldest_waiting
            .map(|since| Timestamp::now().duration_since(since));
        let waited = waited.and_then(|waited| Duration::try_from(waited).ok());
        self.seconds("", "", waited.unwrap_or_default().as_secs_f64())
    }

    /// Starts a metric family. Names end with their unit.
    fn family(&mut self, name: &str, kind: &str, help: &str) -> fmt::Result {
        self.family = format!("{PREFIX}_{name}");
        let (text, name) = (&mut self.text, &self.family);
        write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n")?;
        for unit in ["seconds", "bytes"] {
            if name.ends_with(unit) {
                writeln!(text, "# UNIT {name} {unit}")?;
            }
        }
        Ok(())
    }

    fn sample(&mut self, suffix: &str, labels: &str, value: impl Display) -> fmt::Result {
        let name = &self.family;
        match labels {
            "" => writeln!(self.text, "{name}{suffix} {value}"),
            _ => writeln!(self.text, "{name}{suffix}{{{labels}}} {value}"),
        }
    }

    /// Writes a counter; `None` counts as zero.
    fn count(&mut self, labels: &str, count: Option<&u64>) -> fmt::Result {
        self.sample("_total", labels, count.copied().unwrap_or_default())
    }

    fn seconds(&mut self, suffix: &str, labels: &str, seconds: f64) -> fmt::Result {
        self.sample(suffix, labels, format_args!("{seconds:?}"))
    }

    fn histogram(&mut self, labels: &str, durations: &Distribution) -> fmt::Result {
        self.seconds("_sum", labels, durations.sum())?;
        self.sample("_count", labels, durations.count())?;
        let (mut up_to, comma) = (0, if labels.is_empty() { "" } else { "," });
        for (end, count) in durations.buckets() {
            up_to += count;
            let end = if end.is_finite() {
                format!("{end:?}")
            } else {
                "+Inf".to_owned()
            };
            self.sample("_bucket", &format!("le=\"{end}\"{comma}{labels}"), up_to)?;
        }
        Ok(())
    }
}
