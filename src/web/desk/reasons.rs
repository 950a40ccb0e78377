//! Why nothing was changed, in German. Commands say the same in English.

use crate::domain::ledger::ClosingRefusal;
use crate::domain::referral::Refusal;

/// Says why something did not happen.
pub fn of_change(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Unknown => "Diese Anfrage gibt es nicht mehr.",
        Refusal::Damaged => "Die Anfrage ist beschädigt; lassen Sie den Befehl check laufen.",
        Refusal::Withdrawn => "Die Anfrage ist zurückgezogen.",
        Refusal::TooLate => "Es haben schon genug Betriebe angenommen.",
        Refusal::TooManyAsked => {
            "Für diese Anfrage sind schon so viele Betriebe gefragt, wie eine Anfrage haben kann."
        }
        Refusal::Changed => "Der Text hat sich geändert, seit Sie ihn gelesen haben.",
        Refusal::OtherPrice => "Der Preis hat sich inzwischen geändert.",
        Refusal::Answered => "Der Betrieb hat schon geantwortet.",
        Refusal::TooLong => "Der Text ist länger als 2.000 Zeichen.",
        Refusal::Held => "Die Anfrage wird zurückgehalten; geben Sie sie zuerst frei.",
        Refusal::UnknownFirm => "Diesen Betrieb kennt die Konfiguration nicht.",
        Refusal::Unreachable => {
            "Der Betrieb ist nicht zu erreichen: Sein Mailserver lehnt die Adresse ab. Berichtigen Sie sie in der Konfiguration."
        }
        Refusal::AskedBefore => "Der Betrieb ist schon gefragt.",
        Refusal::NotHeld => "Die Anfrage wird nicht zurückgehalten.",
        Refusal::NotAccepted => "Der Betrieb hat die Anfrage nicht angenommen.",
        Refusal::NoReview => "Die Person hat ihre Bewertung zurückgenommen.",
        Refusal::NoConsent => "Die Person hat der Veröffentlichung nicht zugestimmt.",
        Refusal::NotFailed => "Diese Zustellung wartet nicht und ist nicht gescheitert.",
    }
}

/// Says why a month stays open.
pub fn of_closing(refusal: ClosingRefusal) -> &'static str {
    match refusal {
        ClosingRefusal::NotOver(_) => "Der Monat ist noch nicht vorbei.",
    }
}
