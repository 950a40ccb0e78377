import { checkNames } from "./fact-use.mjs";
import { optionalText, text, texts } from "./fields.mjs";
import { compileMdx } from "./mdx.mjs";
import { checkTables, checkTopLevel } from "./toml-tables.mjs";
import { readToml } from "./toml.mjs";

/** `chart` names facts of one unit, which a chart below the answer shows. */
const QUESTION = { id, group: text, question: text, answer: text, chart: texts, chart_title: optionalText };

/** Reads the questions of /faq: plain entries for the structured data and one body for each answer. */
export async function readFaq(file, facts) {
  const { source, data } = await readToml(file);
  checkTopLevel(file, source, data, ["question"]);
  const ids = new Set();
  const entries = checkTables(file, source, data, "question", QUESTION).map(({ value, complain }) => {
    if (ids.has(value.id)) complain("id", `${value.id} stands twice`);
    ids.add(value.id);
    checkNames(facts, value.chart, (message) => complain("chart", message));
    if (value.chart.length > 0 && !value.chart_title) complain("chart_title", "must be a text, because chart is set");
    return value;
  });
  const lines = linesOf(source, "answer");
  const answers = await Promise.all(
    entries.map((entry, index) => {
      return compileMdx(file, entry.answer, { facts, isEditorial: true, firstLine: lines[index] });
    }),
  );
  return {
    entries: entries.map((entry, index) => ({ ...entry, answer: answers[index].plain.replaceAll("\n", " ") })),
    file,
    page: "/faq",
    links: answers.flatMap(({ links }) => links),
    bodies: answers.map(({ code }, index) => ({ id: `faq-${entries[index].id}`, code })),
  };
}

/** Stands in links to the answer: /faq#<id>. */
function id(value, complain) {
  if (typeof value !== "string" || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(value)) {
    complain("must be lower-case letters, digits and hyphens");
  }
  return value;
}

/** The lines (from 1) on which a key is set. */
function linesOf(source, key) {
  return source.split("\n").flatMap((line, index) => (line.startsWith(`${key} =`) ? [index + 1] : []));
}
