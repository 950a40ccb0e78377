//! What a command asks of whoever has the store: carried out by the server, or by the command itself where there is none.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::{Store, Unavailable};

/// One thing that a command asks for. It and its answer travel as JSON.
pub trait Operation: Serialize + DeserializeOwned + Send + 'static {
    /// Path of the POST.
    const PATH: &'static str;

    /// Whether it changes anything, so that one whose answer is lost may have been carried out.
    const CHANGES: bool;

    /// What it answers.
    type Answer: Serialize + DeserializeOwned + Send;

    /// Carries it out.
    fn run(self, store: Arc<Store>) -> impl Future<Output = Result<Self::Answer, Unavailable>> + Send;
}
