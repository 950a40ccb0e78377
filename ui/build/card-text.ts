import type { TextWidth } from "./rasterise.ts";

export type Box = { x: number; y: number; width: number; height: number };
export type Weight = 400 | 600;
export type Text = { text: string; size: number; weight: Weight };
export type Line = Text & { width: number; height: number };
/** `y` is its baseline. */
export type PlacedLine = Line & { y: number };

/** Font sizes of a title, of which the largest that fits is used. Smaller ones would be illegible in a preview. */
const SIZES = [60, 56, 52, 48, 45, 42, 39, 36, 33];

/** Font size of the part after a colon or question mark. */
const SECOND = 34;

/** Line heights by weight, and the space between the two parts of a title. */
const LEADING = { 600: 1.16, 400: 1.3 };
const SPACE = 14;

/** Centres a title vertically in a box. Text after a colon or question mark goes below, in a smaller size. */
export function setTitle(title: string, box: Box, textWidth: TextWidth): PlacedLine[] {
  const [, first = title, second = ""] = /^(.+?(?:\?|(?=:))):?\s+(.+)$/.exec(title) ?? [];
  for (const size of SIZES) {
    const lines = [
      ...setLines(first, { size, weight: 600, space: 0 }, box, textWidth),
      ...setLines(second, { size: Math.min(size, SECOND), weight: 400, space: SPACE }, box, textWidth),
    ];
    const height = lines.reduce((sum, line) => sum + line.height, 0);
    const isNarrow = lines.every((line) => line.width <= box.width);
    if (isNarrow && height <= box.height) return placed(lines, box.y + (box.height - height) / 2);
  }
  throw new Error(`the title does not fit on its card: ${title}`);
}

function setLines(
  text: string,
  { size, weight, space }: { size: number; weight: Weight; space: number },
  box: Box,
  textWidth: TextWidth,
): Line[] {
  if (!text) return [];
  const width: (piece: string) => number = (piece) => textWidth(piece, weight) * size;
  const lines = wrap(text, box.width, width);
  return lines.map((line, index) => ({
    text: line,
    size,
    weight,
    width: width(line),
    height: size * LEADING[weight] + (index === 0 ? space : 0),
  }));
}

function placed(lines: Line[], top: number): PlacedLine[] {
  let y = top;
  return lines.map((line) => {
    y += line.height;
    return { ...line, y };
  });
}

/** Breaks a text into lines, between words and after hyphens. */
function wrap(text: string, limit: number, width: (text: string) => number) {
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/[^\s-]+-?\s*/g) ?? []) {
    if (line && width((line + word).trimEnd()) > limit) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}
