//! Why nothing was changed, in German. Commands say the same in English.

use crate::referral::Refusal;

/// The refusals that an operator can run into.
const REASONS: [(Refusal, &str); 13] = [
    (Refusal::Unknown, "Diese Anfrage gibt es nicht mehr."),
    (
        Refusal::Damaged,
        "Die Anfrage ist beschädigt; lassen Sie den Befehl check laufen.",
    ),
    (Refusal::Withdrawn, "Die Anfrage ist zurückgezogen."),
    (Refusal::TooLate, "Es haben schon genug Betriebe angenommen."),
    (Refusal::Answered, "Der Betrieb hat schon geantwortet."),
    (
        Refusal::Held,
        "Die Anfrage wird zurückgehalten; geben Sie sie zuerst frei.",
    ),
    (
        Refusal::UnknownFirm,
        "Diesen Betrieb kennt die Konfiguration nicht.",
    ),
    (Refusal::AskedBefore, "Der Betrieb ist schon gefragt."),
    (Refusal::NotHeld, "Die Anfrage wird nicht zurückgehalten."),
    (
        Refusal::NotAccepted,
        "Der Betrieb hat die Anfrage nicht angenommen.",
    ),
    (Refusal::NoReview, "Die Person hat ihre Bewertung zurückgenommen."),
    (
        Refusal::NoConsent,
        "Die Person hat der Veröffentlichung nicht zugestimmt.",
    ),
    (
        Refusal::NotFailed,
        "Diese Zustellung wartet nicht und ist nicht gescheitert.",
    ),
];

/// Returns a reason in German; what is none of these stays as it is.
pub fn german(reason: &str) -> String {
    if reason.ends_with("is not over yet") {
        return "Der Monat ist noch nicht vorbei.".to_owned();
    }
    let mut reasons = REASONS.iter();
    let known = reasons.find(|(refusal, _)| refusal.to_string() == reason);
    known.map_or(reason, |(_, text)| text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::ClosingRefusal;

    #[test]
    fn reasons_are_german() {
        let month = "2026-11".parse().unwrap();
        let closing = ClosingRefusal::NotOver(month).to_string();
        assert_eq!(german(&closing), "Der Monat ist noch nicht vorbei.");
        assert_eq!(
            german("the firm was asked before"),
            "Der Betrieb ist schon gefragt."
        );
    }
}
