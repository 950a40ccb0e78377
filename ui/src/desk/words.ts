/** German for the words of the commands, each list by the words of `src/referral` and `src/doctor`. */
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
export const FILTERS = { ...STATES, failed: "Zustellung gescheitert" } as const;

export const ANSWERS = {
  pending: "noch keine Antwort",
  accepted: "angenommen",
  declined: "abgelehnt",
  silent: "keine Antwort",
} as const;

export const DELIVERIES = {
  waiting: "wartet",
  delivered: "zugestellt",
  failed: "gescheitert",
  cancelled: "nicht mehr nötig",
  held: "zurückgehalten",
} as const;

export const KINDS = {
  "operator-new": "Neue Anfrage",
  "operator-unmatched": "Kein Betrieb",
  "operator-held": "Zurückgehalten",
  "operator-withdrawn": "Zurückgezogen",
  "operator-accepted": "Angenommen",
  "firm-request": "Anfrage an Betrieb",
  "firm-reminder": "Erinnerung an Betrieb",
  "firm-contact": "Kontaktdaten an Betrieb",
  "firm-addition": "Ergänzung an Betrieb",
  "firm-withdrawn": "Rückzug an Betrieb",
  "firm-erased": "Löschung an Betrieb",
  "visitor-received": "Eingangsbestätigung",
  "visitor-accepted": "Betrieb gefunden",
  "visitor-nobody": "Noch kein Betrieb",
} as const;

export const REVIEWS = { waiting: "wartet", published: "veröffentlicht", rejected: "abgelehnt" } as const;

export const LEVELS = { ok: "in Ordnung", warning: "Warnung", error: "Fehler" } as const;

export const OUTCOMES = { open: "noch offen", order: "Auftrag erhalten", none: "kein Auftrag" } as const;
