import mails from "../../generated/mails.json" with { type: "json" };

/** German for the words that commands use, which come from `src/domain/referral` and `src/operate/doctor`. */
export const STATES = {
  suspected: "verdächtig",
  received: "eingegangen",
  asked: "gefragt",
  accepted: "angenommen",
  unmatched: "ohne Betrieb",
  withdrawn: "zurückgezogen",
  erased: "gelöscht",
} as const;

/** What the inbox can be narrowed to. */
export const FILTERS = { ...STATES, failed: "nicht zugestellt", done: "erledigt" } as const;

export const ANSWERS = {
  pending: "noch keine Antwort",
  accepted: "angenommen",
  declined: "abgelehnt",
  silent: "keine Antwort",
  unreachable: "nicht erreicht",
} as const;

export const DELIVERIES = {
  waiting: "wartet",
  delivered: "zugestellt",
  failed: "nicht zugestellt",
  cancelled: "nicht mehr nötig",
  held: "zurückgehalten",
} as const;

export const KINDS = {
  ...Object.fromEntries(mails.map(({ name, label }) => [name, label])),
  "inquiry.created": "Webhook: neue Anfrage",
  "inquiry.accepted": "Webhook: angenommen",
  "inquiry.declined": "Webhook: abgelehnt",
  "inquiry.unmatched": "Webhook: kein Betrieb",
  "inquiry.withdrawn": "Webhook: zurückgezogen",
};

export const REVIEWS = { waiting: "wartet", published: "veröffentlicht", rejected: "abgelehnt" } as const;

export const LEVELS = { ok: "in Ordnung", warning: "Warnung", error: "Fehler" } as const;

export const OUTCOMES = { open: "noch offen", order: "Auftrag erhalten", none: "kein Auftrag" } as const;

/** What each check of the doctor looks at, and what depends on it. */
export const CHECKS = {
  settings: "Einstellungen des Servers",
  imprint: "Impressum: Wer steht darin?",
  public_address: "Adresse der Website: Erreichen Besucher sie?",
  proxy: "Vorgeschalteter Server (Proxy)",
  certificate: "Zertifikat der Website: Zeigt der Browser sie ohne Warnung?",
  clock: "Uhr des Servers",
  claims: "Aussagen auf der Website, für die ein Beleg fehlt",
  firm_check: "Prüfung eines Betriebs: Bis wann gilt sie?",
  firm_mail: "E-Mail eines Betriebs: Nimmt sein Mailserver sie an?",
  secrets: "Passwörter und Schlüssel: Wer kann sie lesen?",
  disk: "Festplatte: Ist noch Platz?",
  mail: "E-Mails: Gehen sie hinaus?",
  webhook: "Webhook: Nimmt die Gegenseite ihn an?",
  backup: "Sicherung: Wie alt ist die letzte?",
  deliveries: "Nachrichten, die warten oder nicht ankamen",
  retention: "Löschfristen",
  reviews: "Bewertungen, die auf Sie warten",
} as const;
