import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { CONTENT } from "../../tests/support/content.ts";
import { checkLinks } from "../check-links.ts";
import { readDrawings } from "../drawings/read.ts";
import { readArticles } from "./articles.ts";
import { readCategories } from "./categories.ts";
import { readClaims } from "./claims.ts";
import { readConsent } from "./consent.ts";
import { readFacts } from "./facts.ts";
import { readFaq } from "./faq.ts";
import { readHamburg } from "./hamburg.ts";
import { readHome } from "./home.ts";
import { readPages } from "./pages.ts";
import { readServiceArea } from "./service-area.ts";

const DRAWINGS = resolve(import.meta.dirname, "../../src/drawings");
const ALTONA = "articles/taubenabwehr-altona/index.mdx";

let content = "";
before(async () => {
  content = await mkdtemp(join(tmpdir(), "taubenabwehr-content-"));
});
after(() => rm(content, { recursive: true, force: true }));

/** Reads a file as the build does, without writing anything. Reads only one article and its categories. */
async function readOne(file: string): Promise<void> {
  const at = (name: string) => join(content, name);
  const facts = await readFacts(at("facts.toml"));
  const picture = async () => ({ src: "/assets/x.svg", width: 800, height: 450 });
  const readers: Record<string, () => Promise<unknown>> = {
    "claims.toml": async () => readClaims(at("claims.toml"), facts),
    "consent.toml": () => readConsent(at("consent.toml")),
    "faq.toml": () => readFaq(at("faq.toml"), facts),
    "hamburg.toml": () => readHamburg(at("hamburg.toml")),
    "home.toml": async () => readHome(at("home.toml"), await readDrawings(DRAWINGS), facts),
    "service-area.toml": () =>
      readServiceArea(at("service-area.toml"), ["taubenabwehr-altona", "taubenabwehr-eppendorf"], facts),
    pages: () => readPages(at("pages"), facts),
  };
  const readArticle = async () =>
    readArticles(at("articles"), picture, facts, await readCategories(at("categories.toml")));
  await (readers[file.split("/")[0] ?? ""] ?? readArticle)();
}

/** Copies the texts, but only one article and its categories, to save time. */
async function copyContent(): Promise<void> {
  await cp(CONTENT, content, {
    recursive: true,
    force: true,
    filter: (name) => !/articles\/(?!taubenabwehr-altona)/.test(name),
  });
  const [, list = ""] = /^categories:\n((?: {2}- .*\n)+)/m.exec(await readFile(join(content, ALTONA), "utf8")) ?? [];
  const own = list
    .trim()
    .split("\n")
    .map((line) => line.trim().slice(2));
  const categories = await readFile(join(content, "categories.toml"), "utf8");
  const others = /\[\[category\]\]\nname = "(.*)"\n(?:\w+ = .*\n)+\n/g;
  const kept = categories.replace(others, (table, name: string) => (own.includes(name) ? table : ""));
  await writeFile(join(content, "categories.toml"), kept);
}

/** Returns the error of the build after a change of one file. */
async function refusal(file: string, from: string | RegExp, to: string): Promise<string> {
  await copyContent();
  const source = await readFile(join(content, file), "utf8");
  const changed = source.replace(from, to);
  assert.notEqual(changed, source, `${file} has no ${from}`);
  await writeFile(join(content, file), changed);
  const error = await readOne(file).then(
    () => assert.fail(`${file}: nothing was refused`),
    (reason: Error) => reason,
  );
  return error.message.replace(`${content}/`, "");
}

test("the texts as they are pass", async () => {
  await copyContent();
  for (const file of ["claims.toml", "faq.toml", "hamburg.toml", "home.toml", "service-area.toml", "pages", "articles"])
    await readOne(file);
});

test("a mistake in the texts is one line with its file and line", async () => {
  const cases: [string, string | RegExp, string, RegExp][] = [
    [ALTONA, /^date: .*$/m, "date: 2025-13-01", /:4: date: must be a date such as 2025-04-01$/],
    [ALTONA, /^featured:/m, "feature:", /:\d+: feature: unknown key; known are title, /],
    [ALTONA, /^title: .*\n/m, "", /:1: title: must be a text$/],
    [ALTONA, /^image_alt: .*$/m, "", /:\d+: image_alt: describe the image$/],
    [ALTONA, /^sources:\n[^]*?(?=^---$)/m, "", /:1: sources: a list of tables is missing$/],
    [ALTONA, /^sources:\n[^]*?(?=^---$)/m, "sources: []\n", /:\d+: sources: a list of tables is missing$/],
    [ALTONA, /^summary:\n( {2}- .*\n)+/m, "", /:1: summary: must be a list of 2 to 4 sentences/],
    [ALTONA, /^(summary:\n {2}- .*\n)( {2}- .*\n)+/m, "$1", /:\d+: summary: must be a list of 2 to 4 sentences/],
    [ALTONA, /^reviewed: .*\n/m, "", /:1: reviewed: must be a date such as 2025-04-01$/],
    [ALTONA, /^reviewed: .*$/m, "reviewed: 2024-01-01", /:\d+: reviewed: is before the article's date, 2025-04-01$/],
    [ALTONA, /^ {4}kind: .*$/m, "    kind: rumour", /:\d+: kind: must be one of statute, ruling, study, authority,/],
    [ALTONA, /^ {4}url: .*$/m, "    url: example.org", /:\d+: url: must be an address that begins with https:/],
    [ALTONA, /^ {4}supports: .*\n/m, "", /:\d+: supports: must be a text$/],
    [
      ALTONA,
      /^ {4}kind: .*\n {4}reference: .*$/m,
      "    kind: statute",
      /:\d+: reference: name the paragraph, the file number and date, /,
    ],
    [
      ALTONA,
      /^summary:\n {2}- .*$/m,
      'summary:\n  - "Das kostet 99 Euro."',
      /:\d+: „99 Euro“: figures come from facts\.toml/,
    ],
    [
      ALTONA,
      "- Stadtteil",
      "- Stadteil",
      /:\d+: categories: Stadteil is not in categories\.toml; known are Taubenabwehr, /,
    ],
    [
      ALTONA,
      /^excerpt: .*$/m,
      'excerpt: "Ein Netz für 25 Euro"',
      /:\d+: excerpt: „25 Euro“ would stand here and in facts\.toml/,
    ],
    [ALTONA, /\n## /, '\n<Fact name="gold" />\n\n## ', /:\d+: <Fact>: name: there is no fact gold in facts\.toml$/],
    [ALTONA, /\n## /, "\n![Taube](taube.png)\n\n## ", /:\d+: pictures are written as <Figure /],
    [ALTONA, /\n## /, '\n<Figure drawing="services/nets" />\n\n## ', /:\d+: <Figure>: text: must be a text$/],
    [ALTONA, /\n## /, "\n<Karussell />\n\n## ", /:\d+: <Karussell>: unknown component; known are /],
    [ALTONA, /\n## /, "\nDas kostet 99 Euro.\n\n## ", /:\d+: „99 Euro“: figures come from facts\.toml/],
    [
      "categories.toml",
      'name = "Stadtteil"',
      'name = "Stadtteile"',
      /^articles\/.*: Stadtteil is not in categories\.toml/,
    ],
    [
      "categories.toml",
      "[[text]]",
      '[[category]]\nname = "Neu"\nabout = "x"\n\n[[text]]',
      /^categories\.toml:\d+: name: no article is in Neu$/,
    ],
    [
      "claims.toml",
      'value = "24 Stunden"',
      'value = "12 Stunden"',
      /^claims\.toml:\d+: value: must be 24 Stunden, as offers-within/,
    ],
    ["claims.toml", /^shown = .*\n/m, "", /^claims\.toml:\d+: shown: must be a text$/],
    ["consent.toml", "version = 1", "version = 2", /^consent\.toml:\d+: version: must be 1, because /],
    ["faq.toml", /^question = .*\n/m, "", /^faq\.toml:5: question: must be a text$/],
    ["faq.toml", /^\[\[evidence\.source\]\]\n[^]*/m, "", /^faq\.toml:\d+: source: a list of tables is missing$/],
    [
      "faq.toml",
      /^reference = "§ 13.*\n/m,
      "",
      /^faq\.toml:\d+: reference: name the paragraph, the file number and date, /,
    ],
    [
      "faq.toml",
      "kosten <Fact name='net' />",
      "kosten <Fact name='nett' />",
      /^faq\.toml:\d+: <Fact>: name: there is no fact nett in facts\.toml$/,
    ],
    [
      "faq.toml",
      "kosten <Fact name='net' />",
      "kosten 80 Euro",
      /^faq\.toml:\d+: „80 Euro“: figures come from facts\.toml/,
    ],
    ["faq.toml", '"spikes-material", ', '"gold", ', /^faq\.toml:\d+: chart: there is no fact gold/],
    [
      "hamburg.toml",
      'topics = ["dead"]',
      'topics = ["tot"]',
      /^hamburg\.toml:\d+: topics: there is no topic tot; known/,
    ],
    [
      "hamburg.toml",
      'topics = ["monument"]',
      'topics = ["dead"]',
      /^hamburg\.toml:\d+: id: no contact has the topic monument$/,
    ],
    ["hamburg.toml", 'seen = "2026-11-22"', "seen = 2026-11-22", /^hamburg\.toml:\d+: seen: must be a date such as/],
    [
      "home.toml",
      /(project_type = "Elektro.*\n)rating = \d\n/,
      "$1",
      /^home\.toml:\d\d\d: rating: must be a number from 1 to 5$/,
    ],
    ["home.toml", /(\[services\]\n)title = .*\n/, "$1", /^home\.toml:\d+: title: must be a text$/],
    [
      "home.toml",
      /(drawing = "services\/nets"\n)title/,
      "$1titel",
      /^home\.toml:\d+: titel: unknown key; known are drawing, title, text$/,
    ],
    [
      "home.toml",
      '"scenes/inquiry"',
      '"scenes/nirgends"',
      /^home\.toml:\d+: drawing: there is no drawing scenes\/nirgends$/,
    ],
    ["home.toml", "und {radius}", "und {radios}", /^home\.toml:\d+: promises: there is no fact radios in facts\.toml$/],
    ["home.toml", "[about]", "[ueber]", /^home\.toml:\d+: ueber: unknown key; known are hero, /],
    [
      "service-area.toml",
      'article = "taubenabwehr-altona"',
      'article = "altona"',
      /^service-area\.toml:\d+: article: there is no article altona$/,
    ],
    ["pages/agb.mdx", /^description: .*\n/m, "", /^pages\/agb\.mdx:1: description: must be a text$/],
  ];
  for (const [file, from, to, expected] of cases) {
    const message = await refusal(file, from, to);
    assert.match(message, expected);
    assert.match(message, new RegExp(`^[\\w./-]+:\\d+: `));
    assert.equal(message.includes("\n"), false, message);
  }
});

test("a link that leads nowhere ends the build at its line", async () => {
  const out = join(content, "out");
  await mkdir(join(out, "pages"), { recursive: true });
  await writeFile(join(out, "pages/faq.html"), '<h2 id="kosten">Kosten</h2>');
  const manifest = { pages: [{ path: "/faq", file: "pages/faq.html" }], aliases: { "/blog/alt": "/blog/neu" } };
  const check = (target: string) => checkLinks(out, [{ file: "faq.toml", line: 7, page: "/faq", target }], manifest);

  for (const target of [
    "/faq",
    "/faq#kosten",
    "#kosten",
    "/faq?a=b#kosten",
    "https://example.com/",
    "mailto:a@example.com",
  ])
    await check(target);
  const cases: [string, RegExp][] = [
    ["/preise", /^faq\.toml:7: \/preise: there is no such page$/],
    ["/faq#preise", /\/faq has no id preise$/],
    ["#preise", /\/faq has no id preise$/],
    ["/blog/alt", /is another name of \/blog\/neu; link to that$/],
    ["faq", /begin a link with \//],
    ["http://example.com", /begin a link with \//],
  ];
  for (const [target, expected] of cases) await assert.rejects(check(target), { message: expected });
});
