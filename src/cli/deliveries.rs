//! `taubenabwehr deliveries`: mails and webhooks on their way.

use std::io::{self, Write};

use super::failure::Failure;
use super::list::{Cell, Entry, List};
use super::named::{id_of, refused};
use crate::config::args::{DeliveriesAction, DeliveriesArgs};
use crate::domain::referral::{DeliveryId, DeliveryName, Refusal};
use crate::operate::view::{DeliveryView, confirmation, deliveries};
use crate::operate::{Request, Retried, find, records, subscriptions};
use crate::store::TimeRange;

/// Lists deliveries that wait or have failed, or tries them again.
///
/// # Errors
/// When that was not done.
pub fn run(args: &DeliveriesArgs) -> Result<(), Failure> {
    let location = &args.data.location;
    let Some(DeliveriesAction::Retry { id }) = &args.action else {
        return list(args);
    };
    let request = match id {
        None => Request::Retry(None),
        Some(DeliveryName { inquiry, number }) => {
            let inquiry = id_of(location, inquiry)?;
            match *number {
                None => Request::RetryInquiry(inquiry),
                Some(number) => Request::Retry(Some(DeliveryId { inquiry, number })),
            }
        }
    };
    let retried: Result<Retried, Refusal> = find(location, &request)?;
    let retried = retried.map_err(|refusal| refused(refusal, "deliveries --failed"))?;
    let count = retried.deliveries;
    let deliveries = if count == 1 { "delivery" } else { "deliveries" };
    let inquiries = match retried.inquiries {
        0 => String::new(),
        1 => "1 inquiry that stood still since the restore goes on\n".to_owned(),
        count => format!("{count} inquiries that stood still since the restore go on\n"),
    };
    // That is so even if standard output is closed.
    let _ = write!(
        io::stdout(),
        "{count} {deliveries} will be tried again\n{inquiries}"
    );
    Ok(())
}

fn list(args: &DeliveriesArgs) -> Result<(), Failure> {
    let location = &args.data.location;
    let is_meant = |delivery: &DeliveryView| {
        if args.failed {
            delivery.state.is_failed()
        } else {
            delivery.state.can_be_retried()
        }
    };
    let mut list = List::begin(args.json.json)?;
    for record in records(location, TimeRange::default())? {
        let record = record?;
        for delivery in deliveries(record.id, &record.referral).filter(is_meant) {
            list.add(&delivery)?;
        }
    }
    for found in subscriptions(location)? {
        let delivery = confirmation(&found?);
        if is_meant(&delivery) {
            list.add(&delivery)?;
        }
    }
    Ok(list.finish()?)
}

impl Entry for DeliveryView {
    fn row(&self) -> Vec<Cell> {
        let time = self.next_try.or(self.ended_at);
        vec![
            ("ID", 39, self.id.clone()),
            ("KIND", 19, self.kind.to_owned()),
            ("RECIPIENT", 20, self.recipient.clone()),
            ("STATE", 9, self.state.id().to_owned()),
            ("ATTEMPTS", 8, self.attempts.to_string()),
            (
                "NEXT TRY OR END",
                29,
                time.map(|time| time.to_string()).unwrap_or_default(),
            ),
            ("REASON", 0, self.reason.clone().unwrap_or_default()),
        ]
    }
}
