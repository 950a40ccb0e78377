//! The operator's changes to an inquiry: notes, marking it as done, and corrections, which visitors can also make.

use uuid::Uuid;

use super::casework::{Corrected, Done, Note};
use super::change::{Refusal, Transition};
use super::message::Message;
use super::referral::Status;
use crate::domain::inquiry::Correction;

/// The maximum number of corrections on record, of which the latest remain. The visitor's page has no separate limit.
const MAX_CORRECTED: usize = 100;

/// The maximum number of mails about corrections to one firm per inquiry: a visitor who keeps changing the number must not fill the
/// firm's mailbox. The firm's private page always shows the latest answers.
const MAX_CORRECTION_MAILS: usize = 10;

impl Transition<'_> {
    pub(super) fn note(&mut self, text: &str) -> Result<bool, Refusal> {
        self.must_be_there()?;
        let note = Note {
            at: self.now,
            text: text.to_owned(),
        };
        self.referral.casework.get_or_insert_default().notes.push(note);
        Ok(true)
    }

    /// Marks the inquiry as done, or takes that back.
    pub(super) fn mark(&mut self, is_done: bool) -> Result<bool, Refusal> {
        self.must_be_there()?;
        if self.referral.is_done() == is_done {
            return Ok(false);
        }
        self.referral.casework.get_or_insert_default().done = is_done.then_some(Done(self.now));
        Ok(true)
    }

    /// Records which answers are corrected, mails the firms that have accepted, and fills free places among the firms that match a
    /// new postal code. The store replaces the answers in the same transaction.
    pub(super) fn correct(&mut self, correction: &Correction, read: Option<Uuid>) -> Result<bool, Refusal> {
        self.must_be_there()?;
        self.must_be_current(read)?;
        let mut corrected = self.answers.ok_or(Refusal::Unknown)?.clone();
        let fields = correction.apply(&mut corrected);
        if fields.is_empty() {
            return Ok(false);
        }
        let at = self.now;
        let known = &mut self.referral.casework.get_or_insert_default().corrected;
        known.extend(fields.iter().map(|&field| Corrected {
            at,
            field: field.to_owned(),
        }));
        known.drain(..known.len().saturating_sub(MAX_CORRECTED));
        let firms = self.referral.numbered();
        let accepted = firms.filter(|(_, asked)| asked.answer.is_accepted());
        for firm in accepted.map(|(firm, _)| firm).collect::<Vec<_>>() {
            let (mail, earlier) = (Message::FirmCorrected(firm), Message::FirmContact(firm));
            self.send_latest(mail, earlier, MAX_CORRECTION_MAILS);
        }
        // Without a server no firms are known; the next one matches the inquiry again.
        let is_matched = self.referral.status == Status::Active && self.matching.is_serving;
        if is_matched && fields.contains(&"postal_code") {
            let mut moved = Transition {
                referral: &mut *self.referral,
                answers: Some(&corrected),
                matching: &mut *self.matching,
                ..*self
            };
            moved.match_again();
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use minicbor::Encode;

    use super::*;
    use crate::domain::referral::asked::Asked;
    use crate::domain::referral::casework::{Casework, note_text};
    use crate::domain::referral::delivery::Delivery;
    use crate::domain::referral::photos::PhotoList;
    use crate::domain::referral::referral::Referral;

    /// A referral as written by builds without notes.
    #[derive(Default, Encode)]
    #[cbor(context_bound = "Copy + Into<i64>")]
    struct Before {
        #[n(0)]
        status: Status,
        #[n(1)]
        consent: Option<u16>,
        #[n(2)]
        addition: String,
        #[n(3)]
        asked: Vec<Asked>,
        #[n(4)]
        deliveries: Vec<Delivery>,
        #[n(5)]
        is_unmatched: bool,
        #[n(6)]
        photos: Option<PhotoList>,
    }

    fn encode(value: impl Encode<i64>) -> Vec<u8> {
        minicbor::to_vec_with(value, &mut 0).unwrap()
    }

    fn decode(bytes: &[u8]) -> Referral {
        minicbor::decode_with(bytes, &mut 0_i64).unwrap()
    }

    #[test]
    fn a_referral_without_casework_is_read_and_written_as_before() {
        for photos in [None, Some(PhotoList::default())] {
            let before = encode(Before {
                consent: Some(2),
                addition: "Hof".to_owned(),
                photos,
                ..Before::default()
            });
            let read = decode(&before);
            assert_eq!(
                (read.consent, &*read.addition, &read.casework),
                (Some(2), "Hof", &None)
            );
            assert_eq!(encode(read), before);
        }
    }

    #[test]
    fn casework_is_read_as_it_was_written() {
        let at = Timestamp::UNIX_EPOCH;
        let written = Referral {
            casework: Some(Casework {
                notes: vec![Note {
                    at,
                    text: "AB besprochen".to_owned(),
                }],
                done: Some(Done(at)),
                corrected: vec![Corrected {
                    at,
                    field: "phone_number".to_owned(),
                }],
            }),
            ..Referral::default()
        };
        let read = decode(&encode(&written));
        assert_eq!(read, written);
        assert!(read.is_done());
    }

    #[test]
    fn a_note_has_1_to_2000_characters() {
        assert_eq!(
            note_text(" ruft\r\nzurück \u{1b}").as_deref(),
            Some("ruft\nzurück")
        );
        assert!(note_text(&"ü".repeat(2000)).is_some());
        for wrong in ["", " \n", &"ü".repeat(2001)] {
            assert_eq!(note_text(wrong), None);
        }
    }
}
