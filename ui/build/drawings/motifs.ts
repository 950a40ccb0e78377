import type { CustomPlugin, XastElement } from "svgo";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { optimize } from "svgo";
import { checkDrawing } from "./check.ts";

/** Parsed figures by name. */
export type Motifs = Map<string, XastElement["children"]>;

const REFERENCE = /^#([a-z-]+)$/;

/** Reads the motifs, which several drawings share. */
export async function readMotifs(folder: string): Promise<Motifs> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".svg")).sort();
  const read: (name: string) => Promise<[string, XastElement["children"]]> = async (name) => [
    name.slice(0, -".svg".length),
    parse(await readFile(join(folder, name), "utf8")),
  ];
  return new Map(await Promise.all(names.map(read)));
}

/**
 * Returns an SVGO plugin that replaces `<use href="#name" …>` by the motif of that name, in a group with the same
 * attributes.
 */
export function expandMotifs(motifs: Motifs): CustomPlugin {
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

function expand(node: XastElement, motifs: Motifs) {
  const { href = "", ...attributes } = node.attributes;
  const elements = motifs.get(REFERENCE.exec(href)?.[1] ?? "");
  if (!elements) throw new Error(`<use href="${href}"> names no motif; known are ${[...motifs.keys()].join(", ")}`);
  node.name = "g";
  node.attributes = attributes;
  node.children = structuredClone(elements);
}

function parse(source: string) {
  let elements: XastElement["children"] = [];
  const take: CustomPlugin = {
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
