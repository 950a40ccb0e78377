import { elementsIn, labelOf, type TextElement, type TextNode } from "./tree.ts";

/** Tables with at least this many columns become cards on phones, where narrow columns are hard to read. */
const MANY_COLUMNS = 3;

/**
 * Prepares the tables of a text: the first cell of a row becomes its header, other cells get the name of their column for
 * narrow screens, and the heading above names the table.
 */
export function prepareTables(body: readonly TextNode[]) {
  let heading = "";
  let tables = 0;
  for (const element of elementsIn(body)) {
    if (/^h[2-6]$/.test(element.type)) {
      heading = labelOf(element.children);
      tables = 0;
    }
    if (element.type !== "table") continue;
    tables += 1;
    // Regions need distinct names.
    prepareTable(element, heading && tables > 1 ? `${heading} (${tables})` : heading);
  }
}

function prepareTable(table: TextElement, heading: string) {
  const rows = [...elementsIn([table])].filter(({ type }) => type === "tr");
  const [head = [], ...others] = rows.map(({ children }) => children.filter((cell) => typeof cell !== "string"));
  const columns = head.map(({ children }) => labelOf(children));
  for (const cell of head) cell.props.scope = "col";
  for (const row of others) prepareRow(row, columns);
  if (heading) table.props.label = `Tabelle: ${heading}`;
  if (columns.length >= MANY_COLUMNS) table.props.className = "table-stack";
}

function prepareRow(row: TextElement[], columns: string[]) {
  for (const [index, cell] of row.entries()) {
    if (index > 0) cell.props["data-label"] = columns[index];
    else Object.assign(cell, { type: "th" }).props.scope = "row";
  }
}
