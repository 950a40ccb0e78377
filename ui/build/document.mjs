import { BuildError } from "./fail.mjs";

/** A template expression as this build writes it. Anything else that looks like one is a mistake in a text. */
const EXPRESSION = /\{\{ (?:origin|(?:site|item)\.[a-z_.]+|\([^\n]*?\) \| tojson|site \| tojson) \}\}/g;
const STATEMENT = /\{% (?:if [a-z_. ]+|for item in [a-z_.]+|else|endif|endfor) %\}/g;

/** The complete HTML file of a page, as a template. `path` is null where it stands for what does not exist. */
export function documentFor({ path, head, body, structuredData, assets, chunk }) {
  const page = `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<meta name="theme-color" content="#f2f5f5" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0b1a24" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
<link rel="alternate" type="application/atom+xml" href="/blog/feed" title="Ratgeber Taubenabwehr">
${assets.fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`).join("\n")}
<link rel="stylesheet" href="${assets.style}">
${chunk ? `<link rel="modulepreload" href="${chunk}">\n` : ""}<script type="module" src="${assets.script}"></script>
<script type="application/json" id="settings">{{ site | tojson }}</script>
${structuredData.map((json) => `<script type="application/ld+json">${json}</script>`).join("\n")}
</head>
<body>
<div id="root"${path === null ? "" : ` data-page="${path}"`}>${body}</div>
</body>
</html>
`;
  checkTemplate(page);
  return page;
}

function checkTemplate(page) {
  const rest = page.replace(EXPRESSION, "").replace(STATEMENT, "");
  const stray = /.{0,40}\{[{%#].{0,40}/.exec(rest);
  if (stray) throw new BuildError(`a text holds template syntax: ${stray[0]}`);
}
