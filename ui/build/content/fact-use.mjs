/**
 * A remark plugin that ends the build at the line where a text shows a fact that is not in `facts.toml`. Charts want
 * facts of one unit, as they have one axis.
 */
export function checkFactUse(facts) {
  return () => (tree, file) => {
    walk(tree, (node) => {
      if (node.name === "Fact") find(facts, textOf(node, "name", file), node, file);
      if (node.name === "PriceChart") checkChart(facts, listOf(node, "facts", file), node, file);
    });
  };
}

function walk(node, look) {
  if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") look(node);
  for (const child of node.children ?? []) walk(child, look);
}

function checkChart(facts, names, node, file) {
  textOf(node, "title", file);
  const units = new Set(names.map((name) => find(facts, name, node, file).unit.name));
  if (units.size > 1) file.fail(`a chart has one unit, these facts have ${[...units].join(" and ")}`, node);
}

function find(facts, name, node, file) {
  if (!Object.hasOwn(facts, name)) file.fail(`there is no fact ${name} in facts.toml`, node);
  return facts[name];
}

/** The value of an attribute that must be a plain text. */
function textOf(node, attribute, file) {
  const value = node.attributes.find(({ name }) => name === attribute)?.value;
  if (typeof value !== "string") file.fail(`<${node.name}> wants ${attribute}="…"`, node);
  return value;
}

/** The value of an attribute that must be a list of plain texts. */
function listOf(node, attribute, file) {
  const value = node.attributes.find(({ name }) => name === attribute)?.value;
  const expression = value?.data?.estree?.body[0]?.expression;
  const names = expression?.type === "ArrayExpression" ? expression.elements.map((element) => element?.value) : [];
  const isList = names.length > 0 && names.every((name) => typeof name === "string");
  if (!isList) file.fail(`<${node.name}> wants ${attribute}={["…"]}`, node);
  return names;
}
