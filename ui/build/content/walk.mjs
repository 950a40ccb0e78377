/** Calls `look` for every node of a tree, in document order. */
export function visit(node, look) {
  look(node);
  for (const child of node.children ?? []) visit(child, look);
}

/** Calls `look` for every component and element written as JSX in a text's tree, in document order. */
export function walkComponents(tree, look) {
  visit(tree, (node) => {
    if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") look(node);
  });
}
