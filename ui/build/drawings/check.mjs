/** The classes of `src/styles/drawings.css`. */
const CLASSES = new Set("paper sky water brick rose copper slate bird sand ink thin bare light".split(" "));

/** What would set a colour or a stroke besides those classes. */
const FORBIDDEN = new Set(["fill", "stroke", "stroke-width", "style", "opacity", "filter", "id"]);

/** An SVGO plugin that refuses what the palette does not know and notes the size of the drawing in `size`. */
export function checkDrawing(size) {
  return { name: "checkDrawing", fn: () => ({ element: { enter: (node) => checkElement(node, size) } }) };
}

function checkElement({ name, attributes }, size) {
  if (name === "svg") {
    if (size.width) return;
    const [, width, height] = /^0 0 ([\d.]+) ([\d.]+)$/.exec(attributes.viewBox ?? "") ?? [];
    if (!width) throw new Error('the drawing needs a viewBox "0 0 width height"');
    Object.assign(size, { width: Number(width), height: Number(height) });
    return;
  }
  for (const attribute of Object.keys(attributes)) {
    if (FORBIDDEN.has(attribute)) throw new Error(`<${name}> has ${attribute}: use the classes of drawings.css`);
  }
  for (const one of (attributes.class ?? "").split(" ").filter(Boolean)) {
    if (!CLASSES.has(one)) throw new Error(`<${name}> has the unknown class ${one}`);
  }
}
