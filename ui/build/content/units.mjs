/**
 * The units of `facts.toml` and how each is written: the amount's word, and what the amount is for. Months of the year
 * are no amounts but names.
 */
export const UNITS = {
  EUR: { word: "Euro", per: null },
  "EUR/m": { word: "Euro", per: "je Meter" },
  "EUR/m²": { word: "Euro", per: "je m²" },
  "EUR/Gerät": { word: "Euro", per: "je Gerät" },
  "EUR/Jahr": { word: "Euro", per: "im Jahr" },
  Jahre: { word: "Jahre", per: null },
  Monat: { word: null, per: null },
  Monate: { word: "Monate", per: null },
  Prozent: { word: "Prozent", per: null },
  cm: { word: "cm", per: null },
  "kg/Jahr": { word: "kg", per: "im Jahr" },
  "Bruten/Jahr": { word: "Bruten", per: "im Jahr" },
  Eier: { word: "Eier", per: null },
  Tauben: { word: "Stadttauben", per: null },
  Punkte: { word: "Punkte", per: null },
};

/** The unit whose numbers are months of the year. */
export const MONTH = "Monat";
