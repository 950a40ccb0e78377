import type { FindColour } from "./palette.ts";
import type { Assets } from "./document.ts";
import { typesetHtml } from "./content/typography.ts";
import { BuildError } from "./fail.ts";
import { inlineElement } from "./inline.ts";
import { checkExpressions, TEMPLATE } from "./mails/expressions.ts";

/** What React escapes. An expression must reach the server as it was written. */
const ENTITIES = { "&quot;": '"', "&#x27;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const ENTITY = /&(?:quot|#x27|lt|gt|amp);/g;

/**
 * Returns the complete HTML file of a private page, as a template. It loads no script, and search engines are told to
 * leave it alone.
 */
export function privateDocument(
  { name, title, body, style }: { name: string; title: string; body: string; style: string },
  names: readonly string[],
  assets: Pick<Assets, "fonts">,
  { light, dark }: { light: FindColour; dark: FindColour },
) {
  if (/<script/i.test(body)) throw new BuildError(`the private page ${name} holds a script`);
  const content = body.replace(TEMPLATE, unescape);
  checkExpressions(`the page ${name}`, `${title}${content}`, names);
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} | {{ site.name }}</title>
<meta name="robots" content="noindex, nofollow">
<meta name="theme-color" content="${light("--paper")}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${dark("--paper")}" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${assets.fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`).join("\n")}
${inlineElement("style", style)}
</head>
<body>
<div id="root">${typesetHtml(content)}</div>
</body>
</html>
`;
}

function unescape(expression: string) {
  return expression.replace(ENTITY, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);
}
