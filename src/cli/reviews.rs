//! The flags of `reviews`.

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};

use super::records::Json;
use super::store::{Anywhere, StoreArgs};
use crate::referral::ReviewName;

/// What `reviews` does.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "It works whether or not a server runs on the same data directory. Only visitors whose inquiry a firm has accepted \
        can say something of it, on their private page. What you publish stands on the home page from the next request on; the \
        visitor can change it, after which it waits again, or take it back.\n\n\
        States: waiting (nobody has decided since it was written or changed), published, rejected. Without the visitor's consent it \
        cannot be published.\n\n\
        Examples:\n  \
        taubenabwehr reviews --waiting\n      \
            those that wait for you\n  \
        taubenabwehr reviews publish 0123456789ab-nordnetz\n      \
            put on the home page what the visitor with this reference says of this firm"
)]
pub struct ReviewsArgs {
    /// What to do; list them if nothing is given.
    #[command(subcommand)]
    pub action: Option<ReviewsAction>,

    /// Only reviews that nobody has published or rejected
    #[arg(long, env = "TAUBENABWEHR_WAITING", value_parser = BoolishValueParser::new())]
    pub waiting: bool,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs<Anywhere>,
}

/// One thing that `reviews` does.
#[derive(Debug, Clone, Subcommand)]
pub enum ReviewsAction {
    /// Put a review on the home page
    Publish {
        /// Id of the review, whole or from the inquiry's reference on; where there is only one, the inquiry is enough
        #[arg(value_name = "ID")]
        id: ReviewName,
    },
    /// Keep a review off the home page, or take it from there
    Reject {
        /// Id of the review, likewise
        #[arg(value_name = "ID")]
        id: ReviewName,
    },
}
