import { text, texts } from "./fields.mjs";

/** A fact in a text that is not prose: "Hamburg und {radius} Umkreis". */
const SLOT = /\{([a-z0-9-]+)\}/g;

/** The checks `text` and `texts` for fields that may show facts: each slot becomes the fact's words. */
export function factTexts(facts) {
  const fill = (value, complain) => {
    const filled = value.replace(SLOT, (_, name) => {
      if (!Object.hasOwn(facts, name)) complain(`there is no fact ${name} in facts.toml`);
      return facts[name].text;
    });
    // Facts begin in small letters ("bis zu …"), texts do not.
    return value.startsWith("{") ? filled[0].toUpperCase() + filled.slice(1) : filled;
  };
  return {
    text: (value, complain) => fill(text(value, complain), complain),
    texts: (value, complain) => texts(value, complain).map((one) => fill(one, complain)),
  };
}
