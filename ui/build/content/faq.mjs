import { lineOf, fail } from "../fail.mjs";
import { checkFields, text } from "./fields.mjs";
import { compileMdx } from "./mdx.mjs";
import { readToml } from "./toml.mjs";

const FIELDS = { id, group: text, question: text, answer: text };

/** Reads the questions of /faq: plain entries for the structured data and one body for each answer. */
export async function readFaq(file) {
  const { source, data } = await readToml(file);
  if (!Array.isArray(data.question)) fail(file, lineOf(source, "question"), "question: must be a list of tables");
  const entries = data.question.map((entry) => checkFields(file, source, entry, FIELDS));
  checkIds(file, source, entries);
  const lines = linesOf(source, "answer");
  const answers = await Promise.all(
    entries.map((entry, index) => compileMdx(file, entry.answer, "md", { firstLine: lines[index] })),
  );
  return {
    entries: entries.map((entry, index) => ({ ...entry, answer: answers[index].plain })),
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

function checkIds(file, source, entries) {
  const lines = linesOf(source, "id");
  for (const [index, entry] of entries.entries()) {
    if (entries.findIndex((other) => other.id === entry.id) < index) fail(file, lines[index], `id: ${entry.id} stands twice`);
  }
}

/** The lines (from 1) on which a key is set. */
function linesOf(source, key) {
  return source.split("\n").flatMap((line, index) => (line.startsWith(`${key} =`) ? [index + 1] : []));
}
