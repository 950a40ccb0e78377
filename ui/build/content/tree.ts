/** An element of a text: an HTML element, or a component, whose name begins with a capital letter. */
export interface TextElement {
  type: string;
  props: Record<string, unknown>;
  children: TextNode[];
  /** Its line in the file, from 1. */
  line: number;
}
export type TextNode = TextElement | string;

/** Elements that begin on a new line, and whose content stays on one line. */
const LINES = /^(?:p|h[1-6]|li|td|th)$/;

/** Fails the build at an element. */
export type Complain = (element: TextElement, message: string) => never;

/** Iterates over the elements of a text, each before its descendants. */
export function* elementsIn(nodes: readonly TextNode[]): Generator<TextElement> {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    yield node;
    yield* elementsIn(node.children);
  }
}

export function isComponent({ type }: TextElement) {
  return /^[A-Z]/.test(type);
}

/** Returns every text in the attributes of a component, including those in lists and objects. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the words of a text on one line. */
export function labelOf(nodes: readonly TextNode[]): string {
  return nodes
    .map((node) => (typeof node === "string" ? node : labelOf(node.children)))
    .join("")
    .replace(/\s+/g, " ");
}

/** Returns a text without markup, with one line for each block. */
export function plainText(nodes: readonly TextNode[]): string {
  const textOf = (node: TextNode, isInLine: boolean): string => {
    if (typeof node === "string") return node.replaceAll("\n", " ");
    const isLine = LINES.test(node.type);
    const text = node.children.map((child) => textOf(child, isInLine || isLine)).join("");
    return isLine || (isComponent(node) && !isInLine) ? `${text}\n` : text;
  };
  return nodes
    .map((node) => textOf(node, false))
    .join("")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
}
