import { lineOf, fail } from "../fail.mjs";
import { checkFields, text } from "./fields.mjs";
import { compileMdx } from "./mdx.mjs";
import { readToml } from "./toml.mjs";

/** Reads the questions of /faq: plain entries for the structured data and one body for each answer. */
export async function readFaq(file) {
  const { source, data } = await readToml(file);
  if (!Array.isArray(data.question)) fail(file, lineOf(source, "question"), "question: must be a list of tables");
  const entries = data.question.map((entry) => checkFields(file, source, entry, { question: text, answer: text }));
  const answers = await Promise.all(entries.map((entry) => compileMdx(file, entry.answer, "md")));
  return {
    entries: entries.map(({ question }, index) => ({ question, answer: answers[index].plain })),
    bodies: answers.map(({ code }, index) => ({ id: `faq-${index + 1}`, code })),
  };
}
