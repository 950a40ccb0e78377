import { type Complain, isComponent, type TextElement, type TextNode, textsIn } from "./tree.ts";

const DIGITS = String.raw`\d[\d.,]*`;
const WORDS =
  "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|fünfzehn|zwanzig|dreißig|vierzig|fünfzig|hundert|tausend";
const MEASURES =
  "Euro|EUR|€|Cent|Prozent|%|Kilo|Kilogramm|kg|Gramm|Millimetern?|mm|Zentimetern?|cm|Metern?|m|Quadratmetern?|m²|" +
  "Kilometern?|km|Jahren?|Monaten?|Wochen|Tagen?|Stunden|Minuten|Sekunden|Kilohertz|kHz|Hertz|Volt|Grad|Bruten|Eiern?";
const COUNTED = "Punkten?|Tauben|Stadttauben|Tieren?|Vögeln?|Angeboten?";

/** A number with a unit. Numbers in words count only with units of measurement: "zwei Tauben" is not a figure. */
const FIGURE = new RegExp(
  `(?<![\\p{L}\\d§.]|§\\s)(?:${DIGITS}[\\s-]?(?:${MEASURES}|${COUNTED})|(?:${WORDS})\\s(?:${MEASURES}))(?![\\p{L}\\d])`,
  "iu",
);

/** Returns the first hand-written figure in a text, or null. */
export function findFigure(text: string) {
  return FIGURE.exec(text)?.[0] ?? null;
}

/**
 * Fails the build at a figure that does not come from `facts.toml`, so that prices and durations change in one place.
 * `<Assumption>` marks the figures of an example.
 */
export function checkFigures(nodes: readonly TextNode[], complain: Complain, around?: TextElement) {
  for (const node of nodes) {
    if (typeof node !== "string") {
      if (node.type === "Assumption" || node.type === "code") continue;
      if (isComponent(node)) checkFigures(textsIn(node.props), complain, node);
      checkFigures(node.children, complain, node);
      continue;
    }
    const figure = findFigure(node);
    if (figure && around) complain(around, explain(figure));
  }
}

function explain(figure: string) {
  return `„${figure}“: figures come from facts.toml (<Fact>, <Total>); an example's own stand in <Assumption>`;
}
