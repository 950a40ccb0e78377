/** @import { CustomPlugin, XastElement } from "svgo" */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { optimize } from "svgo";
import { checkDrawing } from "./check.mjs";

/** @typedef {Map<string, XastElement["children"]>} Motifs parsed figures by name */

const REFERENCE = /^#([a-z-]+)$/;

/**
 * Reads the motifs, which several drawings share.
 *
 * @param {string} folder
 * @returns {Promise<Motifs>}
 */
export async function readMotifs(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".svg")).sort();
  /** @type {(name: string) => Promise<[string, XastElement["children"]]>} */
  const read = async (name) => [name.slice(0, -".svg".length), parse(await readFile(join(folder, name), "utf8"))];
  return new Map(await Promise.all(names.map(read)));
}

/**
 * Returns an SVGO plugin that replaces `<use href="#name" …>` by the motif of that name, in a group with the same
 * attributes.
 *
 * @param {Motifs} motifs
 * @returns {CustomPlugin}
 */
export function expandMotifs(motifs) {
  return {
    name: "expandMotifs",
    fn: () => ({
      element: {
        enter(node) {
          if (node.name === "use") expand(node, motifs);
        },
      },
    }),
  };
}

/**
 * @param {XastElement} node
 * @param {Motifs} motifs
 */
function expand(node, motifs) {
  const { href = "", ...attributes } = node.attributes;
  const elements = motifs.get(REFERENCE.exec(href)?.[1] ?? "");
  if (!elements) throw new Error(`<use href="${href}"> names no motif; known are ${[...motifs.keys()].join(", ")}`);
  node.name = "g";
  node.attributes = attributes;
  node.children = structuredClone(elements);
}

/** @param {string} source */
function parse(source) {
  /** @type {XastElement["children"]} */
  let elements = [];
  /** @type {CustomPlugin} */
  const take = {
    name: "take",
    fn: (root) => {
      elements = root.children.flatMap((child) =>
        child.type === "element" && child.name === "svg" ? child.children : [],
      );
      return null;
    },
  };
  optimize(source, { plugins: [take, checkDrawing()] });
  return elements;
}
