//! `taubenabwehr mail test`: sends a mail with the server's settings, and prints the mail server's reply.

use clap::error::ErrorKind;
use serde_json::json;
use tokio::runtime::Builder;
use uuid::Uuid;

use super::output::{print, print_json};
use super::{CliError, usage};
use crate::base::text::mail_address::Address;
use crate::base::text::mail_address::one_line;
use crate::base::text::origin::Origin;
use crate::config::ConfigFile;
use crate::config::args::MailAction;
use crate::config::settings::SiteSettings;
use crate::outbox::mail::{self, Outgoing, SmtpTransport, mailbox};
use crate::outbox::sending::SendError;
use crate::site::Promises;
use crate::site::templates::{Templates, context};

/// Sends a test mail.
///
/// # Errors
/// When the mail server did not accept the mail; wrong usage without a configuration file.
pub fn run(action: &MailAction, file: Option<&ConfigFile>) -> Result<(), CliError> {
    let MailAction::Test {
        address,
        json,
        public_url,
        site,
    } = action;
    let missing = "--config <FILE> is required: its table [mail] says how mail leaves";
    let file = file.ok_or_else(|| usage(ErrorKind::MissingRequiredArgument, missing))?;
    let settings = file.handling()?.mail;
    let settings =
        settings.ok_or("the configuration file has no [mail]; `taubenabwehr config sample` prints one")?;
    let site = match site {
        Some(path) => file.read_site(path)?,
        None => SiteSettings::embedded()?,
    };
    let origin = public_url
        .clone()
        .map_or_else(|| Origin::parse("http://localhost"), Ok)?;
    let server = format!("{}:{}", settings.server.host, settings.server.port);
    let transport = SmtpTransport::new(settings, origin.host(), mail::SmtpTimes::default());
    let test = write(address, &site, &origin)?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let answer = runtime
        .block_on(transport.send(&test))
        .map_err(|error| refusal(&error))?;
    let recipient = address.to_string();
    if json.json {
        return print_json(&json!({ "recipient": recipient, "server": server, "answer": answer }));
    }
    print(&format!("{server} has taken the mail to {recipient}: {answer}\n"))
}

fn write(address: &Address, site: &SiteSettings, origin: &Origin) -> Result<Outgoing, CliError> {
    let mail = Templates::new(site, origin, &Promises::default()).mail("operator-test", &context! {})?;
    Ok(Outgoing {
        message_id: format!("{}@{}", Uuid::now_v7(), origin.host()),
        to: mailbox(None, address),
        reply_to: None,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
    })
}

fn refusal(error: &SendError) -> String {
    let answer = error.answer.as_deref().map(one_line);
    let answer = answer.map_or_else(String::new, |answer| format!(" (it said: {answer})"));
    format!(
        "{}{answer}; correct [mail] in the configuration file, or the address",
        error.reason
    )
}
