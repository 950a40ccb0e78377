import type { FindColour } from "./palette.ts";
import { typesetHtml } from "./content/typography.ts";
import { BuildError } from "./fail.ts";
import { inlineElement, withoutRaw } from "./inline.ts";

/** A template expression that this build writes. Anything else that looks like one is a mistake in a text. */
const EXPRESSION =
  /\{\{ (?:origin|item|(?:site|item|form|thanks|reviews)\.[a-z_.]+|\([^\n]*?\) \| tojson|client \| tojson) \}\}/g;
const STATEMENT = /\{% (?:if [a-z_.!=() ]+|for item in [a-z_.]+|else|endif|endfor) %\}/g;

/** Addresses of what every page loads. */
export interface Assets {
  script: string;
  /** The script that pages with an island load once they are painted, and others fetch ahead. */
  island: string;
  fonts: string[];
}

export interface Page {
  head: string;
  body: string;
  structuredData: string[];
  /** Rules of the page. */
  style: string;
}

/**
 * Returns the complete HTML file of a page, as a template. The fonts are asked for before the picture that `head` may ask
 * for: they are the larger part, and the first request takes the page's own connection.
 */
export function documentFor(
  { head, body, structuredData, style }: Page,
  assets: Assets,
  { light, dark }: { light: FindColour; dark: FindColour },
) {
  const document = `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${assets.fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`).join("\n")}
${head}
<meta name="theme-color" content="${light("--paper")}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${dark("--paper")}" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
<link rel="alternate" type="application/atom+xml" href="/blog/feed" title="Ratgeber Taubenabwehr">
${inlineElement("style", style)}
<script type="module" src="${assets.script}" data-island-src="${assets.island}"></script>
<script type="application/json" id="settings">{{ client | tojson }}</script>
${structuredData.map((json) => `<script type="application/ld+json">${json}</script>`).join("\n")}
</head>
<body>
<div id="root">${typesetHtml(body)}</div>
</body>
</html>
`;
  checkTemplate(document);
  return document;
}

function checkTemplate(document: string) {
  const rest = withoutRaw(document).replace(EXPRESSION, "").replace(STATEMENT, "");
  const stray = /.{0,40}\{[{%#].{0,40}/.exec(rest);
  if (stray) throw new BuildError(`a text holds template syntax: ${stray[0]}`);
}
