import type { Facts } from "./facts.ts";
import { distinct } from "./estimates.ts";
import { chartFacts } from "./blocks.ts";
import { checkSources, SOURCES } from "./evidence.ts";
import { date, distinctTables, optionalText, slug, table, tables, text } from "./fields.ts";
import { readText } from "./mdx.ts";
import { readToml } from "./toml.ts";

/**
 * Links to an answer contain its `id`. `chart` lists the facts of a chart below the answer. `service` holds visitors'
 * questions about the site itself. `reviewed` is the day on which all answers were last checked against their sources.
 */
const fileOf = (facts: Facts) =>
  table({
    question: distinctTables(
      {
        id: slug,
        group: text,
        question: text,
        answer: text,
        chart: chartFacts(facts).default([]),
        chart_title: optionalText,
      },
      "id",
    ),
    service: tables({ id: slug, question: text, answer: text }),
    evidence: table({ reviewed: date, source: SOURCES }),
  });

/** Reads the questions of /faq: plain entries for the structured data, their sources, and a body for each answer. */
export async function readFaq(file: string, facts: Facts) {
  const source = await readToml(file);
  const { question: questions, service, evidence } = source.read(fileOf(facts));
  checkSources(source, ["evidence", "source"], evidence.source);
  for (const [index, { chart, chart_title }] of questions.entries())
    if (chart.length > 0 && !chart_title)
      source.fail(["question", index, "chart_title"], "must be a text, because chart is set");
  const readAll = <Item extends { answer: string }>(list: string, items: Item[]) =>
    Promise.all(
      items.map(async (question, index) => {
        const firstLine = source.lineOf([list, index, "answer"]);
        return { question, answer: await readText(file, question.answer, { facts, isEditorial: true, firstLine }) };
      }),
    );
  const read = await readAll("question", questions);
  const ofService = await readAll("service", service);
  const entries = read.map(({ question, answer }) => ({ ...question, answer: answer.plain.replaceAll("\n", " ") }));
  // Their answers depend on settings, so only the questions are searchable.
  const services = service.map(({ id, question }) => ({ group: "Vermittlung", id, question, answer: question }));
  const estimates = distinct(read.flatMap(({ answer }) => answer.estimates));
  return {
    meta: { entries, services, reviewed: evidence.reviewed, sources: evidence.source, estimates },
    file,
    page: "/faq",
    links: [...read, ...ofService].flatMap(({ answer }) => answer.links),
    bodies: [...read, ...ofService].map(({ question, answer }) => ({ id: `faq-${question.id}`, body: answer.body })),
  };
}
