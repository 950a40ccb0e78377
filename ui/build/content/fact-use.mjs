import { listAttribute, literalAttribute, textAttribute } from "./attributes.mjs";
import { walkComponents } from "./walk.mjs";

/** What a product takes from the facts. */
const PRODUCT_FACTS = ["rating", "price", "life"];

/** A remark plugin that ends the build at the line where a text shows a fact that is not in `facts.toml`. */
export function checkFactUse(facts) {
  const checks = {
    Fact: (node, complain) => checkNames(facts, [textAttribute(node, "name", complain)], complain),
    Total: (node, complain) => checkTotal(facts, node, complain),
    PriceChart: (node, complain) => checkChart(facts, node, complain),
    ProductCard: (node, complain) => checkProduct(facts, asProduct(node), complain),
    ProductComparison: (node, complain) => {
      const products = literalAttribute(node, "products");
      if (!Array.isArray(products)) complain("<ProductComparison> wants products={[{ … }]}");
      for (const product of products) checkProduct(facts, product, complain);
    },
  };
  return () => (tree, file) => {
    walkComponents(tree, (node) => checks[node.name]?.(node, (message) => file.fail(message, node)));
  };
}

/** Complains about names that are no facts, and about facts of several units: a chart has one axis. */
export function checkNames(facts, names, complain) {
  for (const name of names) {
    if (!Object.hasOwn(facts, name)) complain(`there is no fact ${name} in facts.toml`);
  }
  const units = new Set(names.map((name) => facts[name].unit.name));
  if (units.size > 1) complain(`a chart has one unit, these facts have ${[...units].join(" and ")}`);
}

function checkChart(facts, node, complain) {
  textAttribute(node, "title", complain);
  checkNames(facts, listAttribute(node, "facts", complain), complain);
}

function checkTotal(facts, node, complain) {
  const parts = literalAttribute(node, "of");
  const isPart = (part) => Array.isArray(part) && part.length === 2 && ["number", "string"].includes(typeof part[1]);
  if (!Array.isArray(parts) || parts.length === 0 || !parts.every(isPart)) {
    complain('<Total> wants of={[["a fact", 10], …]}: each a fact and how often it counts');
  }
  for (const part of parts) {
    for (const name of part.filter((one) => typeof one !== "number")) checkNames(facts, [name], complain);
  }
  const over = literalAttribute(node, "over");
  if (over !== undefined) checkNames(facts, [over], complain);
}

function asProduct(node) {
  return Object.fromEntries(node.attributes.map(({ name }) => [name, literalAttribute(node, name)]));
}

/** Ratings, prices and durations of products are names of facts, never numbers. */
function checkProduct(facts, product, complain) {
  for (const key of PRODUCT_FACTS.filter((one) => product[one] !== undefined)) {
    if (typeof product[key] !== "string") complain(`${product.name}: ${key} must be the name of a fact`);
    checkNames(facts, [product[key]], complain);
  }
}
