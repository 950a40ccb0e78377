import type { Check } from "./checks.ts";

/** Selects links to the questionnaire. */
export const LINKS = 'a[href^="/fragebogen"]';

/** Other permitted labels: headings of steps, labels of cards, names of tiles. */
const OTHER_LABELS = new Set([
  "Angebot anfordern",
  "Angebote einholen",
  "Anfrage stellen",
  "Fragebogen",
  "Anfrage noch einmal stellen",
]);
const THE_LABEL = "Angebote anfragen";
const TILES = ".hero-tile, .property-picker-tile";

/** Collects the labels of links to the questionnaire. */
export function actionNames(): { check: Check; others: () => string[] } {
  const names = new Map<string, string>();
  const check: Check = {
    name: "every link to the questionnaire says where it leads",
    look: async (page, path) => {
      const texts = await page
        .locator(LINKS)
        .evaluateAll(
          (links, tiles) => links.filter((one) => !one.matches(tiles)).map((one) => one.textContent.trim()),
          TILES,
        );
      for (const text of texts) names.set(text, path);
      return texts.includes("") ? ["a link has no text"] : [];
    },
  };
  const others = () => {
    if (!names.has(THE_LABEL)) return [`no link says ${THE_LABEL}`];
    return [...names].flatMap(([name, path]) =>
      name === THE_LABEL || OTHER_LABELS.has(name) ? [] : [`${path}: ${name}`],
    );
  };
  return { check, others };
}
