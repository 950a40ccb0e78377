/** @import { Facts } from "./facts.mjs" */
import { z } from "zod";
import { text } from "./fields.mjs";

/** A fact in a text that is not prose: "Hamburg und {radius} Umkreis". */
const SLOT = /\{([a-z0-9-]+)\}/g;

/**
 * Returns the fields `text` and `texts` for texts that may show facts: each slot becomes the fact's words.
 *
 * @param {Facts} facts
 */
export function factTexts(facts) {
  const filled = text.transform((value, { addIssue }) => {
    const unknown = [...value.matchAll(SLOT)].find(([, name = ""]) => !Object.hasOwn(facts, name));
    if (unknown) addIssue(`there is no fact ${unknown[1]} in facts.toml`);
    const shown = value.replace(SLOT, (_, name) => facts[name]?.text ?? "");
    // Facts begin in small letters ("bis zu …"), texts do not.
    return value.startsWith("{") ? shown.charAt(0).toUpperCase() + shown.slice(1) : shown;
  });
  return { text: filled, texts: z.array(filled, "must be a list of texts").default([]) };
}
