import type { Element, Root } from "hast";
import { visit } from "unist-util-visit";
import { labelOf } from "./headings.ts";

/** Tables with at least this many columns become cards on phones, where narrow columns are hard to read. */
const MANY_COLUMNS = 3;

/**
 * Prepares the tables of a text: the first cell of a row becomes its header, other cells get the name of their column
 * for narrow screens, and the table is named after the heading above it.
 */
export function prepareTables(tree: Root) {
  let heading = "";
  let tables = 0;
  visit(tree, "element", (node) => {
    if (/^h[2-6]$/.test(node.tagName)) {
      heading = labelOf(node);
      tables = 0;
    }
    if (node.tagName === "table") {
      tables += 1;
      // Regions need names that differ.
      prepareTable(node, heading && tables > 1 ? `${heading} (${tables})` : heading);
    }
  });
}

function prepareTable(table: Element, heading: string) {
  const [head = [], ...rows] = rowsOf(table);
  const columns = head.map(labelOf);
  for (const cell of head) cell.properties.scope = "col";
  for (const row of rows) prepareRow(row, columns);
  if (heading) table.properties.label = `Tabelle: ${heading}`;
  if (columns.length >= MANY_COLUMNS) table.properties.className = ["table-stack"];
}

function prepareRow(row: Element[], columns: string[]) {
  for (const [index, cell] of row.entries()) {
    if (index > 0) cell.properties.dataLabel = columns[index];
    else Object.assign(cell, { tagName: "th" }).properties.scope = "row";
  }
}

/** Returns the cells of each row. */
function rowsOf(table: Element) {
  const rows: Element[][] = [];
  visit(table, "element", ({ tagName, children }) => {
    if (tagName === "tr") rows.push(children.filter((child) => child.type === "element"));
  });
  return rows;
}
