import type { ConfigData } from "html-validate";

/** All that html-validate recommends, less what is a matter of style; each with the reason why. */
export const HTML_RULES: ConfigData = {
  root: true,
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React writes its attributes and void elements in its own style; all of them are valid HTML.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "attr-case": "off",
    // HTML allows any id without white space; React's and those of German headings are more than names of CSS.
    "valid-id": ["error", { relaxed: true }],
    // Lists may be named, and screen readers tell the name.
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    // A wide table scrolls in an element that only has a role so that the keyboard can reach it.
    "prefer-native-element": ["error", { exclude: ["region"] }],
    // React escapes what must be escaped; white space at line ends comes from articles' sources.
    "no-trailing-whitespace": "off",
    "no-raw-characters": ["error", { relaxed: true }],
    // Titles have a test of their own, which knows the suffix.
    "long-title": "off",
    // All scripts and styles are the site's own, from the same origin and named by their content.
    "require-sri": "off",
    // German typography sets the spaces that this rule asks for in telephone numbers by itself: `white-space: nowrap`.
    "tel-non-breaking": "off",
    // The policy lets no inline style in.
    "no-inline-style": "error",
    "heading-level": ["error", { allowMultipleH1: false, minInitialRank: "h1" }],
    "no-dup-id": "error",
    "no-missing-references": "error",
  },
};
