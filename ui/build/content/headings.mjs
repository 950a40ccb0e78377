/** What a table of contents lists: the sections of a text and their parts. */
const LEVELS = { h2: 2, h3: 3 };

/**
 * The headings of a compiled text (HTML tree, after `rehype-slug`), in their order: `{ level, id, text, settings }`, where
 * `settings` are those without which the heading is not shown.
 */
export function readHeadings(node, settings = []) {
  if (Object.hasOwn(LEVELS, node.tagName ?? "")) {
    return [{ level: LEVELS[node.tagName], id: node.properties.id, text: textOf(node), settings }];
  }
  const inner = node.name === "IfSetting" ? [...settings, nameOf(node)] : settings;
  return (node.children ?? []).flatMap((child) => readHeadings(child, inner));
}

function nameOf(ifSetting) {
  return ifSetting.attributes.find(({ name }) => name === "name").value;
}

/** All elements below a node, in document order. */
export function elements(node) {
  const children = (node.children ?? []).flatMap(elements);
  return node.type === "element" ? [node, ...children] : children;
}

/** The text of a node without markup. */
export function textOf(node) {
  return (node.value ?? (node.children ?? []).map(textOf).join("")).replace(/\s+/g, " ");
}
