/** A remark plugin that ends the build at the line where a text shows a fact that is not in `facts.toml`. */
export function checkFactUse(facts) {
  return () => (tree, file) => {
    walk(tree, (node) => {
      const complain = (message) => file.fail(message, node);
      if (node.name === "Fact") checkNames(facts, [textOf(node, "name", complain)], complain);
      if (node.name === "PriceChart") checkChart(facts, node, complain);
    });
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

function walk(node, look) {
  if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") look(node);
  for (const child of node.children ?? []) walk(child, look);
}

function checkChart(facts, node, complain) {
  textOf(node, "title", complain);
  checkNames(facts, listOf(node, "facts", complain), complain);
}

/** The value of an attribute that must be a plain text. */
function textOf(node, attribute, complain) {
  const value = node.attributes.find(({ name }) => name === attribute)?.value;
  if (typeof value !== "string") complain(`<${node.name}> wants ${attribute}="…"`);
  return value;
}

/** The value of an attribute that must be a list of plain texts. */
function listOf(node, attribute, complain) {
  const value = node.attributes.find(({ name }) => name === attribute)?.value;
  const expression = value?.data?.estree?.body[0]?.expression;
  const names = expression?.type === "ArrayExpression" ? expression.elements.map((element) => element?.value) : [];
  const isList = names.length > 0 && names.every((name) => typeof name === "string");
  if (!isList) complain(`<${node.name}> wants ${attribute}={["…"]}`);
  return names;
}
