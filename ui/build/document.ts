import type { FindColour } from "./palette.ts";
import { typesetHtml } from "./content/typography.ts";
import { BuildError } from "./fail.ts";
import { inlineElement, withoutRaw } from "./inline.ts";

/** A template expression that this build writes. Anything else that looks like one is a mistake in a text. */
const EXPRESSION =
  /\{\{ (?:origin|item|(?:site|item|form|thanks|reviews)\.[a-z_.]+|\([^\n]*?\) \| tojson|client \| tojson) \}\}/g;
const STATEMENT = /\{% (?:(?:el)?if [a-z_.!=() ]+|for item in [a-z_.]+|else|endif|endfor) %\}/g;

export interface Page {
  /** The part of the head that only this page has. */
  head: string;
  /** The page's CSS. */
  style: string;
  /** Elements that follow the CSS. */
  scripts: string;
  body: string;
}

/** What all pages share. */
export interface Frame {
  /** Addresses of the fonts that pages preload. */
  fonts: string[];
  palette: { light: FindColour; dark: FindColour };
}

/**
 * Returns the complete HTML file of a page, as a template. Fonts come before the picture that `head` may preload: they
 * are larger, and the first request uses the page's own connection.
 */
export function documentFor({ head, style, scripts, body }: Page, { fonts, palette: { light, dark } }: Frame) {
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`).join("\n")}
${head}
<meta name="theme-color" content="${light("--paper")}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${dark("--paper")}" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${inlineElement("style", style)}
${scripts}
</head>
<body>
<div id="root">${typesetHtml(body)}</div>
</body>
</html>
`;
}

/** Fails the build if a page contains template syntax that this build has not written. */
export function checkTemplate(document: string) {
  const rest = withoutRaw(document).replace(EXPRESSION, "").replace(STATEMENT, "");
  const stray = /.{0,40}\{[{%#].{0,40}/.exec(rest);
  if (stray) throw new BuildError(`a text holds template syntax: ${stray[0]}`);
}
