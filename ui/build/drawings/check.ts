import type { CustomPlugin, XastElement } from "svgo";

const COLOURS = ["paper", "sky", "water", "brick", "rose", "copper", "slate", "bird", "sand", "white", "black"];

/**
 * The attributes that replace the classes of drawings. No style sheet of a page reaches a drawing inside another file,
 * but variables and inherited strokes do.
 */
export const CLASSES: ReadonlyMap<string, string> = new Map([
  ...COLOURS.map((name) => [name, `fill="var(--draw-${name})"`] as const),
  ["ink", 'fill="var(--draw-line)"'],
  ["thin", 'stroke-width="var(--draw-thin,1.25)"'],
  ["bare", 'stroke="none"'],
  // For lines on a dark fill.
  ["light", 'stroke="var(--draw-paper)"'],
]);

/** Attributes that would set colours or strokes without these classes. */
const FORBIDDEN = new Set(["fill", "stroke", "stroke-width", "style", "opacity", "filter", "id"]);

export type Size = { width: number; height: number };

/** Returns an SVGO plugin that rejects anything outside the palette, and reports the size of the drawing. */
export function checkDrawing(tellSize: (size: Size) => void): CustomPlugin {
  return {
    name: "checkDrawing",
    fn: () => {
      let isRoot = true;
      return {
        element: {
          enter(element) {
            if (element.name !== "svg") return checkElement(element);
            if (isRoot) tellSize(sizeOf(element.attributes.viewBox));
            isRoot = false;
          },
        },
      };
    },
  };
}

export function sizeOf(viewBox = ""): Size {
  const [, width, height] = /^0 0 ([\d.]+) ([\d.]+)$/.exec(viewBox) ?? [];
  if (!width) throw new Error('the drawing needs a viewBox "0 0 width height"');
  return { width: Number(width), height: Number(height) };
}

function checkElement({ name, attributes }: XastElement) {
  for (const attribute of Object.keys(attributes)) {
    if (FORBIDDEN.has(attribute)) throw new Error(`<${name}> has ${attribute}: use the classes of drawings`);
  }
  for (const one of (attributes.class ?? "").split(" ").filter(Boolean)) {
    if (!CLASSES.has(one)) throw new Error(`<${name}> has the unknown class ${one}`);
  }
}
