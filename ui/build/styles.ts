import type { CustomAtRules, Selector, TransformOptions } from "lightningcss";
import { transform } from "lightningcss";

/** Classes and ids in a style sheet. What else looks like one, such as a colour, does no harm: nothing has its name. */
const NAMES = /[.#](-?[a-z_][\w-]*)/gi;
const ANIMATIONS = /@keyframes ([\w-]+)/g;
const ATTRIBUTES = / (?:class|id)="([^"]*)"/g;
const WORDS = /[\w-]+/g;

/**
 * Returns a function that takes the rules of a page from a style sheet: all but those for classes and ids that neither
 * the page has nor its scripts can add. A script can add what is a word in its strings. A word that begins or ends in a
 * hyphen may be a part of a name: `chart-${demand}`. Of a list of selectors, only those that can match are left.
 */
export function pageStyles(sheet: string): (html: string, strings: string) => string {
  const names = new Set(matches(sheet, NAMES));
  return (html, strings) => {
    const words = new Set(matches(strings, WORDS, 0));
    const parts = [...words].filter((word) => word.length > 1 && (word.startsWith("-") || word.endsWith("-")));
    const used = new Set(matches(html, ATTRIBUTES).flatMap((value) => matches(value, WORDS, 0)));
    const canBeAdded = (name: string) =>
      words.has(name) || parts.some((part) => (part.endsWith("-") ? name.startsWith(part) : name.endsWith(part)));
    const unused = new Set([...names].filter((name) => !used.has(name) && !canBeAdded(name)));
    const rules = minified(sheet, {
      visitor: { Selector: (selector) => (canMatch(selector, unused) ? selector : []) },
    });
    return minified(rules, { unusedSymbols: idleAnimations(rules) });
  };
}

/** Returns the animations that no rule plays. */
function idleAnimations(css: string) {
  const played = new Set(matches(css.replace(ANIMATIONS, ""), WORDS, 0));
  return matches(css, ANIMATIONS).filter((name) => !played.has(name));
}

/**
 * Whether a selector matches anything without the names that are unused. Takes what cannot match out of the lists that
 * it holds.
 */
function canMatch(selector: Selector, unused: Set<string>): boolean {
  return selector.every((part) => {
    if (part.type === "class" || part.type === "id") return !unused.has(part.name);
    if (part.type !== "pseudo-class" || !(part.kind === "is" || part.kind === "has" || part.kind === "where"))
      return true;
    const left = part.selectors.filter((inner) => canMatch(inner, unused));
    // The most specific selector of a list counts for all of it.
    if (specificity(left) === specificity(part.selectors)) part.selectors = left;
    return left.length > 0;
  });
}

/** Returns the specificity of the most specific of some selectors, as far as lists of one name each can differ. */
function specificity(selectors: Selector[]) {
  const count = (selector: Selector, ...types: string[]) => selector.filter(({ type }) => types.includes(type)).length;
  return Math.max(
    ...selectors.map((parts) => 1000 * count(parts, "id") + count(parts, "class", "attribute", "pseudo-class")),
  );
}

function minified(css: string, options: Partial<TransformOptions<CustomAtRules>>) {
  const { code } = transform({ ...options, filename: "page.css", code: Buffer.from(css), minify: true });
  return code.toString();
}

function matches(text: string, pattern: RegExp, group: number = 1) {
  return [...text.matchAll(pattern)].map((match) => match[group] ?? "");
}
