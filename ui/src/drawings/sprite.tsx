import type { DrawingSource } from "./drawing.tsx";
import { findDrawing } from "./drawings.ts";

/**
 * The file of the drawings further down a page. Fetching it separately lets the text arrive sooner, and happens only
 * once. The build puts its hash into the address.
 */
const FILE = "/assets/drawings.svg";

/** Shows a part of the file, in the colours and strokes of its context. */
export function UseSprite({ name }: { name: string }) {
  return <use href={`${FILE}#${spriteId(name)}`} />;
}

/** Returns a drawing that shows a part of the file. */
export function findInSprite(name: string): DrawingSource {
  return { ...findDrawing(name), body: `<use href="${FILE}#${spriteId(name)}"/>` };
}

/** Renders the file with these drawings. */
export function renderSprite(names: string[]): string {
  const parts = [...new Set(names)].map((name) => `<g id="${spriteId(name)}">${findDrawing(name).body}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg">${parts.join("")}</svg>`;
}

function spriteId(name: string): string {
  return name.replaceAll("/", "-");
}
