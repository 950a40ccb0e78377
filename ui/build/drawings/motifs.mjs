import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { optimize } from "svgo";
import { checkDrawing } from "./check.mjs";

const REFERENCE = /^#(?<name>[a-z-]+)$/;

/** Reads the motifs, the figures that several drawings share: a map from the name to its parsed elements. */
export async function readMotifs(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".svg")).sort();
  const entries = await Promise.all(
    names.map(async (name) => [name.slice(0, -".svg".length), parse(await readFile(join(folder, name), "utf8"))]),
  );
  return new Map(entries);
}

/** An SVGO plugin that replaces `<use href="#name" …>` by the motif of that name, in a group with the same attributes. */
export function expandMotifs(motifs) {
  return {
    name: "expandMotifs",
    fn: () => ({ element: { enter: (node) => node.name === "use" && expand(node, motifs) } }),
  };
}

function expand(node, motifs) {
  const { href = "", ...attributes } = node.attributes;
  const elements = motifs.get(REFERENCE.exec(href)?.groups.name);
  if (!elements) throw new Error(`<use href="${href}"> names no motif; known are ${[...motifs.keys()].join(", ")}`);
  node.name = "g";
  node.attributes = attributes;
  node.children = structuredClone(elements);
}

function parse(source) {
  let elements = [];
  const take = {
    name: "take",
    fn: (root) => void (elements = root.children.find(({ name }) => name === "svg").children),
  };
  optimize(source, { plugins: [take, checkDrawing({})] });
  return elements;
}
