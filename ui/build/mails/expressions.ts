import { fail } from "../fail.ts";

/** An expression or a tag of the template language. */
export const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}/g;

/** A line that is one tag: what lies between two of them is Markdown of its own. */
export const TAG_LINE = /^\s*(\{%[^%]*%\})\s*$/;

const WORDS = new Set([
  "and",
  "or",
  "not",
  "in",
  "if",
  "else",
  "elif",
  "for",
  "endif",
  "endfor",
  "true",
  "false",
  "is",
  "none",
]);
/** Filters of the template language, and those that `src/site/templates` adds. */
const FILTERS = new Set([
  "joined",
  "quoted",
  "time",
  "last_day",
  "day",
  "euro",
  "named",
  "place",
  "tel",
  "mailto",
  "query",
  "hours",
]);

/** Ends the build at the first expression that uses a name which the template does not get. */
export function checkExpressions(file: string, text: string, names: readonly string[], firstLine: number = 1) {
  const open: string[] = [];
  const items = new Map([["loop", "loop"]]);
  for (const [index, line] of text.split("\n").entries()) {
    const complain: (message: string) => never = (message) => fail(file, index + firstLine, message);
    if (/\{[{%]/.test(line.replace(TEMPLATE, ""))) complain("an expression must begin and end on one line");
    for (const [expression] of line.matchAll(TEMPLATE)) {
      const inner = expression.slice(2, -2).trim();
      if (expression.startsWith("{%")) checkTag(inner, open, complain);
      const loop = /^for (\w+) in ([\w.]+)$/.exec(inner);
      if (loop?.[1] && loop[2]) items.set(loop[1], loop[2]);
      for (const name of namesIn(inner)) {
        const [first = "", ...rest] = name.split(".");
        const isItem = items.has(first) && (rest.length <= 1 || names.includes(name));
        const isKnown = names.includes(name) || names.some((known) => known.startsWith(`${name}.`));
        if (!isItem && !isKnown) complain(`${name}: there is no such name here; known are ${names.join(", ")}`);
      }
    }
  }
  if (open.length > 0) fail(file, text.split("\n").length + firstLine - 1, `{% ${open.at(-1)} %} is never closed`);
}

function checkTag(tag: string, open: string[], complain: (message: string) => never) {
  const [word = ""] = tag.split(" ");
  if (word === "if" || word === "for") open.push(word);
  else if (word === "endif" || word === "endfor") {
    if (open.pop() !== word.slice("end".length)) complain(`{% ${tag} %} closes nothing`);
  } else if (!["else", "elif"].includes(word)) complain(`{% ${tag} %}: use if, elif, else, endif, for, endfor`);
  else if (open.at(-1) !== "if") complain(`{% ${tag} %} stands in no if`);
}

/** Returns the dotted names in an expression, without its texts, numbers, words and filters. */
function namesIn(inner: string) {
  const code = inner.replaceAll(/"[^"]*"|'[^']*'/g, " ").replaceAll(/\|\s*(\w+)/g, (_, filter) => {
    return FILTERS.has(filter) ? " " : ` ${filter} `;
  });
  return (code.match(/[a-z_][\w.]*/gi) ?? []).filter((name) => !WORDS.has(name));
}
