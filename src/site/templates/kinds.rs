//! The mails and the private pages that there are.

/// Defines an enum of templates, each with the name of its files.
macro_rules! kinds {
    ($(#[$doc:meta])* $kind:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $kind {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $kind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name of its templates.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// A mail, by whom it is for and what has happened. Its text is in `content/mails`.
    MailKind {
        /// To the operator: an inquiry has come.
        OperatorNew = "operator-new",
        /// To the operator: no firm takes an inquiry.
        OperatorUnmatched = "operator-unmatched",
        /// To the operator: an inquiry is held back, since its sender has sent many.
        OperatorHeld = "operator-held",
        /// To the operator: the visitor has withdrawn an inquiry.
        OperatorWithdrawn = "operator-withdrawn",
        /// To the operator: a firm has accepted.
        OperatorAccepted = "operator-accepted",
        /// To the operator: the mail server of a firm refuses its address.
        OperatorUnreachable = "operator-unreachable",
        /// To the operator: inquiries wait, since they may be robots'.
        OperatorSuspected = "operator-suspected",
        /// To the operator: what a day or a week has brought.
        OperatorDigest = "operator-digest",
        /// To whomever the operator names: mail leaves.
        OperatorTest = "operator-test",
        /// To a firm: would it take this inquiry?
        FirmRequest = "firm-request",
        /// To a firm that has not answered: its time ends soon.
        FirmReminder = "firm-reminder",
        /// To a firm that has accepted: whom to call.
        FirmContact = "firm-contact",
        /// To a firm that has the inquiry: the visitor has changed the text of it.
        FirmAddition = "firm-addition",
        /// To a firm that had the inquiry: the visitor has withdrawn it.
        FirmWithdrawn = "firm-withdrawn",
        /// To a firm that had the inquiry: the operator has erased it.
        FirmErased = "firm-erased",
        /// To the visitor: the inquiry has come.
        VisitorReceived = "visitor-received",
        /// To the visitor: a firm has accepted.
        VisitorAccepted = "visitor-accepted",
        /// To the visitor: no firm was found so far.
        VisitorNobody = "visitor-nobody",
        /// To the visitor: the inquiry is withdrawn.
        VisitorWithdrawn = "visitor-withdrawn",
        /// Confirms a subscription to the newsletter: was it you?
        NewsletterConfirm = "newsletter-confirm",
    }
}

kinds! {
    /// A page of the operator's desk. It is made of `ui/src/desk`.
    DeskPage {
        /// The button that logs in.
        Login = "login",
        /// The list of inquiries.
        Inbox = "inbox",
        /// Everything about one.
        Inquiry = "inquiry",
        /// The question before one is erased.
        Erase = "erase",
        /// The firms.
        Firms = "firms",
        /// The question before one is paused.
        Pause = "pause",
        /// What firms owe for a month.
        Statement = "statement",
        /// The question before a month is closed.
        Close = "close",
        /// What visitors say of firms.
        Reviews = "reviews",
        /// The way to the report.
        Report = "report",
        /// The doctor's findings.
        Health = "health",
        /// Why there is no page.
        Message = "message",
    }
}

kinds! {
    /// A page that is filled for one person, or replaces one. It is rendered from `ui/src/private`.
    PageKind {
        /// The state of a visitor's inquiry.
        Visitor = "visitor",
        /// The question before an inquiry is withdrawn.
        VisitorWithdraw = "visitor-withdraw",
        /// One firm's page for one inquiry.
        Firm = "firm",
        /// 404: no such token.
        Gone = "gone",
        /// 400 and others: the request is not what the page's form sends.
        Refused = "refused",
        /// 429: too many tokens were tried.
        Limited = "limited",
        /// 503: the store cannot be read.
        Unavailable = "unavailable",
        /// The question whether the newsletter was ordered.
        NewsletterConfirm = "newsletter-confirm",
        /// The newsletter is ordered.
        NewsletterConfirmed = "newsletter-confirmed",
        /// The question before a subscription ends.
        NewsletterUnsubscribe = "newsletter-unsubscribe",
        /// The subscription has ended.
        NewsletterUnsubscribed = "newsletter-unsubscribed",
        /// The link of the newsletter is too old.
        NewsletterExpired = "newsletter-expired",
    }
}
