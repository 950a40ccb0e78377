/** Heading and introduction of a category's page. */
export interface CategoryText {
  heading: string;
  intro: string;
}

const TEXTS: { keywords: RegExp; text: CategoryText }[] = [
  {
    keywords: /balkon|terrasse/,
    text: {
      heading: "Tauben vom Balkon fernhalten",
      intro:
        "Auf Balkon und Terrasse kommt es auf lückenlose Netze, saubere Brüstungen und die Zustimmung des Vermieters an. Diese Artikel zeigen, was erlaubt ist und was hält.",
    },
  },
  {
    keywords: /kosten|preis/,
    text: {
      heading: "Was Taubenabwehr kostet",
      intro:
        "Preise je Meter und Quadratmeter, typische Zusatzposten und wer die Rechnung trägt: So ordnen Sie ein Angebot richtig ein.",
    },
  },
  {
    keywords: /produkt|spikes|netz/,
    text: {
      heading: "Spikes, Netze und Geräte im Vergleich",
      intro:
        "Welche Systeme dauerhaft wirken, worauf Sie beim Kauf achten sollten und wann sich die Montage durch einen Fachbetrieb lohnt.",
    },
  },
];

/** The texts for a category, chosen by keywords in its name (spec, section 2). */
export function categoryText(name: string): CategoryText {
  const found = TEXTS.find(({ keywords }) => keywords.test(name.toLowerCase()));
  return found?.text ?? genericText(name);
}

function genericText(name: string): CategoryText {
  return {
    heading: `Ratgeber zum Thema ${name}`,
    intro: `Alle Artikel zum Thema ${name}: verständlich erklärt für Eigentümer, Mieter und Verwaltungen in Hamburg und Umgebung.`,
  };
}
