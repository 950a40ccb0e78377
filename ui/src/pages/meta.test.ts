import assert from "node:assert/strict";
import { test } from "node:test";
import { articlePath, articles, lastChange } from "../blog/articles.ts";
import { articleDescription, cardPath, documentTitle, missingMeta, PLAIN_CARD } from "./page-meta.ts";
import { listCards } from "./card-list.ts";
import { listPages, missingPages } from "./page-list.ts";
import { structuredData } from "./structured-data.ts";
import { address, Expression, toTemplate } from "./template-json.ts";
import { pageAt, routes } from "./routes.tsx";

test("titles end with the site's name, except the home page's", () => {
  const home = documentTitle(pageAt("/").meta, "Taubenabwehr Hamburg");
  assert.equal(home, "Professionelle Taubenabwehr & Taubenschutz Hamburg | Experten");
  assert.equal(documentTitle(pageAt("/faq").meta, "Anders"), "Häufige Fragen | Anders");
  assert.equal(documentTitle(missingMeta("Weg", "Weg."), "Anders"), "Weg | Anders");
});

test("a short excerpt gives way to a sentence with the title", () => {
  const title = "Spikes";
  const thirty = "x".repeat(30);
  assert.equal(articleDescription({ title, excerpt: thirty }), "Ratgeber zur Taubenabwehr in Hamburg: Spikes");
  assert.equal(articleDescription({ title, excerpt: `${thirty}x` }), `${thirty}x`);
});

test("only what stands for no page, and the thank-you page, stays out of the index", () => {
  assert.deepEqual(
    routes.filter((entry) => !entry.indexable).map((entry) => entry.path),
    ["/danke"],
  );
  assert.equal(missingMeta("Weg", "Weg.").indexable, false);
  for (const path of Object.values(missingPages))
    assert.equal(
      routes.some((entry) => entry.path === path),
      false,
    );
});

test("every page has a card under an ASCII address", () => {
  const cards = new Map(listCards("Tauben fort: bald", "Tauben fort").map((card) => [card.image, card]));
  assert.deepEqual(
    [PLAIN_CARD, ...listPages().map(({ path }) => cardPath(path))].toSorted(),
    [...cards.keys()].toSorted(),
  );
  for (const image of cards.keys()) assert.match(image, /^\/[a-z/-]+\.png$/);
  assert.equal(cards.get("/og-image.png")?.title, "Tauben fort: bald");
  assert.ok(cards.has("/og/blog/kategorie/schaedlingsbekaempfung.png"));
  assert.equal(cards.get("/og/blog/kategorie/taubennester.png")?.drawing, "articles/tauben-nisten-balkon-hamburg");
});

test("an article's structured data shows its card", () => {
  const block = structuredData("/blog/taubenabwehr-altona").at(-1) ?? "";
  assert.match(block, /"image":\{\{ \(origin ~ "\/og\/blog\/taubenabwehr-altona\.png"\) \| tojson \}\}/);
});

test("an article's structured data names its sources and the day of its last review", () => {
  const [article = assert.fail("no articles")] = articles;
  const block = structuredData(articlePath(article)).at(-1) ?? "";
  assert.ok(block.includes(`"dateModified":"${article.reviewed}"`));
  const [source = assert.fail("no sources")] = article.sources;
  assert.ok(block.includes(`"citation":[{"@type":`) && block.includes(JSON.stringify(source.publisher)));
  assert.equal(lastChange({ date: "2025-04-01", reviewed: "2026-11-22" }), "2026-11-22");
  const entry = listPages().find(({ path }) => path === articlePath(article));
  assert.equal(entry?.lastmod, article.reviewed);
});

test("JSON in a template is safe in HTML and free of template syntax", () => {
  assert.equal(toTemplate({ a: "</script>{{ x }}" }), '{"a":"\\u003c/script\\u003e\\u007b\\u007b x \\u007d\\u007d"}');
  assert.equal(toTemplate([address("/faq"), null]), '[{{ (origin ~ "/faq") | tojson }},null]');
  assert.equal(
    toTemplate({ b: new Expression("site.a", "site.b"), c: 1 }),
    '{"c":1{% if site.b %},"b":{{ (site.a) | tojson }}{% endif %}}',
  );
  assert.throws(() => toTemplate({ b: new Expression("site.a", "site.b") }), /always there/);
});

test("structured data of every page is JSON once the expressions are filled, with and without settings", () => {
  for (const fill of [filled, withoutSettings]) {
    const types = (path: string) => structuredData(path).map((block) => JSON.parse(fill(block))["@type"]);
    assert.deepEqual(types("/"), ["LocalBusiness", "WebSite", "BreadcrumbList"]);
    assert.deepEqual(types("/faq").at(-1), "FAQPage");
    assert.deepEqual(types("/blog/taubenabwehr-kosten-hamburg").at(-1), "BlogPosting");
  }
});

const CONDITION = /\{% if .*? %\}(.*?)\{% endif %\}/g;
const EXPRESSION = /\{\{ \(.*?\) \| tojson \}\}/g;

function filled(block: string): string {
  return block.replace(CONDITION, "$1").replace(EXPRESSION, '"x"');
}

function withoutSettings(block: string): string {
  return filled(block.replace(CONDITION, ""));
}
