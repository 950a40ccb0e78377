/** Sizes of a title, the largest that fits is taken. Below the last one it would not be read in a list of messages. */
const SIZES = [60, 56, 52, 48, 45, 42, 39, 36, 33];

/** The size of what follows a title's colon, and a line's height, in parts of the size before it. */
const SECOND = 0.6;
const LEADING = 1.16;

/**
 * Sets a title into a box: its part up to the colon large, the rest below in a smaller size. Answers the lines, each
 * with its text, size, weight and base line, and how high they are together.
 */
export function setTitle(title, box, textWidth) {
  const [, first, second] = /^(.+?):\s+(.+)$/.exec(title) ?? [null, title, ""];
  for (const size of SIZES) {
    const lines = [
      ...setLines(first, { size, weight: 600, leading: LEADING, space: 0 }, box, textWidth),
      ...setLines(second, { size: size * SECOND, weight: 400, leading: LEADING * 1.12, space: size * 0.3 }, box, textWidth),
    ];
    const height = lines.reduce((sum, line) => sum + line.height, 0);
    const isNarrow = lines.every((line) => line.width <= box.width);
    if (isNarrow && height <= box.height) return placed(lines);
  }
  throw new Error(`the title does not fit on its card: ${title}`);
}

function setLines(text, { size, weight, leading, space }, box, textWidth) {
  if (!text) return [];
  const width = (piece) => textWidth(piece, weight) * size;
  const lines = wrap(text, box.width, width);
  return lines.map((line, index) => ({
    text: line,
    size,
    weight,
    width: width(line),
    height: size * leading + (index === 0 ? space : 0),
  }));
}

function placed(lines) {
  let y = 0;
  return lines.map((line) => {
    y += line.height;
    return { ...line, y };
  });
}

/** Fills lines with words. A word may end a line at its hyphen. */
function wrap(text, limit, width) {
  const lines = [];
  let line = "";
  for (const word of text.match(/[^\s-]+-?\s*/g)) {
    if (line && width((line + word).trimEnd()) > limit) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}
