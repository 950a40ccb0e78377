//! Deliveries that are to be tried.

use std::fmt;

use jiff::Timestamp;

use crate::newsletter::Subscription;
use crate::referral::{Delivery, DeliveryId, Dossier};

/// What was found due.
#[derive(Debug, Default)]
pub struct Claimed {
    /// The deliveries to be tried.
    pub claims: Vec<Claim>,
    /// When the next one of the lane is due, if none is left that is due now.
    pub next: Option<Timestamp>,
}

/// A delivery that is to be tried, and then settled. Dropping it lets the delivery go.
#[derive(Debug)]
pub struct Claim {
    /// Names it for good.
    pub id: DeliveryId,
    /// The delivery as it was when it was claimed.
    pub delivery: Delivery,
    /// What it is about.
    pub what: Delivering,
    /// Keeps others from trying it.
    pub(super) _hold: Box<dyn Hold>,
}

/// Keeps others from trying a delivery, until it is dropped.
pub(super) trait Hold: fmt::Debug + Send + Sync {}

/// What a delivery is about.
#[derive(Debug)]
pub enum Delivering {
    /// An inquiry.
    Inquiry(Box<Dossier>),
    /// A subscription to the newsletter.
    Subscription(Box<Subscription>),
}
