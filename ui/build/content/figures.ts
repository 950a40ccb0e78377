import type { Root } from "mdast";
import type { VFile } from "vfile";
import { SKIP, visit } from "unist-util-visit";
import { attributeTexts } from "./attributes.ts";

const DIGITS = String.raw`\d[\d.,]*`;
const WORDS =
  "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|fünfzehn|zwanzig|dreißig|vierzig|fünfzig|hundert|tausend";
const MEASURES =
  "Euro|EUR|€|Cent|Prozent|%|Kilo|Kilogramm|kg|Gramm|Millimetern?|mm|Zentimetern?|cm|Metern?|m|Quadratmetern?|m²|" +
  "Kilometern?|km|Jahren?|Monaten?|Wochen|Tagen?|Stunden|Minuten|Sekunden|Kilohertz|kHz|Hertz|Volt|Grad|Bruten|Eiern?";
const COUNTED = "Punkten?|Tauben|Stadttauben|Tieren?|Vögeln?|Angeboten?";

/** A number with a unit. Numbers in words count only with units of measurement: "zwei Tauben" is no figure. */
const FIGURE = new RegExp(
  `(?<![\\p{L}\\d§.]|§\\s)(?:${DIGITS}[\\s-]?(?:${MEASURES}|${COUNTED})|(?:${WORDS})\\s(?:${MEASURES}))(?![\\p{L}\\d])`,
  "iu",
);

/** Returns the first figure that is written by hand in a text, or null. */
export function findFigure(text: string) {
  return FIGURE.exec(text)?.[0] ?? null;
}

/**
 * Returns a remark plugin that ends the build at a figure that does not come from `facts.toml`, so that prices and
 * durations are changed in one place. `<Assumption>` marks the figures of an example.
 */
export function checkFigures() {
  return (tree: Root, file: VFile) =>
    visit(tree, (node) => {
      const isComponent = node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
      if (isComponent && node.name === "Assumption") return SKIP;
      const texts = isComponent ? attributeTexts(node) : node.type === "text" ? [node.value] : [];
      for (const text of texts) {
        const figure = findFigure(text);
        if (figure) file.fail(explain(figure), node);
      }
      return undefined;
    });
}

function explain(figure: string) {
  return `„${figure}“: figures come from facts.toml (<Fact>, <Total>); an example's own stand in <Assumption>`;
}
