import assert from "node:assert/strict";
import { test } from "node:test";
import { typesetHtml } from "../../build/content/typography.ts";
import { startOperatorSite, TAGS } from "./support/operator.ts";
import { readServedHtml, type ServedHtml } from "./support/served-html.ts";
import { useSite } from "./support/stage.ts";

let served: ServedHtml;
useSite(
  () => startOperatorSite(TAGS),
  async ({ site }) => {
    served = await readServedHtml(site.url);
  },
);

/** What a visitor wrote is shown as it was written. Facts, and claims that the server fills in, are kept together by their style. */
const KEPT =
  /<blockquote\b.*?<\/blockquote>|<div class="quote".*?<\/div>|<(span|td) class="fact">[^<]*<\/\1>|<dd>[^<]*<\/dd>/gs;

/** Returns where a line may break that must not, with some letters around it. */
function breaks(html: string): string[] {
  const body = html.slice(html.indexOf("<body")).replaceAll(KEPT, "");
  const letters = [...body];
  const typeset = [...typesetHtml(body)];
  return letters.flatMap((letter, at) =>
    letter === typeset[at]
      ? []
      : [
          letters
            .slice(Math.max(0, at - 20), at + 20)
            .join("")
            .replaceAll("\n", " "),
        ],
  );
}

test("the rules find an ordinary space between a number and its unit", () => {
  assert.deepEqual(breaks("<body><p>bis zu 50 km</p>"), ["<body><p>bis zu 50 km</p>"]);
});

test("numbers stay with their units, and paragraphs with theirs, on all pages, forms and mails", () => {
  const mails = [...served.mails].map(([name, { html }]) => [name, html] as const);
  const all = [...served.pages, ...served.privatePages, ...mails];
  assert.ok(all.length > 60, `${all.length}`);
  const found = all.flatMap(([name, html]) => breaks(html).map((place) => `${name}: …${place}…`));
  assert.deepEqual(found, []);
});
