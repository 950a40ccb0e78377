import type { Root } from "mdast";
import type { VFile } from "vfile";
import type { Component } from "./attributes.ts";
import { visit } from "unist-util-visit";
import { attributeNames, COMPONENTS } from "./attributes.ts";

export type Attributes = Readonly<Record<string, boolean>>;

/**
 * The components that a text may use, with their attributes; `true` marks required ones. `src/prose/components.tsx`
 * registers the same components (a test compares them).
 */
export const BLOCKS: Readonly<Record<string, Attributes>> = {
  IfSetting: { name: true },
  UnlessSetting: { name: true },
  OperatorText: { name: true },
  OperatorAddress: {},
  Figure: { drawing: true, text: true, description: false, isWide: false },
  Claim: { name: true },
  Checklist: { title: false },
  Note: { kind: true },
  QuoteBox: { label: false, source: false },
  FaqBlock: {},
  Question: { title: true },
  ProductCard: {
    name: true,
    suits: true,
    strengths: true,
    weaknesses: true,
    price: false,
    life: false,
    search: false,
  },
  ProductComparison: { criteria: true, products: true },
  CallToActionCard: { title: true, text: true, problem: false, propertyType: false },
  Hamburg: { topics: true, title: false },
  PropertyPicker: { title: false },
  NextSteps: { title: true, problem: false, propertyType: false },
  PriceChart: { facts: true, title: true, isCompact: false },
  SeasonChart: { title: false },
};

/** What looks like a component in a text, but is replaced by words (`fact-insert.ts`). */
const INSERTS: Readonly<Record<string, Attributes>> = {
  Fact: { name: true, bare: false, dative: false, least: false },
  Origin: { name: true },
  Total: { of: true, over: false, share: false, partial: false, dative: false },
  Payback: { cost: true, saves: true, upkeep: true, dative: false },
  Assumption: {},
};

const KNOWN: Readonly<Record<string, Attributes>> = { ...BLOCKS, ...INSERTS };

/** HTML elements are written in lower case and are not checked. */
const COMPONENT = /^[A-Z]/;

/** Ends the compilation at the first component that is unknown or has wrong attributes. */
export function checkBlocks(tree: Root, file: VFile) {
  visit(tree, COMPONENTS, (node) => {
    const { name } = node;
    if (!name || !COMPONENT.test(name)) return;
    const complain: (message: string) => never = (message) => file.fail(message, node);
    const known = KNOWN[name];
    if (!known) return complain(`<${name}>: unknown component; known are ${Object.keys(KNOWN).join(", ")}`);
    const given = attributeNames(node);
    for (const one of given) {
      if (!Object.hasOwn(known, one)) complain(`<${name} ${one}>: unknown attribute; ${listOf(known)}`);
    }
    for (const [one, isRequired] of Object.entries(known)) {
      if (isRequired && !given.includes(one)) complain(`<${name}>: ${one} is missing`);
    }
    if (name === "UnlessSetting" && hasHeading(node)) {
      complain("<UnlessSetting>: the table of contents would always list the heading in it; put the heading in front");
    }
  });
}

function listOf(known: Attributes) {
  const names = Object.keys(known);
  return names.length > 0 ? `known are ${names.join(", ")}` : "it takes none";
}

function hasHeading(node: Component) {
  let isFound = false;
  visit(node, "heading", () => void (isFound = true));
  return isFound;
}
