//! The fields of an inquiry, each defined once. Requests, exports, stores, fingerprints and the description of the API
//! all follow from the list at the end of this file.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::{Answer, Stored};
use super::choices::{Location, Problem};
use super::contact::{EmailAddress, PersonName, PhoneNumber};
use super::postal_code::PostalCode;
use super::property::PropertyType;
use super::text::json_text;

/// The separator of lists in exports whose entries may contain commas.
pub const LIST_SEPARATOR: &str = "; ";

/// One of a visitor's answers, for code that treats all of them alike.
pub struct Field {
    /// Its name in requests, exports and messages.
    pub name: &'static str,
    /// Whether a request must hold it.
    pub is_required: bool,
    /// An example for the description of the API; empty if its type has one.
    pub example: &'static str,
    /// Describes its text as JSON Schema.
    pub schema: fn() -> Value,
}

/// Defines everything that lists the fields.
macro_rules! fields {
    (
        stored { $($(#[$stored_doc:meta])* $stored:ident,)* }
        answers { $(
            $(#[$doc:meta])*
            $name:ident: $type:ty, $required:literal, $example:literal,
        )* }
        outcome { $($(#[$outcome_doc:meta])* $outcome:ident,)* }
    ) => {
        /// What a visitor answered: an inquiry without its id and time.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Answers {
            $($(#[$doc])* pub $name: $type,)*
        }

        /// The visitor's answers, in the order in which stores and exports hold them.
        pub const ANSWERS: [Field; ANSWER_COUNT] = [$(Field {
            name: stringify!($name),
            is_required: $required,
            example: $example,
            schema: <$type>::schema,
        },)*];

        const ANSWER_COUNT: usize = [$(stringify!($name)),*].len();

        impl Answers {
            /// Returns what stores keep of each answer, in the order of [`ANSWERS`].
            pub fn to_stored(&self) -> [Stored<'_>; ANSWER_COUNT] {
                [$(self.$name.to_stored(),)*]
            }

            /// Builds the answers from what [`Self::to_stored`] returned; `next` returns one after the other. `None`
            /// if one is missing or damaged.
            pub fn from_stored<'a>(mut next: impl FnMut() -> Option<Stored<'a>>) -> Option<Self> {
                Some(Self {
                    $($name: <$type>::from_stored(next()?)?,)*
                })
            }
        }

        /// An inquiry as a request holds it, borrowed from the request where there are no escapes.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Sent<'a> {
            #[serde(borrow, default, deserialize_with = "json_text")]
            pub created_at: Option<Cow<'a, str>>,
            $(
                #[serde(borrow, default, deserialize_with = "json_text")]
                pub $name: Option<Cow<'a, str>>,
            )*
        }

        /// The names of what a request may hold.
        pub const SENT_NAMES: [&str; ANSWER_COUNT + 1] = ["created_at", $(stringify!($name),)*];

        /// The columns of a stored inquiry, in order.
        pub const COLUMNS: [&str; COLUMN_COUNT] = [$(stringify!($stored),)* $(stringify!($name),)*];

        /// The columns of an export: those of the inquiry, then its outcome.
        pub const EXPORT_COLUMNS: [&str; EXPORT_COLUMN_COUNT] =
            [$(stringify!($stored),)* $(stringify!($name),)* $(stringify!($outcome),)*];

        const COLUMN_COUNT: usize = [$(stringify!($stored)),*].len() + ANSWER_COUNT;

        const EXPORT_COLUMN_COUNT: usize = COLUMN_COUNT + [$(stringify!($outcome)),*].len();

        /// One stored inquiry as text, under [`COLUMNS`].
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Row<'a> {
            $(
                $(#[$stored_doc])*
                #[serde(borrow)]
                pub $stored: Cow<'a, str>,
            )*
            $(
                $(#[$doc])*
                #[serde(borrow)]
                pub $name: Cow<'a, str>,
            )*
        }

        impl<'a> Row<'a> {
            /// Builds the row of a visitor's answers and of what else the store knows.
            pub fn new($($stored: impl Into<Cow<'a, str>>,)* answers: &'a Answers) -> Self {
                Self {
                    $($stored: $stored.into(),)*
                    $($name: answers.$name.to_text(),)*
                }
            }

            /// Returns the texts in the order of [`COLUMNS`].
            pub fn cells(&self) -> [&str; COLUMN_COUNT] {
                [$(&self.$stored,)* $(&self.$name,)*]
            }
        }

        /// One stored inquiry and its outcome as text, under [`EXPORT_COLUMNS`].
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub struct ExportRow<'a> {
            $(
                $(#[$stored_doc])*
                #[serde(borrow)]
                pub $stored: Cow<'a, str>,
            )*
            $(
                $(#[$doc])*
                #[serde(borrow)]
                pub $name: Cow<'a, str>,
            )*
            $(
                $(#[$outcome_doc])*
                #[serde(borrow)]
                pub $outcome: Cow<'a, str>,
            )*
        }

        impl<'a> ExportRow<'a> {
            /// Adds the outcome to an inquiry.
            pub fn new(inquiry: Row<'a>, $($outcome: impl Into<Cow<'a, str>>,)*) -> Self {
                Self {
                    $($stored: inquiry.$stored,)*
                    $($name: inquiry.$name,)*
                    $($outcome: $outcome.into(),)*
                }
            }

            /// Returns the texts in the order of [`EXPORT_COLUMNS`].
            pub fn cells(&self) -> [&str; EXPORT_COLUMN_COUNT] {
                [$(&self.$stored,)* $(&self.$name,)* $(&self.$outcome,)*]
            }
        }
    };
}

// The order is that of exports, of stored records and of fingerprints: files hold it, so that answers are only added
// after the last.
fields! {
    stored {
        /// `UUIDv7`.
        id,
        /// When the inquiry was made, in UTC.
        created_at,
    }
    // Type, whether it is required, an example where the type alone has none.
    answers {
        /// Where the pigeons are.
        postal_code: PostalCode, true, "",
        /// What kind of building it is.
        property_type: PropertyType, true, "",
        /// What the pigeons do, in the order the visitor's browser sent it; may be empty.
        types_of_problems: Vec<Problem>, false, "",
        /// Where at the building, in the order sent; may be empty.
        problem_locations: Vec<Location>, false, "",
        /// The visitor's first name.
        first_name: PersonName, true, "Änne",
        /// The visitor's last name.
        last_name: PersonName, true, "Krause",
        /// The visitor's e-mail address.
        email_address: EmailAddress, true, "",
        /// The visitor's telephone number, as typed.
        phone_number: PhoneNumber, true, "",
    }
    outcome {
        /// The state of the inquiry in one word.
        state,
        /// The ids of the firms that have accepted it, joined by `,`.
        accepted_by,
        /// What the visitor has added.
        addition,
        /// The names of these firms as they were then, joined by `; `.
        accepted_names,
        /// When they accepted, in UTC, joined by `; `.
        accepted_at,
    }
}
