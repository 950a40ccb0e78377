/**
 * Places where a line must not break: between a number and its unit, in a range, in a date, between a section sign, its
 * number and its law, in the file number of a ruling, before a dash.
 */
const PAIRS: [RegExp, string][] = [
  [
    /(\d)\s(?=(?:%|(?:EUR|Euro|Prozent|m²|mm|m|cm|km|kg|kHz|Uhr|Stunden?|Tage?n?|Jahre?n?|Punkten)(?![\p{L}\d])))/gu,
    "$1\u00a0",
  ],
  [/(\d\.)\s(?=(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)/g, "$1\u00a0"],
  [/(§§?|Art\.|Abs\.|Nr\.|Satz|Drs\.)\s(?=\d)/g, "$1\u00a0"],
  [/(§§\s\d+[a-z]?,)\s(?=\d)/g, "$1\u00a0"],
  [/((?:§|Art\.)\s\d+[a-z]?)\s(?=[A-Z]\w*[A-Z]\b)/g, "$1\u00a0"],
  [/(\d)\s(?=bis\s\d{3})/g, "$1\u00a0"],
  [/\b(bis)\s(?=\d{3})/g, "$1\u00a0"],
  [/\b(etwa|rund)\s(?=\d)/g, "$1\u00a0"],
  [/\b(lit\.)\s(?=[a-z]\b)/g, "$1\u00a0"],
  [/\b(\d{1,4}[a-zA-Z]?|[IVX]+)\s([A-Z]{1,2}|[A-Z][a-z]?)\s(?=\d{1,5}\/\d{2}\b)/g, "$1\u00a0$2\u00a0"],
  [/(\(\d\))\s(?=\S)/g, "$1\u00a0"],
  [/\s–\s/g, "\u00a0– "],
];

/** Content without text for readers, and the tags between texts. */
const MARKUP = /(<(script|style|code|textarea)\b.*?<\/\2>|<[^>]*>|\{[{%].*?[}%]\})/gs;

/**
 * Inserts non-breaking spaces into the texts of rendered HTML, whatever their source: articles, TOML files, components.
 */
export function typesetHtml(html: string) {
  let last = 0;
  let result = "";
  for (const match of html.matchAll(MARKUP)) {
    result += typeset(html.slice(last, match.index)) + match[0];
    last = match.index + match[0].length;
  }
  return result + typeset(html.slice(last));
}

/** Inserts non-breaking spaces into a text without markup. */
export function typeset(text: string) {
  return PAIRS.reduce((shown, [pattern, pair]) => shown.replace(pattern, pair), text);
}
