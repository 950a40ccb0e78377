import type { AST } from "toml-eslint-parser";
import type { Path } from "./source.ts";
import { readFile } from "node:fs/promises";
import { getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import { fail, messageOf } from "../fail.ts";
import { Source } from "./source.ts";

export async function readToml(file: string) {
  const text = await readFile(file, "utf8").catch(() => fail(file, 1, "the file is missing"));
  try {
    const program = parseTOML(text);
    const lines = linesOf(program);
    return new Source(file, getStaticTOMLValue(program), (path) => lines.get(path.join(".")));
  } catch (error) {
    return fail(file, error instanceof ParseError ? error.lineNumber : 1, messageOf(error));
  }
}

/** Returns the line of each table, key and list entry by its path. */
function linesOf(program: AST.TOMLProgram) {
  const lines: Map<string, number> = new Map();
  const note: (node: AST.TOMLNode, path: Path) => void = ({ loc }, path) => {
    const key = path.join(".");
    if (!lines.has(key)) lines.set(key, loc.start.line);
  };
  const noteValue: (value: AST.TOMLContentNode, path: Path) => void = (value, path) => {
    note(value, path);
    if (value.type === "TOMLInlineTable") for (const pair of value.body) notePair(pair, path);
    if (value.type === "TOMLArray") {
      for (const [index, element] of value.elements.entries()) noteValue(element, [...path, index]);
    }
  };
  const notePair: (pair: AST.TOMLKeyValue, table: Path) => void = (pair, table) => {
    const path = [...table, ...pair.key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value))];
    note(pair, path);
    noteValue(pair.value, path);
  };
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") {
      notePair(node, []);
      continue;
    }
    note(node, node.resolvedKey);
    if (node.kind === "array") note(node, node.resolvedKey.slice(0, -1));
    for (const pair of node.body) notePair(pair, node.resolvedKey);
  }
  return lines;
}
