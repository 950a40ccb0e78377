import { type ConfigData, HtmlValidate } from "html-validate";

/** The recommended rules of html-validate, with a reason for each exception. */
const HTML_RULES: ConfigData = {
  root: true,
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React writes attributes and void elements in its own style, which is valid HTML.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "attr-case": "off",
    // HTML allows any id without white space. Some ids of React and of German headings are not CSS identifiers.
    "valid-id": ["error", { relaxed: true }],
    // Lists may have labels, which screen readers announce.
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    // A wide table scrolls in an element whose role is there only to make it reachable by keyboard. A <progress> cannot have the
    // look of the questionnaire's in every browser.
    "prefer-native-element": ["error", { exclude: ["region", "progressbar"] }],
    // The check boxes of one question have one name, as browsers and servers have always understood it.
    "form-dup-name": ["error", { shared: ["radio", "button", "reset", "submit", "checkbox"] }],
    // React escapes all that needs escaping. Trailing white space comes from the sources of articles.
    "no-trailing-whitespace": "off",
    "no-raw-characters": ["error", { relaxed: true }],
    // Another test checks titles and knows their suffix.
    "long-title": "off",
    // All scripts and styles come from the site's own origin, with a content hash in their names.
    "require-sri": "off",
    // `white-space: nowrap` does what this rule wants for telephone numbers.
    "tel-non-breaking": "off",
    // The content security policy blocks inline styles.
    "no-inline-style": "error",
    // A template is no part of the page, and has an outline of its own.
    "heading-level": [
      "error",
      {
        allowMultipleH1: false,
        minInitialRank: "h1",
        sectioningRoots: ["dialog", '[role="dialog"]', '[role="alertdialog"]', "template"],
      },
    ],
    "no-dup-id": "error",
    "no-missing-references": "error",
  },
};

/** The same for mails, which programs show in their own way. */
export const MAIL_RULES: ConfigData = {
  ...HTML_RULES,
  rules: {
    ...HTML_RULES.rules,
    // Many programs for mail drop style sheets.
    "no-inline-style": "off",
    // Many programs for mail drop elements that they do not know, such as main, and keep roles.
    "prefer-native-element": "off",
    // Conditional comments are for Outlook.
    "no-conditional-comment": "off",
  },
};

/** Returns what is wrong with the HTML of documents, given by name. */
export async function mistakes(documents: Iterable<readonly [string, string]>, rules = HTML_RULES): Promise<string[]> {
  const validator = new HtmlValidate(rules);
  const found: string[] = [];
  for (const [name, html] of documents) {
    const { results } = await validator.validateString(html, name);
    const messages = results.flatMap((result) => result.messages);
    found.push(
      ...messages.map(
        ({ ruleId, message, line, column, selector }) =>
          `${name}:${line}:${column} ${ruleId}: ${message} (${selector})`,
      ),
    );
  }
  return found;
}
