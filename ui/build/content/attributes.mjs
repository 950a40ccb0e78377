/** How the attributes of a component in a text are read: plain texts and literal lists, never code that must be run. */

/** The value of an attribute that must be a plain text. */
export function textAttribute(node, name, complain) {
  const value = attribute(node, name);
  if (typeof value !== "string") complain(`<${node.name}> wants ${name}="…"`);
  return value;
}

/** The value of an attribute that must be a list of plain texts. */
export function listAttribute(node, name, complain) {
  const names = literal(attribute(node, name));
  const isList = Array.isArray(names) && names.length > 0 && names.every((one) => typeof one === "string");
  if (!isList) complain(`<${node.name}> wants ${name}={["…"]}`);
  return names;
}

/** What stands in an attribute, as far as it is literal: texts, numbers, lists and objects; undefined for anything else. */
export function literalAttribute(node, name) {
  const value = attribute(node, name);
  return value !== null && typeof value === "object" ? literal(value) : value;
}

/** Whether an attribute is there without a value, as in `<Fact name="net" bare />`. */
export function hasAttribute(node, name) {
  return node.attributes.some((one) => one.name === name);
}

/** Every text that stands in the attributes of a component, in lists and objects, too. */
export function attributeTexts(node) {
  return node.attributes.flatMap(({ value }) => textsIn(typeof value === "string" ? value : literal(value)));
}

function textsIn(value) {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

function attribute(node, name) {
  return node.attributes.find((one) => one.name === name)?.value;
}

function literal(value) {
  return fromExpression(value?.data?.estree?.body[0]?.expression);
}

function fromExpression(expression) {
  switch (expression?.type) {
    case "Literal":
      return expression.value;
    case "ArrayExpression":
      return expression.elements.map(fromExpression);
    case "ObjectExpression":
      return Object.fromEntries(
        expression.properties.map(({ key, value }) => [key.name ?? key.value, fromExpression(value)]),
      );
    default:
      return undefined;
  }
}
