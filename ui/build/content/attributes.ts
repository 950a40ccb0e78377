import type { Expression, Pattern } from "estree";
import type {
  MdxJsxAttribute,
  MdxJsxAttributeValueExpression,
  MdxJsxFlowElement,
  MdxJsxTextElement,
} from "mdast-util-mdx-jsx";

/** Reads the attributes of components in texts. Only literals are supported, so that no code of a text is run. */

export type Component = MdxJsxFlowElement | MdxJsxTextElement;
export type Complain = (message: string) => never;
export type Value = MdxJsxAttribute["value"];

/** The types of a component's nodes in a tree. */
export const COMPONENTS = ["mdxJsxFlowElement", "mdxJsxTextElement"] as const;

/** Returns the value of an attribute that must be a plain text. */
export function textAttribute(node: Component, name: string, complain: Complain) {
  const value = attribute(node, name);
  if (typeof value !== "string") complain(`<${node.name}> wants ${name}="…"`);
  return value;
}

/** Returns the value of an attribute that must be a list of plain texts. */
export function listAttribute(node: Component, name: string, complain: Complain) {
  const names = literal(attribute(node, name));
  const isText = (one: unknown) => typeof one === "string";
  if (!Array.isArray(names) || names.length === 0 || !names.every(isText)) {
    complain(`<${node.name}> wants ${name}={["…"]}`);
  }
  return names;
}

/** Returns the value of an attribute that is a literal: a text, number, list or object. Otherwise returns undefined. */
export function literalAttribute(node: Component, name: string): unknown {
  const value = attribute(node, name);
  return value !== null && typeof value === "object" ? literal(value) : value;
}

/** Tells whether an attribute is there, with or without a value, as in `<Fact name="net" bare />`. */
export function hasAttribute(node: Component, name: string) {
  return attributeNames(node).includes(name);
}

/** Returns the names of all attributes of a component. */
export function attributeNames({ attributes }: Component) {
  return attributes.flatMap((one) => (one.type === "mdxJsxAttribute" ? [one.name] : []));
}

/** Returns every text in the attributes of a component, including those in lists and objects. */
export function attributeTexts({ attributes }: Component) {
  return attributes.flatMap(({ value }) => textsIn(typeof value === "string" ? value : literal(value)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

function attribute({ attributes }: Component, name: string): Value {
  return attributes.find((one) => one.type === "mdxJsxAttribute" && one.name === name)?.value;
}

function literal(value: Value) {
  const [statement] = (value as MdxJsxAttributeValueExpression)?.data?.estree?.body ?? [];
  return statement?.type === "ExpressionStatement" ? fromExpression(statement.expression) : undefined;
}

function fromExpression(expression: Expression | Pattern | { type: "SpreadElement" } | null): unknown {
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

function keyOf({ name, value }: { type: string; name?: string; value?: unknown }) {
  return name ?? String(value);
}
