/** What a table of contents lists: the sections of a text and their parts. */
const LEVELS = { h2: 2, h3: 3 };

/** The headings of a compiled text (HTML tree, after `rehype-slug`): `{ level, id, text }`, in their order. */
export function readHeadings(tree) {
  return elements(tree)
    .filter(({ tagName }) => Object.hasOwn(LEVELS, tagName))
    .map((node) => ({ level: LEVELS[node.tagName], id: node.properties.id, text: textOf(node) }));
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
