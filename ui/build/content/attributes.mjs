/** @import { Expression, Pattern } from "estree" */
/** @import { MdxJsxAttribute, MdxJsxAttributeValueExpression, MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx-jsx" */

/** Reads the attributes of components in texts. Only literals are supported, so that no code of a text is run. */

/** @typedef {MdxJsxFlowElement | MdxJsxTextElement} Component */
/** @typedef {(message: string) => never} Complain */
/** @typedef {MdxJsxAttribute["value"]} Value */

/** The types of a component's nodes in a tree. */
export const COMPONENTS = /** @type {const} */ (["mdxJsxFlowElement", "mdxJsxTextElement"]);

/**
 * Returns the value of an attribute that must be a plain text.
 *
 * @param {Component} node
 * @param {string} name
 * @param {Complain} complain
 */
export function textAttribute(node, name, complain) {
  const value = attribute(node, name);
  if (typeof value !== "string") complain(`<${node.name}> wants ${name}="…"`);
  return value;
}

/**
 * Returns the value of an attribute that must be a list of plain texts.
 *
 * @param {Component} node
 * @param {string} name
 * @param {Complain} complain
 */
export function listAttribute(node, name, complain) {
  const names = literal(attribute(node, name));
  const isText = (/** @type {unknown} */ one) => typeof one === "string";
  if (!Array.isArray(names) || names.length === 0 || !names.every(isText)) {
    complain(`<${node.name}> wants ${name}={["…"]}`);
  }
  return names;
}

/**
 * Returns the value of an attribute that is a literal: a text, number, list or object. Otherwise returns undefined.
 *
 * @param {Component} node
 * @param {string} name
 * @returns {unknown}
 */
export function literalAttribute(node, name) {
  const value = attribute(node, name);
  return value !== null && typeof value === "object" ? literal(value) : value;
}

/**
 * Tells whether an attribute is there, with or without a value, as in `<Fact name="net" bare />`.
 *
 * @param {Component} node
 * @param {string} name
 */
export function hasAttribute(node, name) {
  return attributeNames(node).includes(name);
}

/**
 * Returns the names of all attributes of a component.
 *
 * @param {Component} node
 */
export function attributeNames({ attributes }) {
  return attributes.flatMap((one) => (one.type === "mdxJsxAttribute" ? [one.name] : []));
}

/**
 * Returns every text in the attributes of a component, including those in lists and objects.
 *
 * @param {Component} node
 */
export function attributeTexts({ attributes }) {
  return attributes.flatMap(({ value }) => textsIn(typeof value === "string" ? value : literal(value)));
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function textsIn(value) {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * @param {Component} node
 * @param {string} name
 * @returns {Value}
 */
function attribute({ attributes }, name) {
  return attributes.find((one) => one.type === "mdxJsxAttribute" && one.name === name)?.value;
}

/** @param {Value} value */
function literal(value) {
  const [statement] = /** @type {MdxJsxAttributeValueExpression} */ (value)?.data?.estree?.body ?? [];
  return statement?.type === "ExpressionStatement" ? fromExpression(statement.expression) : undefined;
}

/**
 * @param {Expression | Pattern | { type: "SpreadElement" } | null} expression
 * @returns {unknown}
 */
function fromExpression(expression) {
  switch (expression?.type) {
    case "Literal":
      return expression.value;
    case "ArrayExpression":
      return expression.elements.map(fromExpression);
    case "ObjectExpression":
      return Object.fromEntries(
        expression.properties.flatMap((property) =>
          property.type === "Property" ? [[keyOf(property.key), fromExpression(property.value)]] : [],
        ),
      );
    default:
      return undefined;
  }
}

/** @param {{ type: string, name?: string, value?: unknown }} key */
function keyOf({ name, value }) {
  return name ?? String(value);
}
