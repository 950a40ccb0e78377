import type { Node } from "yaml";
import { isMap, isNode, isSeq, LineCounter, parseDocument } from "yaml";
import { fail } from "../fail.ts";
import { Source } from "./source.ts";

/** The line of the first key, below the opening ---. */
const FIRST_LINE = 2;

const FRONT = /^---\n(.*?\n)---\n/s;

/** Returns a text without its front matter. Line numbers stay the same for messages. */
export function withoutFrontMatter(text: string) {
  return text.replace(FRONT, (front) => front.replaceAll(/[^\n]/g, ""));
}

export function readFrontMatter(file: string, text: string) {
  const match = FRONT.exec(text);
  if (!match) fail(file, 1, "front matter is missing: begin the file with --- and end it with ---");
  const counter = new LineCounter();
  const document = parseDocument(match[1] ?? "", { lineCounter: counter });
  const lineAt: (offset: number) => number = (offset) => counter.linePos(offset).line + FIRST_LINE - 1;
  const [error] = document.errors;
  if (error) fail(file, lineAt(error.pos[0]), error.message.split("\n", 1).join());

  return new Source(file, document.toJS() ?? {}, (path) => {
    const node = keyOrEntry(document.getIn(path.slice(0, -1), true), path.at(-1));
    return node?.range ? lineAt(node.range[0]) : undefined;
  });
}

/** Returns the node of a key in a mapping, or of an entry in a list. */
function keyOrEntry(parent: unknown, part: PropertyKey | undefined): Node | undefined {
  if (isSeq(parent) && typeof part === "number") return asNode(parent.items[part]);
  if (!isMap(parent)) return undefined;
  return asNode(parent.items.find(({ key }) => isNode(key) && key.toJSON() === part)?.key);
}

function asNode(value: unknown) {
  return isNode(value) ? value : undefined;
}
