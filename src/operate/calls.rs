//! Calls that can be sent to a running server: each is a type that names its answer. Without a server, a command runs the same call
//! on the store that it opens itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::doctor::StoreState;
use super::error::CallError;
use super::operations::{FoundInquiry, Operations};
use super::report::FirmFigures;
use super::retry::Retried;
use crate::domain::commission::Percent;
use crate::domain::inquiry::{Correction, Person};
use crate::domain::ledger::{Acceptance, Month, Statement};
use crate::domain::matching::{FirmId, Pause, RequestHistory};
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{Change, FoundReview, InquiryRecord, ReviewId, Verdict};
use crate::store::{Erasure, Facts, Findings, TimeRange};

/// A request by an operator.
pub trait Call: Serialize + DeserializeOwned + Send {
    /// The response.
    type Answer: Serialize + DeserializeOwned + Send;

    /// The name of the call on the socket.
    const NAME: &'static str;

    /// Whether it changes anything. If the answer to such a call is lost, the call may still have been carried out.
    const CHANGES: bool;

    /// Carries out the call.
    fn run(self, operations: &Operations) -> impl Future<Output = Result<Self::Answer, CallError>> + Send;
}

macro_rules! calls {
    ($($(#[$doc:meta])* $changes:literal $name:ident { $($field:ident: $type:ty),* } -> $answer:ty = |$by:ident| $run:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Serialize, Deserialize)]
            #[serde(deny_unknown_fields)]
            #[allow(missing_docs, reason = "they are the parameters of what it runs")]
            pub struct $name { $(pub $field: $type),* }

            impl Call for $name {
                type Answer = $answer;
                const NAME: &'static str = stringify!($name);
                const CHANGES: bool = $changes;

                async fn run(self, operations: &Operations) -> Result<$answer, CallError> {
                    let Self { $($field),* } = self;
                    let $by = operations;
                    $run.await.map_err(|error| match CallError::from(error) {
                        CallError::Unreadable if $changes => CallError::Unwritable,
                        error => error,
                    })
                }
            }
        )*

        /// Carries out the call `name` with JSON `fields`, and returns the answer as JSON. `None` if the call is unknown or its
        /// fields are invalid.
        pub async fn answer(
            operations: &Operations,
            name: &str,
            fields: &[u8],
        ) -> Option<Result<Vec<u8>, CallError>> {
            match name {
                $($name::NAME => Box::pin(answer_one::<$name>(operations, fields)).await,)*
                _ => None,
            }
        }
    };
}

async fn answer_one<C: Call>(operations: &Operations, fields: &[u8]) -> Option<Result<Vec<u8>, CallError>> {
    let call: C = serde_json::from_slice(fields).ok()?;
    let answer = call.run(operations).await;
    let written = |answer| serde_json::to_vec(&answer).map_err(|error| CallError::Failed(error.to_string()));
    Some(answer.and_then(written))
}

calls! {
    /// [`Operations::inquiry`]
    false ShowInquiry { id: Uuid } -> Option<FoundInquiry> = |by| by.inquiry(id);
    /// [`Operations::photo`]
    false ShowPhoto { id: Uuid, number: u16 } -> Option<String> = |by| by.photo(id, number);
    /// [`crate::store::Store::asks`]
    false ReadRequestHistory {} -> HashMap<FirmId, RequestHistory> = |by| by.store.asks();
    /// [`Operations::firm_figures`]
    false CountAnswers { range: TimeRange } -> BTreeMap<FirmId, FirmFigures> = |by| by.firm_figures(range);
    /// [`Operations::knows_firm`]
    false KnowsFirm { firm: FirmId } -> bool = |by| by.knows_firm(firm);
    /// [`Operations::report`]
    false WriteReport { range: TimeRange, names: BTreeMap<FirmId, String>, site: String } -> String = |by| by.report(range, names, &site);
    /// [`Operations::statement`]
    false ShowStatement { month: Month, firm: Option<FirmId>, vat: Option<Percent> } -> Statement = |by| by.statement(month, firm, vat);
    /// [`crate::store::Store::all_acceptances`]
    false ListAcceptances {} -> Vec<Acceptance> = |by| by.store.all_acceptances();
    /// [`crate::store::Store::reviews`]
    false ListReviews {} -> Vec<FoundReview> = |by| by.store.reviews();
    /// [`crate::store::Store::facts`]
    false ReadFacts {} -> Facts = |by| by.store.facts();
    /// [`Operations::store_state`]
    false ReadStoreState {} -> StoreState = |by| by.store_state();
    /// [`crate::store::Store::check`]
    false CheckRecords {} -> Findings = |by| by.store.check();
    /// [`crate::store::Store::erase`]
    true Erase { what: Erasure } -> u64 = |by| by.store.erase(what);
    /// [`Change::Release`]
    true ReleaseInquiry { id: Uuid, read: Option<Uuid> } -> InquiryRecord = |by| by.store.update(id, Change::Release(read));
    /// [`Change::Ask`]
    true AskFirm { id: Uuid, firm: FirmId } -> InquiryRecord = |by| by.store.update(id, Change::Ask(firm));
    /// [`Change::Note`]
    true NoteInquiry { id: Uuid, text: String } -> InquiryRecord = |by| by.store.update(id, Change::Note(text));
    /// [`Change::Mark`]
    true MarkInquiry { id: Uuid, is_done: bool } -> InquiryRecord = |by| by.store.update(id, Change::Mark(is_done));
    /// [`Change::Correct`]
    true CorrectInquiry { id: Uuid, correction: Correction, read: Option<Uuid> } -> InquiryRecord =
        |by| by.store.update(id, Change::Correct(correction, read));
    /// [`Change::Judge`]
    true JudgeReview { id: ReviewId, verdict: Verdict, read: Option<Timestamp> } -> InquiryRecord =
        |by| by.store.update(id.inquiry, Change::Judge(id.firm, verdict, read));
    /// [`Operations::pause`]
    true PauseFirm { firm: FirmId, pause: Pause } -> u64 = |by| by.pause(firm, pause);
    /// [`Operations::resume`]
    true ResumeFirm { firm: FirmId } -> () = |by| by.resume(firm);
    /// [`Operations::retry`]
    true RetryDeliveries { inquiry: Uuid, number: Option<u16> } -> Retried = |by| by.retry(inquiry, number);
    /// [`Operations::retry_all`]
    true RetryAll {} -> Retried = |by| by.retry_all();
    /// [`Operations::person`]
    false FindPerson { person: Person } -> (BTreeSet<Uuid>, Vec<Subscription>) = |by| by.person(&person);
    /// [`Operations::erase_person`]
    true ErasePerson { person: Person } -> u64 = |by| by.erase_person(&person);
    /// [`Operations::credit`]
    true CreditAcceptance { inquiry: Uuid, firm: FirmId, reason: String } -> Acceptance = |by| by.credit(inquiry, firm, reason);
    /// [`Operations::close_month`]
    true CloseMonth { month: Month, vat: Option<Percent> } -> () = |by| by.close_month(month, vat);
    /// [`crate::store::Store::offer_desk_code`]
    true OfferDeskCode {} -> (String, Option<String>) = |by| by.store.offer_desk_code();
    /// [`crate::store::Store::end_desk_sessions`]
    true EndDeskSessions {} -> u64 = |by| by.store.end_desk_sessions();
    /// [`crate::store::Store::note_backup`]
    true NoteBackup { made_at: Timestamp } -> () = |by| by.store.note_backup(made_at);
    /// [`crate::store::Store::believe_clock`]
    true BelieveClock {} -> () = |by| by.store.believe_clock();
}
