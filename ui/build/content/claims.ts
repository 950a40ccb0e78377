import type { Facts } from "./facts.ts";
import { z } from "zod";
import { either } from "./home.ts";
import { optionalText, table, text } from "./fields.ts";
import { readToml } from "./toml.ts";

const NAME = "must be lower-case letters and underscores";

const FILE = z.record(
  z.string().regex(/^[a-z]+(_[a-z]+)*$/, NAME),
  table({
    value: text,
    text,
    other_text: optionalText,
    shown: text,
    basis: optionalText,
    period: optionalText,
    fact: optionalText,
  }),
);

/** `value` goes between `before` and `after`. */
export type ClaimText = { value: string; before: string; after: string };

/**
 * Reads the advertising claims: the texts around the value that the server fills in. (The server reads the same file.)
 */
export async function readClaims(file: string, facts: Facts) {
  const source = await readToml(file);
  const claims: Record<string, ClaimText> = {};
  for (const [name, { value, text: sentence, other_text: other, fact }] of Object.entries(source.read(FILE))) {
    const amount = fact ? (facts[fact]?.amount ?? "a fact").replaceAll("\u00a0", " ") : value;
    if (amount !== value) source.fail([name, "value"], `must be ${amount}, as ${fact} in facts.toml`);
    const [before = "", after = "", more] = sentence.split("{value}");
    if (more !== undefined) source.fail([name, "text"], "names {value} twice");
    claims[name] = {
      value,
      before: other ? either("site.sample", before, other.replace(/\{value\}.*/, "")) : before,
      after,
    };
  }
  return claims;
}
