import { transform } from "lightningcss";

/** Classes and ids in a style sheet. What else looks like one, such as a colour, does no harm: nothing has its name. */
const NAMES = /[.#](-?[a-z_][\w-]*)/gi;
const ANIMATIONS = /@keyframes ([\w-]+)/g;
const ATTRIBUTES = / (?:class|id)="([^"]*)"/g;
const WORDS = /[\w-]+/g;

/**
 * Returns a function that takes the rules of a page from a style sheet: all but those for classes and ids that neither
 * the page has nor its scripts can add. A script can add what is a word in its strings. A word that begins or ends in a
 * hyphen may be a part of a name: `chart-${demand}`.
 *
 * @param {string} sheet
 * @returns {(html: string, strings: string) => string}
 */
export function pageStyles(sheet) {
  const names = new Set(matches(sheet, NAMES));
  return (html, strings) => {
    const words = new Set(matches(strings, WORDS, 0));
    const parts = [...words].filter((word) => word.length > 1 && (word.startsWith("-") || word.endsWith("-")));
    const used = new Set(matches(html, ATTRIBUTES).flatMap((value) => matches(value, WORDS, 0)));
    const canBeAdded = (/** @type {string} */ name) =>
      words.has(name) || parts.some((part) => (part.endsWith("-") ? name.startsWith(part) : name.endsWith(part)));
    const rules = without(
      sheet,
      [...names].filter((name) => !used.has(name) && !canBeAdded(name)),
    );
    return without(rules, idleAnimations(rules));
  };
}

/**
 * Returns the animations that no rule plays.
 *
 * @param {string} css
 */
function idleAnimations(css) {
  const played = new Set(matches(css.replace(ANIMATIONS, ""), WORDS, 0));
  return matches(css, ANIMATIONS).filter((name) => !played.has(name));
}

/**
 * @param {string} css
 * @param {string[]} unused
 */
function without(css, unused) {
  const { code } = transform({ filename: "page.css", code: Buffer.from(css), minify: true, unusedSymbols: unused });
  return code.toString();
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 * @param {number} group
 */
function matches(text, pattern, group = 1) {
  return [...text.matchAll(pattern)].map((match) => match[group] ?? "");
}
