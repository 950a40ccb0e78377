import { fail, lineOf } from "../fail.mjs";
import { checkFieldsAt } from "./fields.mjs";

/**
 * Checks a TOML list of tables (`[[name]]`), each with the given fields. Answers `{ value, complain }` for each:
 * `complain(key, message)` ends the build at the line of that key in that very table.
 */
export function checkTables(file, source, data, name, fields) {
  const list = name.split(".").reduce((table, key) => table?.[key], data);
  if (!Array.isArray(list) || list.length === 0) fail(file, 1, `[[${name}]] is missing`);
  const blocks = findBlocks(source, name);
  return list.map((entry, index) => {
    const locate = (key) => lineIn(blocks[index], key);
    const complain = (key, message) => fail(file, locate(key), `${key}: ${message}`);
    return { value: checkFieldsAt(file, locate, entry, fields), complain };
  });
}

/** The same for one table (`[name]`); answers its value. */
export function checkTable(file, source, data, name, fields) {
  const table = data[name];
  if (table === null || typeof table !== "object" || Array.isArray(table)) fail(file, 1, `[${name}] is missing`);
  const [block] = findBlocks(source, name);
  return checkFieldsAt(file, (key) => lineIn(block, key), table, fields);
}

/** Ends the build when a file has a top-level key or table that nothing reads. */
export function checkTopLevel(file, source, data, known) {
  for (const key of Object.keys(data)) {
    if (!known.includes(key))
      fail(file, topLevelLine(source, key), `${key}: unknown key; known are ${known.join(", ")}`);
  }
}

function topLevelLine(source, key) {
  const header = source.split("\n").findIndex((line) => new RegExp(`^\\[+${key}[.\\]]`).test(line));
  return header < 0 ? lineOf(source, key) : header + 1;
}

/** Where each table of that name begins and which lines it has. */
function findBlocks(source, name) {
  const lines = source.split("\n");
  const isHeader = (line) => line.startsWith("[") && !/^\[\s*$/.test(line);
  const headers = [`[[${name}]]`, `[${name}]`];
  const starts = lines.flatMap((line, index) => (headers.includes(line.trim()) ? [index] : []));
  return starts.map((start) => {
    const length = lines.slice(start + 1).findIndex(isHeader);
    return { start, lines: lines.slice(start, length < 0 ? undefined : start + 1 + length) };
  });
}

/** The line of a key in a table, or of the table's header when the key is missing. */
function lineIn(block, key) {
  if (!block) return 1;
  const index = block.lines.findIndex((line) => new RegExp(`^\\s*${key}\\s*=`).test(line));
  return block.start + 1 + Math.max(0, index);
}
