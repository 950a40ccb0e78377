import { walkComponents } from "./walk.mjs";

/**
 * The components that a text may use, with their attributes; `true` marks those that must be there. What stands here
 * is what `src/prose/components.tsx` registers (a test compares them).
 */
export const BLOCKS = {
  IfSetting: { name: true },
  UnlessSetting: { name: true },
  OperatorText: { name: true },
  OperatorAddress: {},
  Abbildung: { drawing: true, text: true },
  Checklist: { title: false },
  Hinweis: { art: true },
  QuoteBox: { label: false, source: false },
  FaqBlock: {},
  Question: { title: true },
  ProductCard: {
    name: true,
    rating: false,
    suits: true,
    strengths: true,
    weaknesses: true,
    price: false,
    life: false,
    search: false,
  },
  ProductComparison: { criteria: true, products: true },
  CallToActionCard: { title: true, text: true },
  PropertyPicker: { title: false },
  NextSteps: { title: true, button: false },
  PriceChart: { facts: true, title: true, isCompact: false },
  SeasonChart: { title: false },
};

/** What stands in a text like a component, but is replaced by words before that (`fact-insert.mjs`). */
const INSERTS = {
  Fact: { name: true, bare: false, dativ: false },
  Total: { of: true, over: false, dativ: false },
  Annahme: {},
};

const KNOWN = { ...BLOCKS, ...INSERTS };

/** HTML elements are written in lower case and are not our business. */
const COMPONENT = /^[A-Z]/;

/** Ends the compilation at the first component that is unknown or wrongly written, with its line. */
export function checkBlocks(tree, file) {
  walkComponents(tree, (node) => {
    if (!COMPONENT.test(node.name ?? "")) return;
    const complain = (message) => file.fail(message, node);
    if (!Object.hasOwn(KNOWN, node.name)) {
      complain(`<${node.name}>: unknown component; known are ${Object.keys(KNOWN).join(", ")}`);
    }
    const known = KNOWN[node.name];
    const given = node.attributes.map(({ name }) => name);
    for (const name of given) {
      if (!Object.hasOwn(known, name)) complain(`<${node.name} ${name}>: unknown attribute; ${listOf(known)}`);
    }
    for (const name of Object.keys(known).filter((one) => known[one])) {
      if (!given.includes(name)) complain(`<${node.name}>: ${name} is missing`);
    }
    if (node.name === "UnlessSetting" && hasHeading(node)) {
      complain("<UnlessSetting>: the table of contents would always list the heading in it; put the heading in front");
    }
  });
}

function listOf(known) {
  const names = Object.keys(known);
  return names.length > 0 ? `known are ${names.join(", ")}` : "it takes none";
}

function hasHeading(node) {
  return node.type === "heading" || (node.children ?? []).some(hasHeading);
}
