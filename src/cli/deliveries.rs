//! `taubenabwehr deliveries`: lists and retries mails and webhooks.

use super::CliError;
use super::named::{id_of, refused};
use super::output::{self, Column, say, text, time};
use crate::base::text::counted;
use crate::config::args::{DeliveriesAction, DeliveriesArgs};
use crate::control::Caller;
use crate::domain::referral::{Delivery, DeliveryName};
use crate::operate::calls::{RetryAll, RetryDeliveries};
use crate::operate::view::{confirmation, deliveries};
use crate::store::TimeRange;

const COLUMNS: [Column; 7] = [
    ("ID", 39, |listed| text(listed, "id")),
    ("KIND", 19, |listed| text(listed, "kind")),
    ("RECIPIENT", 20, |listed| text(listed, "recipient")),
    ("STATE", 9, |listed| text(listed, "state")),
    ("ATTEMPTS", 8, |listed| text(listed, "attempts")),
    // A delivery has at most one of the two.
    ("NEXT TRY OR END", 29, |listed| {
        time(listed, "next_try") + &time(listed, "ended_at")
    }),
    ("REASON", 0, |listed| text(listed, "reason")),
];

/// Lists deliveries that are waiting or have failed, or retries them.
///
/// # Errors
/// When the store cannot be read or changed, or the output cannot be written.
pub fn run(args: &DeliveriesArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data)?;
    let Some(DeliveriesAction::Retry { id }) = &args.action else {
        return list(args, &caller);
    };
    let retried = match id {
        None => caller.call(RetryAll {}),
        Some(DeliveryName { inquiry, part }) => caller.call(RetryDeliveries {
            inquiry: id_of(&caller, inquiry)?,
            number: *part,
        }),
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
    let is_meant = |delivery: &Delivery| {
        if args.failed {
            delivery.state.is_failed()
        } else {
            delivery.state.can_be_retried()
        }
    };
    let mut list = output::list(args.json.json, &COLUMNS)?;
    for record in caller.records(TimeRange::default())? {
        for (delivery, view) in deliveries(&record?) {
            if is_meant(delivery) {
                list.write(&view)?;
            }
        }
    }
    for found in caller.subscriptions()? {
        let found = found?;
        if is_meant(&found.subscription.delivery) {
            list.write(&confirmation(&found))?;
        }
    }
    Ok(list.finish()?)
}
