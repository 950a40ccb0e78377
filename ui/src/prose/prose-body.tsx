import { type ComponentType, createElement, type ReactNode } from "react";
import type { TextNode } from "../../build/content/tree.ts";
import bodies from "../../generated/bodies.js";
import { proseComponents } from "./components.tsx";

/** A text of `content/`. Only for pages that are rendered at build time. */
export function ProseBody({ id }: { id: string }) {
  const body = bodies[id];
  if (!body) throw new Error(`No text has the id ${id}.`);
  return <div className="prose">{elementsOf(body)}</div>;
}

type Components = Readonly<Record<string, ComponentType | undefined>>;

/** Returns the elements of a text as read by the build, with these components in place of their names. */
export function elementsOf(
  body: readonly TextNode[],
  components: Components = proseComponents as object as Components,
): ReactNode[] {
  return body.map((node, key) => {
    if (typeof node === "string") return node;
    const children = elementsOf(node.children, components);
    return createElement(components[node.type] ?? node.type, { key, ...node.props }, ...children);
  });
}
