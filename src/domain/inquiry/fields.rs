//! The fields of an inquiry, each defined once. Requests and their validation, exports, stores and fingerprints are derived from
//! the list at the end of this file.

use std::borrow::Cow;

use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::choices::messages;
use super::choices::{Choice, Location, Problem, PropertyType};
use super::contact::{EmailAddress, PersonName, PhoneNumber};
use super::fault::{self, CONTACT, ErrorBody, Faults, Field};
use super::postal_code::PostalCode;
use super::text::json_text;

/// Generates everything that depends on the list of fields.
macro_rules! fields {
    ($(
        $(#[$doc:meta])*
        $name:ident: $type:ty = $parse:path, $step:expr, $message:ident;
    )*) => {
        /// The visitor's answers: an inquiry without its id and time.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Answers {
            $($(#[$doc])* pub $name: $type,)*
        }

        /// The visitor's answers, in the order of stores and exports.
        pub static ANSWERS: [Field; ANSWER_COUNT] = [$(Field {
            name: stringify!($name),
            code: concat!("invalid_", stringify!($name)),
            step: $step,
            message: messages::$message,
            hint: <$type>::hint,
        },)*];

        /// The number of answers.
        pub const ANSWER_COUNT: usize = [$(stringify!($name)),*].len();

        impl Answers {
            /// Validates the answers of a request.
            ///
            /// # Errors
            /// All invalid answers.
            pub(super) fn check(sent: &Sent) -> Result<Self, Faults> {
                let mut faults = Faults::default();
                let [$($name,)*] = &ANSWERS;
                $(let $name = faults.check($name, sent.$name.as_deref(), $parse);)*
                let answers = || Some(Self { $($name: $name?,)* });
                answers().ok_or(faults)
            }

            /// Encodes the answers one after another, in the order of [`ANSWERS`].
            pub fn encode<W: Write>(&self, encoder: &mut Encoder<W>) -> Result<(), encode::Error<W::Error>> {
                $(self.$name.encode(encoder)?;)*
                Ok(())
            }

            /// Decodes the result of [`Self::encode`]; `None` if an answer is missing or damaged.
            pub fn decode(decoder: &mut Decoder<'_>) -> Option<Self> {
                Some(Self {
                    $($name: Answer::decode(decoder)?,)*
                })
            }

            /// The bytes of each answer, in the order of [`ANSWERS`].
            pub fn to_bytes(&self) -> [Cow<'_, [u8]>; ANSWER_COUNT] {
                [$(self.$name.to_bytes(),)*]
            }

            /// The text of each answer, in the order of [`ANSWERS`].
            pub fn cells(&self) -> [Cow<'_, str>; ANSWER_COUNT] {
                [$(self.$name.to_text(),)*]
            }
        }

        /// An inquiry as sent in a request.
        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Sent {
            #[serde(default, deserialize_with = "json_text")]
            pub created_at: Option<String>,
            $(
                #[serde(default, deserialize_with = "json_text")]
                pub $name: Option<String>,
            )*
        }

        /// The keys allowed in a request.
        pub const SENT_NAMES: [&str; ANSWER_COUNT + 1] = ["created_at", $(stringify!($name),)*];

        /// The columns of a stored inquiry, in order.
        pub const COLUMNS: [&str; ANSWER_COUNT + 2] = ["id", "created_at", $(stringify!($name),)*];

        /// The columns of an export, in order: the inquiry's, then those of its outcome.
        pub const EXPORT_COLUMNS: [&str; ANSWER_COUNT + 7] = [
            "id",
            "created_at",
            $(stringify!($name),)*
            "state",
            "accepted_by",
            "addition",
            "accepted_names",
            "accepted_at",
        ];

    };
}

/// The separator of lists in exports with entries that may contain commas.
pub const LIST_SEPARATOR: &str = "; ";

// The order is that of exports, stored records and fingerprints, and therefore part of the file format: new answers go after the
// last.
//
// Type and its parser, step of the questionnaire, message.
fields! {
    /// The postal code of the building.
    postal_code: PostalCode = PostalCode::parse, 1, POSTAL_CODE;
    /// The type of building.
    property_type: PropertyType = PropertyType::find, 0, PROPERTY_TYPE;
    /// The problems with the pigeons, in the order sent; may be empty.
    types_of_problems: Vec<Problem> = Problem::parse_list, 2, TYPES_OF_PROBLEMS;
    /// The affected parts of the building, in the order sent; may be empty.
    problem_locations: Vec<Location> = Location::parse_list, 3, PROBLEM_LOCATIONS;
    /// The visitor's first name.
    first_name: PersonName = PersonName::parse, CONTACT, FIRST_NAME;
    /// The visitor's last name.
    last_name: PersonName = PersonName::parse, CONTACT, LAST_NAME;
    /// The visitor's e-mail address.
    email_address: EmailAddress = EmailAddress::parse, CONTACT, EMAIL_ADDRESS;
    /// The visitor's telephone number, as typed.
    phone_number: PhoneNumber = PhoneNumber::parse, CONTACT, PHONE_NUMBER;
}

impl EmailAddress {
    /// The error for text that is not an e-mail address.
    pub fn error() -> ErrorBody {
        let [_, _, _, _, _, _, field, _] = &ANSWERS;
        fault::wrong(field)
    }
}
