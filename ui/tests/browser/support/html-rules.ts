import { type ConfigData, HtmlValidate } from "html-validate";

/** The recommended rules of html-validate, with a reason for each exception. */
const HTML_RULES: ConfigData = {
  root: true,
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React's style of writing attributes and void elements is valid HTML.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "attr-case": "off",
    // HTML allows any id without white space. Some ids from React and from German headings are not CSS identifiers.
    "valid-id": ["error", { relaxed: true }],
    // Lists may have labels, which screen readers announce.
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    // A wide table scrolls in an element whose role only makes it reachable by keyboard. A <progress> cannot look like
    // the questionnaire's progress bar in every browser.
    "prefer-native-element": ["error", { exclude: ["region", "progressbar"] }],
    // The check boxes of a question share one name, which browsers and servers have always understood.
    "form-dup-name": ["error", { shared: ["radio", "button", "reset", "submit", "checkbox"] }],
    // React escapes everything necessary. Trailing white space comes from the sources of articles.
    "no-trailing-whitespace": "off",
    "no-raw-characters": ["error", { relaxed: true }],
    // Another test checks titles, and knows their suffix.
    "long-title": "off",
    // All scripts and styles come from the site's own origin, with a content hash in their names.
    "require-sri": "off",
    // `white-space: nowrap` does what this rule wants for telephone numbers.
    "tel-non-breaking": "off",
    // The content security policy blocks inline styles.
    "no-inline-style": "error",
    // A template is not part of the page, and has its own outline.
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

/** The same for mails, which mail programs display in their own ways. */
export const MAIL_RULES: ConfigData = {
  ...HTML_RULES,
  rules: {
    ...HTML_RULES.rules,
    // Many mail programs drop style sheets.
    "no-inline-style": "off",
    // Many mail programs drop elements that they do not know, such as main, but keep roles.
    "prefer-native-element": "off",
    // Conditional comments are for Outlook.
    "no-conditional-comment": "off",
  },
};

/** Returns the faults in the HTML of documents, which are given by name. */
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
