import type { Facts } from "./facts.ts";
import { z } from "zod";
import { text } from "./fields.ts";

/** A placeholder for a fact: "Hamburg und {radius} Umkreis". */
const SLOT = /\{([a-z0-9-]+)\}/g;

/** Returns the fields `text` and `texts` for texts with placeholders, which are replaced by the words of facts. */
export function factTexts(facts: Facts) {
  const filled = text.transform((value, { addIssue }) => {
    const unknown = [...value.matchAll(SLOT)].find(([, name = ""]) => !Object.hasOwn(facts, name));
    if (unknown) addIssue(`there is no fact ${unknown[1]} in facts.toml`);
    const shown = value.replace(SLOT, (_, name) => facts[name]?.text ?? "");
    // Facts begin with a lower-case letter ("bis zu …"), texts do not.
    return value.startsWith("{") ? shown.charAt(0).toUpperCase() + shown.slice(1) : shown;
  });
  return { text: filled, texts: z.array(filled, "must be a list of texts").default([]) };
}
