/** @import { Facts } from "./facts.mjs" */
import { z } from "zod";
import { optionalText, table, text } from "./fields.mjs";
import { readToml } from "./toml.mjs";

const NAME = "must be lower-case letters and underscores";

const FILE = z.record(
  z.string().regex(/^[a-z]+(_[a-z]+)*$/, NAME),
  table({ value: text, text, shown: text, basis: optionalText, period: optionalText, fact: optionalText }),
);

/** @typedef {{ value: string, before: string, after: string }} ClaimText `value` stands between the two */

/**
 * Reads the advertising claims: their texts, around the value that the server fills in. (The server reads the same file.)
 *
 * @param {string} file
 * @param {Facts} facts
 */
export async function readClaims(file, facts) {
  const source = await readToml(file);
  /** @type {Record<string, ClaimText>} */
  const claims = {};
  for (const [name, { value, text: sentence, fact }] of Object.entries(source.read(FILE))) {
    const amount = fact ? (facts[fact]?.amount ?? "a fact").replaceAll("\u00a0", " ") : value;
    if (amount !== value) source.fail([name, "value"], `must be ${amount}, as ${fact} in facts.toml`);
    const [before = "", after = "", more] = sentence.split("{value}");
    if (more !== undefined) source.fail([name, "text"], "names {value} twice");
    claims[name] = { value, before, after };
  }
  return claims;
}
