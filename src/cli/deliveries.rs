//! `taubenabwehr deliveries`: mails and webhooks on their way.

use super::CliError;
use super::named::{id_of, refused};
use super::output::{Cell, List, ListEntry, counted, say};
use crate::config::args::{DeliveriesAction, DeliveriesArgs};
use crate::control::Caller;
use crate::domain::referral::{DeliveryId, DeliveryName};
use crate::operate::calls::{RetryAll, RetryDelivery, RetryInquiry};
use crate::operate::view::{DeliveryView, confirmation, deliveries};
use crate::store::TimeRange;

/// Lists deliveries that wait or have failed, or tries them again.
///
/// # Errors
/// When that was not done.
pub fn run(args: &DeliveriesArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data.location)?;
    let Some(DeliveriesAction::Retry { id }) = &args.action else {
        return list(args, &caller);
    };
    let retried = match id {
        None => caller.call(RetryAll {}),
        Some(DeliveryName { inquiry, part }) => {
            let inquiry = id_of(&caller, inquiry)?;
            match *part {
                None => caller.call(RetryInquiry { id: inquiry }),
                Some(number) => caller.call(RetryDelivery {
                    id: DeliveryId { inquiry, number },
                }),
            }
        }
    };
    let retried = retried.map_err(|error| refused(error, "deliveries --failed"))?;
    let deliveries = counted(retried.deliveries, "delivery", "deliveries");
    let inquiries = match retried.inquiries {
        0 => String::new(),
        1 => "1 inquiry that stood still since the restore goes on\n".to_owned(),
        count => format!("{count} inquiries that stood still since the restore go on\n"),
    };
    say(format!("{deliveries} will be tried again\n{inquiries}"));
    Ok(())
}

fn list(args: &DeliveriesArgs, caller: &Caller) -> Result<(), CliError> {
    let is_meant = |delivery: &DeliveryView| {
        if args.failed {
            delivery.state.is_failed()
        } else {
            delivery.state.can_be_retried()
        }
    };
    let mut list = List::begin(args.json.json)?;
    for record in caller.records(TimeRange::default())? {
        let record = record?;
        for delivery in deliveries(record.id, &record.referral).filter(is_meant) {
            list.add(&delivery)?;
        }
    }
    for found in caller.subscriptions()? {
        let delivery = confirmation(&found?);
        if is_meant(&delivery) {
            list.add(&delivery)?;
        }
    }
    Ok(list.finish()?)
}

impl ListEntry for DeliveryView {
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
