import type { CustomPlugin, XastElement } from "svgo";

/** The classes of `src/styles/drawings.css`. */
const CLASSES = new Set("paper sky water brick rose copper slate bird sand white black ink thin bare light".split(" "));

/** Attributes that would set colours or strokes without those classes. */
const FORBIDDEN = new Set(["fill", "stroke", "stroke-width", "style", "opacity", "filter", "id"]);

export type Size = { width: number; height: number };

/** Returns an SVGO plugin that refuses anything outside the palette, and reports the size of the drawing. */
export function checkDrawing(tellSize: (size: Size) => void = () => {}): CustomPlugin {
  return {
    name: "checkDrawing",
    fn: () => {
      let isRoot = true;
      return {
        element: {
          enter(element) {
            if (element.name !== "svg") return checkElement(element);
            if (isRoot) tellSize(sizeOf(element));
            isRoot = false;
          },
        },
      };
    },
  };
}

function sizeOf({ attributes }: XastElement) {
  const [, width, height] = /^0 0 ([\d.]+) ([\d.]+)$/.exec(attributes.viewBox ?? "") ?? [];
  if (!width) throw new Error('the drawing needs a viewBox "0 0 width height"');
  return { width: Number(width), height: Number(height) };
}

function checkElement({ name, attributes }: XastElement) {
  for (const attribute of Object.keys(attributes)) {
    if (FORBIDDEN.has(attribute)) throw new Error(`<${name}> has ${attribute}: use the classes of drawings.css`);
  }
  for (const one of (attributes.class ?? "").split(" ").filter(Boolean)) {
    if (!CLASSES.has(one)) throw new Error(`<${name}> has the unknown class ${one}`);
  }
}
