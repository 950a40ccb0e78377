//! What waits for the writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::oneshot;

use super::operation::Job;
use crate::referral::Plan;
use crate::store::erasure::Erasure;
use crate::store::error::EraseError;

/// Requests that may wait. Fewer than the server has connections, so that a disk that has become slow is answered by
/// 503 at once, and not by connections that all wait. At 60,000 inquiries a second the last one waits some 20 ms. Each
/// takes about half a kilobyte.
pub const LIMIT: usize = 1024;

/// What the writer is asked for.
pub enum Message {
    /// An operation that is committed together with others.
    Write(Box<dyn Job>),
    /// A new file in the place of the one in use.
    Rewrite(Rewrite),
    /// Inquiries are handled by this plan from now on.
    Follow(Arc<Plan>),
}

/// Why a new file takes the place of the one in use.
pub enum Rewrite {
    /// Inquiries are erased.
    Erase {
        /// Which ones.
        what: Erasure,
        /// Told when it begins. When nobody listens any more, nothing is erased.
        begun: oneshot::Sender<Progress>,
        /// Told how many were erased.
        reply: oneshot::Sender<Result<u64, EraseError>>,
    },
    /// Much of the file is free.
    Compact {
        /// Told whether it was worth it and done.
        reply: oneshot::Sender<bool>,
    },
}

/// How far a rewrite has come.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Counts a step.
    pub fn step(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of steps so far.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
