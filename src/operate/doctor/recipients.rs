//! Checks whether the mail server and the webhook can be reached, without sending anything.

use std::time::Duration;

use super::Finding;
use crate::config::Config;
use crate::outbox::mail::{self, SmtpTransport};
use crate::outbox::webhook::{self, WebhookEndpoint};

/// Shorter than in the outbox, since an operator is waiting. Servers that slow down spammers take up to half a minute.
const STEP: Duration = Duration::from_secs(40);

/// Connects to the mail server, encrypts the connection, and logs in.
pub async fn mail(config: &Config) -> Finding {
    const CHECK: &str = "mail";
    let Some(settings) = config.handling.mail.clone() else {
        return Finding::warning(
            CHECK,
            "not configured: nobody is told of inquiries by mail",
            "add [mail] to the configuration file, as `taubenabwehr config sample` prints it",
        );
    };
    let server = format!("{} port {}", settings.server.host, settings.server.port);
    let host = config
        .flags
        .public_url
        .as_ref()
        .map_or("localhost", |origin| origin.host());
    let times = mail::SmtpTimes {
        step: STEP,
        whole: STEP,
    };
    match SmtpTransport::new(settings, host, times).check().await {
        Ok(()) => Finding::ok(CHECK, format!("{server} would take mail")),
        Err(error) => Finding::error(
            CHECK,
            error.to_string(),
            "correct [mail] in the configuration file, or ask whoever runs the mail server; `config check` says what is read",
        ),
    }
}

/// Connects to the webhook's server.
pub async fn webhook(config: &Config) -> Finding {
    const CHECK: &str = "webhook";
    let Some(webhook) = config.handling.notify.webhook.clone() else {
        return Finding::ok(CHECK, "not configured");
    };
    let host = webhook.url.host().unwrap_or_default().to_owned();
    match WebhookEndpoint::new(webhook, webhook::STEP_TIME).check().await {
        Ok(()) => Finding::ok(CHECK, format!("{host} can be connected to")),
        Err(error) => Finding::error(
            CHECK,
            error.to_string(),
            "correct notify.webhook in the configuration file, or see that its receiver runs",
        ),
    }
}
