//! `taubenabwehr deliveries`: mails and webhooks on their way.

use std::io::{self, Write};

use super::delivery_view::{DeliveryView, confirmation, deliveries};
use super::failure::Failure;
use super::list::List;
use super::source::{each_dossier, each_subscription, id_of, operate};
use crate::cli::{DeliveriesAction, DeliveriesArgs};
use crate::control::client::AskError;
use crate::control::operations::{Changed, Retry};
use crate::referral::{DeliveryId, DeliveryName};
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
    let retry = match id {
        None => Retry::all(),
        Some(DeliveryName { inquiry, number }) => Retry::of(DeliveryId {
            inquiry: id_of(location, inquiry)?,
            number: *number,
        }),
    };
    let (count, inquiries) = match operate(location, retry)? {
        Changed::Done(deliveries) => (deliveries, 0),
        Changed::LetGo {
            deliveries,
            inquiries,
        } => (deliveries, inquiries),
        Changed::Refused(reason) => return Err(Failure::Refused(reason, "deliveries --failed")),
    };
    let deliveries = if count == 1 { "delivery" } else { "deliveries" };
    let inquiries = match inquiries {
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
        delivery.state == "failed" || (["waiting", "held"].contains(&delivery.state) && !args.failed)
    };
    let mut list = List::begin(args.json.json)?;
    each_dossier(location, TimeRange::default(), |dossier| {
        let mut meant = deliveries(dossier.id, &dossier.referral).filter(is_meant);
        meant.try_for_each(|delivery| list.add(&delivery))
    })?;
    each_subscription(location, |found| {
        let subscription = found.read().ok_or(AskError::Strange)?;
        let delivery = confirmation(&subscription, found.key());
        if is_meant(&delivery) {
            list.add(&delivery)?;
        }
        Ok(())
    })?;
    list.finish()
}
