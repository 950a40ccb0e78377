import type { FindColour } from "./palette.ts";
import type { Assets } from "./document.ts";
import { typesetHtml } from "./content/typography.ts";
import { BuildError } from "./fail.ts";
import { inlineElement } from "./inline.ts";
import { TEMPLATE } from "./mails/escape.ts";

/** What React escapes. An expression must reach the server as it was written. */
const ENTITIES = { "&quot;": '"', "&#x27;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const ENTITY = /&(?:quot|#x27|lt|gt|amp);/g;

/** What private pages load only where they have photos, or a form for them. */
export interface PhotoAssets {
  script: string;
  sheet: string;
}

/** When a page has photos, or a form for them, and when a script sends some. */
const WITH_PHOTOS: Record<string, { shows: string; sends?: string }> = {
  visitor: { shows: 'state != "withdrawn"', sends: "sends_photos" },
  firm: { shows: "photos" },
};

/**
 * Returns the complete HTML file of a private page, as a template. Search engines are told to leave it alone, and only the
 * form for photos has a script.
 */
export function privateDocument(
  { name, title, body, style }: { name: string; title: string; body: string; style: string },
  assets: Pick<Assets, "fonts"> & { photos: PhotoAssets },
  { light, dark }: { light: FindColour; dark: FindColour },
) {
  if (/<script/i.test(body)) throw new BuildError(`the private page ${name} holds a script`);
  // As HTML is written; React writes the name that scripts have for it.
  const content = body.replace(TEMPLATE, unescape).replaceAll(" encType=", " enctype=");
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
  const style = `{% if ${photos.shows} %}\n<link rel="stylesheet" href="${sheet}">{% endif %}`;
  if (!photos.sends) return style;
  return `${style}{% if ${photos.sends} %}\n<script type="module" src="${script}"></script>{% endif %}`;
}

function unescape(expression: string) {
  return expression.replace(ENTITY, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);
}
