/** @import { Root } from "mdast" */
/** @import { VFile } from "vfile" */
/** @import { Complain, Component } from "./attributes.mjs" */
/** @import { Facts } from "./facts.mjs" */
/** @import { Part } from "./total.mjs" */
import { visit } from "unist-util-visit";
import { attributeNames, COMPONENTS, listAttribute, literalAttribute, textAttribute } from "./attributes.mjs";

/** Attributes of a product that are names of facts. */
const PRODUCT_FACTS = ["price", "life"];

/** @typedef {Record<string, unknown>} Product */

/**
 * Returns a remark plugin that ends the build at the line where a text shows a fact that is not in `facts.toml`.
 *
 * @param {Facts} facts
 */
export function checkFactUse(facts) {
  return () => (/** @type {Root} */ tree, /** @type {VFile} */ file) => {
    visit(tree, COMPONENTS, (node) => {
      CHECKS.get(node.name ?? "")?.(facts, node, (message) => file.fail(message, node));
    });
  };
}

/** @type {Map<string, (facts: Facts, node: Component, complain: Complain) => void>} */
const CHECKS = new Map([
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

/**
 * Returns the fact of that name.
 *
 * @param {Facts} facts
 * @param {string} name
 * @param {Complain} complain
 */
export function findFact(facts, name, complain) {
  // Not `facts[name]` alone: every object has a `toString`.
  const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
  return fact ?? complain(`there is no fact ${name} in facts.toml`);
}

/**
 * Complains about unknown facts, and about facts of different units, since a chart has one axis.
 *
 * @param {Facts} facts
 * @param {readonly string[]} names
 * @param {Complain} complain
 */
export function checkNames(facts, names, complain) {
  const found = names.map((name) => findFact(facts, name, complain));
  const units = new Set(found.map(({ unit }) => unit.name));
  if (units.size > 1) complain(`a chart has one unit, these facts have ${[...units].join(" and ")}`);
}

/**
 * Returns the parts of a `<Total>` or a `<Payback>`.
 *
 * @param {Component} node
 * @param {string} name
 * @param {Complain} complain
 * @returns {Part[]}
 */
export function partsOf(node, name, complain) {
  const parts = literalAttribute(node, name);
  if (!Array.isArray(parts) || parts.length === 0 || !parts.every(isPart)) {
    complain(`<${node.name}> wants ${name}={[["a fact", 10], …]}: each a fact and how often it counts`);
  }
  return parts;
}

/**
 * @param {unknown} part
 * @returns {part is Part}
 */
function isPart(part) {
  return Array.isArray(part) && part.length === 2 && ["number", "string"].includes(typeof part[1]);
}

/** @type {(facts: Facts, node: Component, complain: Complain) => void} */
function checkTotal(facts, node, complain) {
  checkParts(facts, partsOf(node, "of", complain), complain);
  const over = literalAttribute(node, "over");
  if (over !== undefined) checkNames(facts, [String(over)], complain);
}

/** @type {(facts: Facts, parts: readonly Part[], complain: Complain) => void} */
function checkParts(facts, parts, complain) {
  for (const part of parts) {
    for (const name of part) if (typeof name !== "number") checkNames(facts, [name], complain);
  }
}

/** @type {(facts: Facts, node: Component, complain: Complain) => void} */
function checkChart(facts, node, complain) {
  textAttribute(node, "title", complain);
  checkNames(facts, listAttribute(node, "facts", complain), complain);
}

/**
 * @param {Component} node
 * @returns {Product}
 */
function asProduct(node) {
  return Object.fromEntries(attributeNames(node).map((name) => [name, literalAttribute(node, name)]));
}

/**
 * Checks that prices and durations of a product are names of facts, not numbers.
 *
 * @param {Facts} facts
 * @param {Product} product
 * @param {Complain} complain
 */
function checkProduct(facts, product, complain) {
  for (const key of PRODUCT_FACTS) {
    const name = product[key];
    if (name === undefined) continue;
    if (typeof name !== "string") complain(`${String(product.name)}: ${key} must be the name of a fact`);
    checkNames(facts, [name], complain);
  }
}
