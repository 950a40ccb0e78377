/**
 * The components that a text may use, with their attributes; `true` marks those that must be there. What stands here
 * is what `src/prose/components.tsx` registers (a test compares them).
 */
export const BLOCKS = {
  IfSetting: { name: true },
  OperatorText: { name: true },
  OperatorAddress: {},
  Abbildung: { drawing: true, text: true },
  Checklist: { title: false },
  Hinweis: { art: true },
  QuoteBox: { label: false, source: false },
  FaqBlock: {},
  Question: { title: true },
  ProductCard: { name: true, rating: true, suits: true, strengths: true, weaknesses: true, facts: false, search: false },
  ProductComparison: { criteria: true, products: true },
  CallToActionCard: { title: true, text: true },
  PropertyPicker: { title: false },
  NextSteps: { title: true, button: false },
  Fact: { name: true, bare: false },
  PriceChart: { facts: true, title: true, isCompact: false },
  SeasonChart: { title: false },
};

/** HTML elements are written in lower case and are not our business. */
const COMPONENT = /^[A-Z]/;

/** Ends the compilation at the first component that is unknown or wrongly written, with its line. */
export function checkBlocks(tree, file) {
  visitBlocks(tree, (node) => {
    const complain = (message) => file.fail(message, node);
    if (!Object.hasOwn(BLOCKS, node.name)) {
      complain(`<${node.name}>: unknown component; known are ${Object.keys(BLOCKS).join(", ")}`);
    }
    const known = BLOCKS[node.name];
    const given = node.attributes.map(({ name }) => name);
    for (const name of given) {
      if (!Object.hasOwn(known, name)) complain(`<${node.name} ${name}>: unknown attribute; ${listOf(known)}`);
    }
    for (const name of Object.keys(known).filter((one) => known[one])) {
      if (!given.includes(name)) complain(`<${node.name}>: ${name} is missing`);
    }
  });
}

function listOf(known) {
  const names = Object.keys(known);
  return names.length > 0 ? `known are ${names.join(", ")}` : "it takes none";
}

function visitBlocks(node, look) {
  if (node.type.startsWith("mdxJsx") && COMPONENT.test(node.name ?? "")) look(node);
  for (const child of node.children ?? []) visitBlocks(child, look);
}
