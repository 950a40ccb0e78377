import type { Facts } from "./facts.ts";
import type { Path, Source } from "./source.ts";
import type { table } from "./fields.ts";
import { z } from "zod";
import { address, date, oneOf, optionalText, tables, text } from "./fields.ts";
import { readText } from "./mdx.ts";

/** The kinds of sources that a statement can rest on, in the order in which they are shown. */
export const SOURCE_KINDS = ["statute", "ruling", "study", "authority", "technical"] as const;

/** The number of sentences in the box that answers the title's question. */
const SENTENCES = { least: 2, most: 4 };
const SUMMARY = `must be a list of ${SENTENCES.least} to ${SENTENCES.most} sentences that answer the title's question`;

/** Sources, each with the statement that it supports. */
export const SOURCES = tables({
  title: text,
  publisher: text,
  kind: oneOf(SOURCE_KINDS),
  reference: optionalText,
  url: address.nullable().default(null),
  seen: date,
  supports: text,
});

/** The part of an article's front matter that names its sources, and when they were last checked. */
export const EVIDENCE = {
  reviewed: date,
  summary: z.array(text, SUMMARY).min(SENTENCES.least, SUMMARY).max(SENTENCES.most, SUMMARY),
  sources: SOURCES,
};

export type Evidence = z.output<ReturnType<typeof table<typeof EVIDENCE>>>;

/** Fails the build if the evidence of an article cannot be right. */
export function checkEvidence(
  frontMatter: Source,
  { date: published, reviewed, sources }: Evidence & { date: string },
) {
  if (reviewed < published) frontMatter.fail(["reviewed"], `is before the article's date, ${published}`);
  checkSources(frontMatter, ["sources"], sources);
}

/**
 * Fails the build at a source without a reference to where readers can find the statement in it.
 *
 * @param list the list of sources
 */
export function checkSources(file: Source, list: Path, sources: Evidence["sources"]) {
  for (const [index, { kind, reference }] of sources.entries()) {
    if (reference !== null || kind === "authority") continue;
    const wanted = "name the paragraph, the file number and date, the journal and year, or the document's number";
    file.fail([...list, index, "reference"], wanted);
  }
}

/** Reads the sentences of a summary as a list, which may show facts like the article itself. */
export function readSummary(frontMatter: Source, sentences: string[], facts: Facts) {
  const firstLine = frontMatter.lineOf(["summary", 0]);
  const list = sentences.map((sentence) => `- ${sentence}`).join("\n");
  return readText(frontMatter.file, list, { facts, isEditorial: true, firstLine });
}
