import type { FindColour } from "./palette.ts";
import type { Assets } from "./document.ts";
import { typesetHtml } from "./content/typography.ts";
import { BuildError } from "./fail.ts";
import { inlineElement } from "./inline.ts";
import { checkExpressions, TEMPLATE } from "./mails/expressions.ts";

/** What React escapes. An expression must reach the server as it was written. */
const ENTITIES = { "&quot;": '"', "&#x27;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const ENTITY = /&(?:quot|#x27|lt|gt|amp);/g;

/** What private pages load only where they have photos, or a form for them. */
export interface PhotoAssets {
  script: string;
  sheet: string;
}

/** The pages with photos, and when; only where some can be sent is there a script. */
const WITH_PHOTOS: Record<string, { test: string; sends: boolean }> = {
  visitor: { test: 'state != "withdrawn"', sends: true },
  firm: { test: "photos", sends: false },
};

/**
 * Returns the complete HTML file of a private page, as a template. Search engines are told to leave it alone, and only the
 * form for photos has a script.
 */
export function privateDocument(
  { name, title, body, style }: { name: string; title: string; body: string; style: string },
  names: readonly string[],
  assets: Pick<Assets, "fonts"> & { photos: PhotoAssets },
  { light, dark }: { light: FindColour; dark: FindColour },
) {
  if (/<script/i.test(body)) throw new BuildError(`the private page ${name} holds a script`);
  // As HTML is written; React writes the name that scripts have for it.
  const content = body.replace(TEMPLATE, unescape).replaceAll(" encType=", " enctype=");
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
${inlineElement("style", style)}${photoElements(name, assets.photos)}
</head>
<body>
<div id="root">${typesetHtml(content)}</div>
</body>
</html>
`;
}

function photoElements(name: string, { script, sheet }: PhotoAssets) {
  const photos = WITH_PHOTOS[name];
  if (!photos) return "";
  const elements = [`<link rel="stylesheet" href="${sheet}">`];
  if (photos.sends) elements.push(`<script type="module" src="${script}"></script>`);
  return `{% if ${photos.test} %}\n${elements.join("\n")}{% endif %}`;
}

function unescape(expression: string) {
  return expression.replace(ENTITY, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);
}
