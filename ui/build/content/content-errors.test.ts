import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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

/** Reads a file as the build does, but only one article and its categories, and writes nothing. */
async function readOne(file: string): Promise<void> {
  const at = (name: string) => join(content, name);
  const facts = await readFacts(at("facts.toml"));
  const picture = async () => ({ src: "/assets/x.svg", width: 800, height: 450 });
  const readers: Record<string, () => Promise<unknown>> = {
    "claims.toml": async () => readClaims(at("claims.toml"), facts),
    "consent.toml": () => readConsent(at("consent.toml")),
    "faq.toml": () => readFaq(at("faq.toml"), facts),
    "hamburg.toml": () => readHamburg(at("hamburg.toml")),
    "home.toml": async () =>
      readHome(at("home.toml"), await readDrawings(DRAWINGS), facts, await readdir(join(CONTENT, "articles"))),
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

/** Returns the build's error after changing one file. */
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

test("the unmodified texts pass", async () => {
  await copyContent();
  for (const file of ["claims.toml", "faq.toml", "hamburg.toml", "home.toml", "service-area.toml", "pages", "articles"])
    await readOne(file);
});

test("a mistake in the texts is reported in one line, with its file and line", async () => {
  const cases: Record<string, [from: string | RegExp, to: string, message: string][]> = {
    [ALTONA]: [
      [/^date: .*$/m, "date: 2025-13-01", "4: date: must be a date such as 2025-04-01"],
      [/^featured:/m, "feature:", "feature: unknown key; known are title, "],
      [/^title: .*\n/m, "", "1: title: must be a text"],
      [/^image_alt: .*$/m, "", "image_alt: describe the image"],
      [/^summary:\n( {2}- .*\n)+/m, "", "1: summary: must be a list of 2 to 4 sentences"],
      [/^reviewed: .*$/m, "reviewed: 2024-01-01", "reviewed: is before the article's date, 2025-04-01"],
      [/^ {4}kind: .*$/m, "    kind: rumour", "kind: must be one of statute, ruling, study, authority,"],
      [/^ {4}url: .*$/m, "    url: example.org", "url: must be an address that begins with https:"],
      [/^summary:\n {2}- .*$/m, 'summary:\n  - "Das kostet 99 Euro."', "„99 Euro“: figures come from facts.toml"],
      ["- Stadtteil", "- Stadteil", "categories: Stadteil is not in categories.toml; known are Taubenabwehr, "],
      [/^excerpt: .*$/m, 'excerpt: "Ein Netz für 25 Euro"', "excerpt: „25 Euro“ would stand here and in facts.toml"],
      [/\n## /, '\n<Fact name="gold" />\n\n## ', "<Fact>: name: there is no fact gold in facts.toml"],
      [/\n## /, "\n![Taube](taube.png)\n\n## ", "pictures are written as <Figure "],
      [/\n## /, "\n<Karussell />\n\n## ", "<Karussell>: unknown component; known are "],
      [/\n## /, "\nDas kostet 99 Euro.\n\n## ", "„99 Euro“: figures come from facts.toml"],
    ],
    "categories.toml": [
      ['name = "Stadtteil"', 'name = "Stadtteile"', "categories: Stadtteil is not in categories.toml"],
      ["[[text]]", '[[category]]\nname = "Neu"\nabout = "x"\n\n[[text]]', "name: no article is in Neu"],
    ],
    "claims.toml": [['value = "24 Stunden"', 'value = "12 Stunden"', "value: must be 24 Stunden, as offers-within"]],
    "consent.toml": [["version = 1", "version = 2", "version: must be 1, because "]],
    "faq.toml": [
      [/^question = .*\n/m, "", "5: question: must be a text"],
      [/^\[\[evidence\.source\]\]\n[^]*/m, "", "source: a list of tables is missing"],
      ["kosten <Fact name='net' />", "kosten 80 Euro", "„80 Euro“: figures come from facts.toml"],
      ['"spikes-material", ', '"gold", ', "chart: there is no fact gold"],
    ],
    "hamburg.toml": [
      ['topics = ["dead"]', 'topics = ["tot"]', "topics: there is no topic tot; known"],
      ['topics = ["monument"]', 'topics = ["dead"]', "id: no contact has the topic monument"],
    ],
    "home.toml": [
      [/(project_type = "Schräg.*\n)rating = \d\n/, "$1", "rating: must be a number from 1 to 5"],
      [/(drawing = "services\/nets"\n)title/, "$1titel", "titel: unknown key; known are drawing, title, text"],
      ['article = "taubenspikes-testsieger"', 'article = "spikes"', "article: there is no article spikes"],
      ['"scenes/inquiry"', '"scenes/nirgends"', "drawing: there is no drawing scenes/nirgends"],
      ["und {radius}", "und {radios}", "promises: there is no fact radios in facts.toml"],
      ["[about]", "[ueber]", "ueber: unknown key; known are hero, "],
    ],
    "service-area.toml": [
      ['article = "taubenabwehr-altona"', 'article = "altona"', "article: there is no article altona"],
    ],
    "pages/agb.mdx": [[/^description: .*\n/m, "", "1: description: must be a text"]],
  };
  for (const [file, changes] of Object.entries(cases))
    for (const [from, to, expected] of changes) {
      const message = await refusal(file, from, to);
      const [, line = "", rest = ""] = /^[\w./-]+:(\d+): (.*)$/.exec(message) ?? [];
      assert.ok(
        rest.startsWith(expected) || `${line}: ${rest}`.startsWith(expected),
        `${message} instead of ${expected}`,
      );
    }
});

test("a broken link fails the build at its line", async () => {
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
