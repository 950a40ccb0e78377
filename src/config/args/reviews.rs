//! The flags of `reviews`.

use clap::{Args, Subcommand};
use jiff::Timestamp;

use super::export::Json;
use super::store::StoreArgs;
use crate::domain::referral::ReviewName;

/// List what visitors say of firms, and publish it or not
///
/// It works whether or not a server runs on the same data directory. Only visitors whose inquiry a firm has accepted
/// can say something of it, on their private page. What you publish stands on the home page from the next request on;
/// the visitor can change it, after which it waits again, or take it back.
///
/// States: waiting (nobody has decided since it was written or changed), published, rejected. Without the visitor's
/// consent it cannot be published.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr reviews --waiting\n      \
            those that wait for you\n  \
        taubenabwehr reviews publish 0123456789ab-nordnetz --written-at 2026-11-26T09:30:00.000Z\n      \
            put on the home page what the visitor with this reference says of this firm, unless it was changed since you read it")]
pub struct ReviewsArgs {
    /// What to do; list them if nothing is given.
    #[command(subcommand)]
    pub action: Option<ReviewsAction>,

    /// Only reviews that nobody has published or rejected
    #[arg(long)]
    pub waiting: bool,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// One thing that `reviews` does.
#[derive(Debug, Clone, Subcommand)]
pub enum ReviewsAction {
    /// Put a review on the home page
    Publish(JudgedReview),
    /// Keep a review off the home page, or take it from there
    Reject(JudgedReview),
}

/// A review that is published or rejected.
#[derive(Debug, Clone, Args)]
pub struct JudgedReview {
    /// Id of the review, whole or from the inquiry's reference on; where there is only one, the inquiry is enough
    #[arg(value_name = "ID")]
    pub id: ReviewName,

    /// The `written_at` of the review that you have read (`reviews --json`): if it was changed since, nothing happens
    #[arg(long, value_name = "T")]
    pub written_at: Option<Timestamp>,
}
