//! What templates are filled with: a type for each mail and page, so that none gets a name it does not know or a value that
//! its reader must not see.

mod firm;
mod inquiry;
mod mails;
mod pages;
mod reviews;

pub use firm::{AskedState, FirmContext};
pub use inquiry::InquiryContext;
pub use mails::{
    DigestCounts, FirmAdditionMail, FirmContactMail, FirmErasureMail, FirmRequestMail, NewsletterConfirmMail,
    OperatorAcceptedMail, OperatorDigestMail, OperatorMail, OperatorSuspectedMail, OperatorUnreachableMail,
    VisitorAcceptedMail, VisitorMail, VisitorReceivedMail,
};
pub use pages::{
    ConsentContext, FirmPage, FirmState, OutcomeContext, OutcomeState, PhotoContext, PlainPage, QuestionPage,
    VisitorNotice, VisitorPage, VisitorState, VisitorWithdrawPage,
};
pub use reviews::{ReviewContext, SentReview};
