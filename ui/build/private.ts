import { documentFor, type Frame } from "./document.ts";
import { BuildError } from "./fail.ts";
import { TEMPLATE } from "./mails/escape.ts";

/** The entities that React writes. An expression must reach the server unescaped. */
const ENTITIES = { "&quot;": '"', "&#x27;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const ENTITY = /&(?:quot|#x27|lt|gt|amp);/g;

/** The condition on which a private page has the photo script. */
const SENDS_PHOTOS: Readonly<Record<string, string>> = { visitor: 'state != "withdrawn" and sends_photos' };

/**
 * Returns the complete HTML file of a private page, as a template. Search engines must not index it, and only the photo
 * form has a script.
 */
export function privateDocument(
  { name, title, body, style }: { name: string; title: string; body: string; style: string },
  photos: string,
  frame: Frame,
) {
  if (/<script/i.test(body)) throw new BuildError(`the private page ${name} holds a script`);
  const sends = SENDS_PHOTOS[name];
  return documentFor(
    {
      head: `<title>${title} | {{ site.name }}</title>\n<meta name="robots" content="noindex, nofollow">`,
      style,
      scripts: sends ? `{% if ${sends} %}<script type="module" src="${photos}"></script>{% endif %}` : "",
      // The HTML spelling; React writes the DOM property's name.
      body: body.replace(TEMPLATE, unescape).replaceAll(" encType=", " enctype="),
    },
    frame,
  );
}

function unescape(expression: string) {
  return expression.replace(ENTITY, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);
}
