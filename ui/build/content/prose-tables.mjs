import { elements, textOf } from "./headings.mjs";

/** From this many columns on a table becomes a list of cards on phones: three narrow columns of text are hard to read. */
const MANY_COLUMNS = 3;

/**
 * Prepares the tables of a text: the first cell of a row heads it, each other cell carries the name of its column for
 * narrow screens, and the table is named after the heading above it.
 */
export function prepareTables(tree) {
  let heading = "";
  for (const node of elements(tree)) {
    if (/^h[2-6]$/.test(node.tagName)) heading = textOf(node);
    if (node.tagName === "table") prepareTable(node, heading);
  }
}

function prepareTable(table, heading) {
  const [head, ...rows] = elements(table).filter(({ tagName }) => tagName === "tr");
  const columns = cellsOf(head).map(textOf);
  for (const cell of cellsOf(head)) cell.properties.scope = "col";
  for (const row of rows) prepareRow(cellsOf(row), columns);
  if (heading) table.properties.label = `Tabelle: ${heading}`;
  if (columns.length >= MANY_COLUMNS) table.properties.dataStack = "";
}

function prepareRow([first, ...rest], columns) {
  Object.assign(first, { tagName: "th" });
  first.properties.scope = "row";
  for (const [index, cell] of rest.entries()) cell.properties.dataLabel = columns[index + 1];
}

function cellsOf(row) {
  return row.children.filter(({ tagName }) => tagName === "td" || tagName === "th");
}
