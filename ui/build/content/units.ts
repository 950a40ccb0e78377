export type Unit = { word: string | null; dative?: string; per: string | null };

/**
 * The units of `facts.toml` and how they are written: the word, its dative if different, and what the amount refers to.
 * Months of the year are names and have no word.
 */
const units = {
  EUR: { word: "Euro", per: null },
  "EUR/m": { word: "Euro", per: "je Meter" },
  "EUR/m²": { word: "Euro", per: "je m²" },
  "EUR/Gerät": { word: "Euro", per: "je Gerät" },
  "EUR/Jahr": { word: "Euro", per: "im Jahr" },
  Jahre: { word: "Jahre", dative: "Jahren", per: null },
  Monat: { word: null, per: null },
  Monate: { word: "Monate", dative: "Monaten", per: null },
  Wochen: { word: "Wochen", per: null },
  Tage: { word: "Tage", dative: "Tagen", per: null },
  Stunden: { word: "Stunden", per: null },
  "Stunden/Schicht": { word: "Stunden", per: "je Schicht" },
  Prozent: { word: "Prozent", per: null },
  mm: { word: "mm", per: null },
  cm: { word: "cm", per: null },
  m: { word: "m", per: null },
  km: { word: "km", per: null },
  kHz: { word: "kHz", per: null },
  "kg/Jahr": { word: "kg", per: "im Jahr" },
  "Bruten/Jahr": { word: "Bruten", per: "im Jahr" },
  Eier: { word: "Eier", dative: "Eiern", per: null },
  Tauben: { word: "Stadttauben", per: null },
  Angebote: { word: "Angebote", dative: "Angeboten", per: null },
} satisfies Record<string, Unit>;

export type UnitName = keyof typeof units;

export const UNITS: Readonly<Record<UnitName, Unit>> = units;

export const unitNames = Object.keys(units) as UnitName[];

/** The unit whose numbers are months of the year. */
export const MONTH = "Monat";
