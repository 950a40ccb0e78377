import assert from "node:assert/strict";
import { test } from "node:test";
import { mistakes } from "./support/html-rules.ts";
import { startOperatorSite, TAGS } from "./support/operator.ts";
import { everyPath, MISSING, sitemapPaths } from "./support/paths.ts";
import { useSite } from "./support/stage.ts";

/** The approximate length at which search engines truncate titles. The part cut off would be the site's name. */
const LONGEST_TITLE = 90;
/** The range of lengths that search engines show of a description. */
const DESCRIPTION = { least: 50, most: 180 };

/** The HTML of every page as the server sends it, by path. */
const pages = new Map<string, string>();

const NASTY = encodeURIComponent("</textarea><b id=nachname>\"' &amp; \u2028");
const BODIES = ["", `problems=other&problemOther=${NASTY}&email=${NASTY}`];

/** The questionnaire as the server returns it, by the body that was sent. */
const returned = new Map<string, string>();

const stage = useSite(
  () => startOperatorSite(TAGS),
  async ({ site }) => {
    for (const path of await everyPath(site.url)) pages.set(path, await (await fetch(site.url + path)).text());
    // Now rather than later: once the validator has blocked this process, the server has closed the idle connection.
    for (const body of BODIES) {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const response = await fetch(`${site.url}/fragebogen`, { method: "POST", headers, body });
      assert.equal(response.status, 400);
      returned.set(`/fragebogen with "${body}"`, await response.text());
    }
  },
);

const bare = useSite();

test("the HTML of every page is valid", async () => {
  assert.deepEqual(await mistakes(pages), []);
});

test("the HTML of a rejected questionnaire is valid, whatever it contains", async () => {
  assert.equal(returned.size, BODIES.length);
  assert.deepEqual(await mistakes(returned), []);
});

test("the HTML is also valid with default settings", async () => {
  const documents = new Map<string, string>();
  for (const path of ["/", "/fragebogen", "/impressum", "/datenschutz"])
    documents.set(path, await (await fetch(bare.site.url + path)).text());
  assert.deepEqual(await mistakes(documents), []);
});

const unescape = (text: string) =>
  text.replace(
    /&(amp|quot|lt|gt|#x27|#39);/g,
    (_, name: string) => ({ amp: "&", quot: '"', lt: "<", gt: ">" })[name] ?? "'",
  );
const meta = (html: string, name: string) =>
  unescape(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? "");

/** Returns values that should be unique but occur on several pages. */
function shared(values: Map<string, string>): string[] {
  const owners = new Map<string, string[]>();
  for (const [path, value] of values) owners.set(value, [...(owners.get(value) ?? []), path]);
  return [...owners].flatMap(([value, paths]) =>
    paths.length > 1 ? [`${paths.join(", ")} share ${JSON.stringify(value)}`] : [],
  );
}

test("titles and descriptions fit the lengths that search engines show", async () => {
  const found: string[] = [];
  for (const path of await sitemapPaths(stage.site.url)) {
    const html = pages.get(path) ?? "";
    const title = unescape(/<title[^>]*>([^<]*)/.exec(html)?.[1] ?? "");
    if (title.length < 10 || title.length > LONGEST_TITLE) found.push(`${path}: title of ${title.length}: ${title}`);
    const { length } = meta(html, "description");
    if (length < DESCRIPTION.least || length > DESCRIPTION.most) found.push(`${path}: description of ${length}`);
  }
  assert.deepEqual(found, []);
});

test("every page has its own description, canonical address and social card", async () => {
  const indexable = await sitemapPaths(stage.site.url);
  const of = (read: (html: string) => string, paths: readonly string[]) =>
    new Map(paths.map((path) => [path, read(pages.get(path) ?? "")]));
  assert.deepEqual(shared(of((html) => meta(html, "description"), [...pages.keys()])), []);
  assert.deepEqual(shared(of((html) => meta(html, "og:image"), indexable)), []);
  assert.deepEqual(shared(of((html) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? "", indexable)), []);
});

test("missing pages and the thank-you page are not indexed", () => {
  for (const path of [...MISSING, "/danke"]) assert.match(meta(pages.get(path) ?? "", "robots"), /noindex/, path);
});

test("no article appears twice among the cards of the blog", () => {
  const ids = [...(pages.get("/blog") ?? "").matchAll(/<h3[^>]*><a href="\/blog\/([^"]+)"/g)].map(([, id]) => id);
  assert.equal(ids.length, 9);
  assert.equal(new Set(ids).size, 9);
});
