//! The numbers as text, in the format `OpenMetrics`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, MetricEncoder, NoLabelSet, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};

use super::counters::Distribution;
use super::counters::Metrics;
use crate::base::process::BuildInfo;

/// The type of the text.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What every name begins with.
const PREFIX: &str = "taubenabwehr";

/// What is measured at each scrape.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// Open connections of clients.
    pub connections: u64,
    /// Durable commits of the store, and how long they took; `None` without a store.
    pub commits: Option<Distribution>,
    /// The size of the store's file in bytes.
    pub store_bytes: Option<u64>,
    /// Mails and webhooks.
    pub deliveries: Option<DeliveryCounts>,
}

/// Mails and webhooks by state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryCounts {
    /// How many are in each state.
    pub states: Vec<(&'static str, u64)>,
    /// How long the oldest waiting delivery has waited, in milliseconds; 0 if none waits.
    pub oldest_waiting_ms: u64,
}

/// Writes all numbers.
///
/// # Errors
/// Never: writing to a string cannot fail.
pub fn write(metrics: &Arc<Metrics>, measured: Measured) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix(PREFIX);
    registry.register_collector(Box::new(Numbers {
        metrics: Arc::clone(metrics),
        measured,
    }));
    let mut written = String::new();
    text::encode(&mut written, &registry)?;
    Ok(written)
}

#[derive(Debug)]
struct Numbers {
    metrics: Arc<Metrics>,
    measured: Measured,
}

impl Collector for Numbers {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let mut page = Page(&mut encoder);
        page.program(&self.metrics)?;
        page.requests(&self.metrics)?;
        page.refusals(&self.metrics, self.measured.connections)?;
        page.store(&self.measured)?;
        if let Some(deliveries) = &self.measured.deliveries {
            page.deliveries(deliveries)?;
        }
        Ok(())
    }
}

/// The text as far as it is written.
struct Page<'p, 'e>(&'p mut DescriptorEncoder<'e>);

impl Page<'_, '_> {
    fn program(&mut self, metrics: &Metrics) -> fmt::Result {
        let mut build = self.begin(
            "build",
            "Version of the program and its commit",
            None,
            MetricType::Info,
        )?;
        let BuildInfo { version, commit, .. } = BuildInfo::of_this_executable();
        build.encode_info(&[("version", version), ("commit", commit)])?;
        let seconds = Some(&Unit::Seconds);
        let help = "When the program was started, since 1970";
        self.begin("start_timestamp", help, seconds, MetricType::Gauge)?
            .encode_gauge(&metrics.started_at().as_secs_f64())?;
        if let Some(end) = metrics.certificate_end() {
            let help = "When the certificate of the TLS listeners ends, since 1970";
            self.begin("certificate_end_timestamp", help, seconds, MetricType::Gauge)?
                .encode_gauge(&end)?;
        }
        Ok(())
    }

    fn requests(&mut self, metrics: &Metrics) -> fmt::Result {
        let help = "Requests that were answered, by what was asked for and the class of the status";
        let mut family = self.begin("http_requests", help, None, MetricType::Counter)?;
        for (kind, class, count) in metrics.requests() {
            counter(
                &mut family,
                &[("kind", kind.name()), ("status", class.name())],
                count,
            )?;
        }
        let help = "Time from the head of a request until its answer was ready";
        let seconds = Some(&Unit::Seconds);
        let mut family = self.begin("http_request_duration", help, seconds, MetricType::Histogram)?;
        for (kind, durations) in metrics.durations() {
            let labels = [("kind", kind.name())];
            histogram(&mut family.encode_family(&labels)?, &durations.read())?;
        }
        Ok(())
    }

    fn refusals(&mut self, metrics: &Metrics, connections: u64) -> fmt::Result {
        let help = "Connections of clients that are open";
        self.begin("http_connections", help, None, MetricType::Gauge)?
            .encode_gauge(&connections)?;
        let help = "Requests and connections that were refused, by the reason";
        let mut family = self.begin("http_refusals", help, None, MetricType::Counter)?;
        for (reason, count) in metrics.refusals() {
            counter(&mut family, &[("reason", reason.name())], count)?;
        }
        let help = "Inquiries that were not refused, by what came of them";
        let mut family = self.begin("inquiries", help, None, MetricType::Counter)?;
        for (result, count) in metrics.inquiries() {
            counter(&mut family, &[("result", result.name())], count)?;
        }
        Ok(())
    }

    fn store(&mut self, measured: &Measured) -> fmt::Result {
        if let Some(commits) = &measured.commits {
            let help = "Durable commits of the store: how many, and how long they took";
            let seconds = Some(&Unit::Seconds);
            let mut metric = self.begin("store_commit_duration", help, seconds, MetricType::Histogram)?;
            histogram(&mut metric, commits)?;
        }
        if let Some(bytes) = measured.store_bytes {
            let help = "Size of the store's file";
            self.begin("store_size", help, Some(&Unit::Bytes), MetricType::Gauge)?
                .encode_gauge(&bytes)?;
        }
        Ok(())
    }

    fn deliveries(&mut self, deliveries: &DeliveryCounts) -> fmt::Result {
        let help = "Mails and webhooks of inquiries that are kept, by what became of them";
        let mut family = self.begin("outbox_deliveries", help, None, MetricType::Gauge)?;
        for (state, count) in &deliveries.states {
            family.encode_family(&[("state", *state)])?.encode_gauge(count)?;
        }
        let help = "Age of the mail or webhook that has waited longest; 0 if none waits";
        let seconds = Some(&Unit::Seconds);
        let age = Duration::from_millis(deliveries.oldest_waiting_ms).as_secs_f64();
        self.begin("outbox_oldest_waiting", help, seconds, MetricType::Gauge)?
            .encode_gauge(&age)
    }

    fn begin<'s>(
        &'s mut self,
        name: &'s str,
        help: &str,
        unit: Option<&'s Unit>,
        kind: MetricType,
    ) -> Result<MetricEncoder<'s>, fmt::Error> {
        self.0.encode_descriptor(name, help, unit, kind)
    }
}

fn counter(family: &mut MetricEncoder, labels: &impl EncodeLabelSet, count: u64) -> fmt::Result {
    family
        .encode_family(labels)?
        .encode_counter::<NoLabelSet, _, f64>(&count, None)
}

fn histogram(metric: &mut MetricEncoder, durations: &Distribution) -> fmt::Result {
    metric.encode_histogram::<NoLabelSet>(durations.sum, durations.count, &durations.buckets, None)
}
