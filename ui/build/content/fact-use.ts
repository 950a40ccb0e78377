import type { Root } from "mdast";
import type { VFile } from "vfile";
import type { Complain, Component } from "./attributes.ts";
import type { Facts } from "./facts.ts";
import { visit } from "unist-util-visit";
import { attributeNames, COMPONENTS, listAttribute, literalAttribute, textAttribute } from "./attributes.ts";

/** Attributes of a product that are names of facts. */
const PRODUCT_FACTS = ["price", "life"];

export type Product = Record<string, unknown>;

/** A fact, and a number or another fact that says how often it counts. */
export type Part = [string, number | string];

/** Returns a remark plugin that ends the build at the line where a text shows a fact that is not in `facts.toml`. */
export function checkFactUse(facts: Facts) {
  return () => (tree: Root, file: VFile) => {
    visit(tree, COMPONENTS, (node) => {
      CHECKS.get(node.name ?? "")?.(facts, node, (message) => file.fail(message, node));
    });
  };
}

const CHECKS: Map<string, (facts: Facts, node: Component, complain: Complain) => void> = new Map([
  ["Fact", (facts, node, complain) => checkNames(facts, [textAttribute(node, "name", complain)], complain)],
  ["Origin", (facts, node, complain) => checkNames(facts, [textAttribute(node, "name", complain)], complain)],
  ["Total", checkTotal],
  [
    "Payback",
    (facts, node, complain) => {
      for (const name of ["cost", "saves", "upkeep"]) checkParts(facts, partsOf(node, name, complain), complain);
    },
  ],
  ["PriceChart", checkChart],
  ["ProductCard", (facts, node, complain) => checkProduct(facts, asProduct(node), complain)],
  [
    "ProductComparison",
    (facts, node, complain) => {
      const products = literalAttribute(node, "products");
      if (!Array.isArray(products)) return complain("<ProductComparison> wants products={[{ … }]}");
      for (const product of products) checkProduct(facts, product, complain);
    },
  ],
]);

/** Returns the fact of that name. */
export function findFact(facts: Facts, name: string, complain: Complain) {
  // Not `facts[name]` alone: every object has a `toString`.
  const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
  return fact ?? complain(`there is no fact ${name} in facts.toml`);
}

/** Complains about unknown facts, and about facts of different units, since a chart has one axis. */
export function checkNames(facts: Facts, names: readonly string[], complain: Complain) {
  const found = names.map((name) => findFact(facts, name, complain));
  const units = new Set(found.map(({ unit }) => unit.name));
  if (units.size > 1) complain(`a chart has one unit, these facts have ${[...units].join(" and ")}`);
}

/** Returns the parts of a `<Total>` or a `<Payback>`. */
export function partsOf(node: Component, name: string, complain: Complain): Part[] {
  const parts = literalAttribute(node, name);
  if (!Array.isArray(parts) || parts.length === 0 || !parts.every(isPart)) {
    complain(`<${node.name}> wants ${name}={[["a fact", 10], …]}: each a fact and how often it counts`);
  }
  return parts;
}

function isPart(part: unknown): part is Part {
  return Array.isArray(part) && part.length === 2 && ["number", "string"].includes(typeof part[1]);
}

function checkTotal(facts: Facts, node: Component, complain: Complain): void {
  checkParts(facts, partsOf(node, "of", complain), complain);
  const over = literalAttribute(node, "over");
  if (over !== undefined) checkNames(facts, [String(over)], complain);
}

function checkParts(facts: Facts, parts: readonly Part[], complain: Complain): void {
  for (const part of parts) {
    for (const name of part) if (typeof name !== "number") checkNames(facts, [name], complain);
  }
}

function checkChart(facts: Facts, node: Component, complain: Complain): void {
  textAttribute(node, "title", complain);
  checkNames(facts, listAttribute(node, "facts", complain), complain);
}

function asProduct(node: Component): Product {
  return Object.fromEntries(attributeNames(node).map((name) => [name, literalAttribute(node, name)]));
}

/** Checks that prices and durations of a product are names of facts, not numbers. */
function checkProduct(facts: Facts, product: Product, complain: Complain) {
  for (const key of PRODUCT_FACTS) {
    const name = product[key];
    if (name === undefined) continue;
    if (typeof name !== "string") complain(`${String(product.name)}: ${key} must be the name of a fact`);
    checkNames(facts, [name], complain);
  }
}
