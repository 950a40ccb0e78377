import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";

const run = promisify(execFile);
const UI = resolve(import.meta.dirname, "..");
const CONTENT = resolve(UI, "../content");
/** Folders that the build generates or does not need, and the packages, which are linked. */
const NOT_COPIED = new Set(["dist", "generated", "node_modules", "tests"].map((name) => join(UI, name)));

/** Brotli size limit, in bytes, of what a page without a form loads at once. Code that waits or needs consent comes later. */
const SCRIPT_BUDGET = 8_000;

/** The same for the pages that need React. */
const ISLAND_BUDGET = 92 * 1024;
const ISLAND_PAGES = ["fragebogen.html"];

/** The same for the photo script, which only the visitor's private page loads. */
const PHOTO_BUDGET = 1_950;

/** Size limit, in bytes, of the fonts that pages preload. */
const FONT_BUDGET = 35_000;

/** Size limit, in bytes, of all social cards, which are embedded in the executable. */
const CARD_BUDGET = 560_000;

/** The site that cargo has already built for a release, if any: then one build here is enough to compare. */
const MADE = process.env.TAUBENABWEHR_SITE_MADE;

let folder = "";
/** Output of the first build, which later tests inspect. */
const FIRST = () => MADE ?? join(folder, "one/site");
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "taubenabwehr-build-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("two builds in two folders produce the same bytes", async () => {
  const one = MADE === undefined ? await buildIn(join(folder, "one")) : await hashesIn(MADE);
  const two = await buildIn(join(folder, "a", "longer", "path"));
  assert.ok(one.size > 40);
  assert.deepEqual(two, one);
});

test("pages preload two small fonts, and no style sheet", async () => {
  const html = await readFile(join(FIRST(), "pages/index.html"), "utf8");
  const fonts = [...html.matchAll(/<link rel="preload" href="([^"]+)" as="font"/g)].map(([, path = ""]) => path);
  assert.equal(fonts.length, 2);
  const files = await Promise.all(fonts.map((path) => readFile(join(FIRST(), "files", path))));
  const size = files.reduce((sum, { length }) => sum + length, 0);
  assert.ok(size <= FONT_BUDGET, `${size} bytes`);
  assert.doesNotMatch(html, /rel="stylesheet"/);
  assert.match(html, /@media print/);
});

test("every page contains its styles, and the manifest their hashes", async () => {
  const { pages, not_found: missing } = await readManifest();
  for (const { file, inline } of [...pages, ...Object.values(missing)]) {
    const html = await readFile(join(FIRST(), file), "utf8");
    const [style = "", ...others] = inlineCode(html, "style");
    assert.ok(style.includes(".header{") && style.includes(".banner{") && style.includes("--font-text:"), file);
    const styles = [style, ...others].map(hashOf);
    assert.deepEqual(inline, { styles, scripts: inlineCode(html, "script").map(hashOf) }, file);
  }
});

/** Returns the contents of elements of a kind without attributes. */
function inlineCode(html: string, element: "style" | "script"): string[] {
  return [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, "gs"))].map(([, code = ""]) => code);
}

function hashOf(code: string): string {
  return `sha256-${createHash("sha256").update(code).digest("base64")}`;
}

test("pages load a small script, and those with an island also React", async () => {
  const pages = (await readdir(join(FIRST(), "pages"), { recursive: true })).filter((name) => name.endsWith(".html"));
  assert.ok(pages.length > ISLAND_PAGES.length + 13, "articles are among them");
  for (const page of pages) {
    const scripts = await scriptsOf(join("pages", page));
    const isIsland = ISLAND_PAGES.includes(page);
    assert.deepEqual(
      scripts.map((path) => /(\w+)\.\w+\.js$/.exec(path)?.[1]),
      isIsland ? ["app", "island"] : ["app"],
      page,
    );
    const size = await sizeOf(scripts);
    assert.ok(size <= (isIsland ? ISLAND_BUDGET : SCRIPT_BUDGET), `${page}: ${size} bytes in brotli`);
  }
});

test("photos need a small script, which no page of the site loads", async () => {
  const names = await readdir(join(FIRST(), "files/assets"));
  const scripts = names.filter((name) => /^photos\.\w+\.js$/.test(name));
  assert.equal(scripts.length, 1, `${scripts}`);
  const size = await sizeOf(scripts.map((name) => `assets/${name}`));
  assert.ok(size <= PHOTO_BUDGET, `${size} bytes in brotli`);
  const { pages, not_found: missing } = await readManifest();
  for (const { file } of [...pages, ...Object.values(missing)])
    assert.ok(!(await readFile(join(FIRST(), file), "utf8")).includes("/assets/photos."), file);
});

test("only the island's script contains React", async () => {
  const folder = join(FIRST(), "files/assets");
  for (const name of (await readdir(folder)).filter((name) => name.endsWith(".js"))) {
    const code = await readFile(join(folder, name), "utf8");
    assert.equal(code.includes("react.dev/errors"), name.startsWith("island."), name);
  }
});

test("every indexed page has its own social card, and all cards are small", async () => {
  const { pages } = await readManifest();
  const cards = new Set<string>();
  let bytes = 0;
  for (const { file } of pages) {
    const html = await readFile(join(FIRST(), file), "utf8");
    const [, path = ""] = /property="og:image" content="\{\{ origin \}\}([^"]+)"/.exec(html) ?? [];
    // The home page has another one for sites that must not call firms vetted.
    const paths = path.match(/\/[\w/.-]+\.png/g) ?? [];
    for (const name of paths) {
      const card = await readFile(join(FIRST(), "files", name));
      assert.deepEqual([card.readUInt32BE(16), card.readUInt32BE(20)], [1200, 630], name);
      bytes += card.length;
    }
    cards.add(path);
  }
  assert.equal(cards.size, pages.length);
  assert.ok(bytes <= CARD_BUDGET, `${bytes} bytes`);
});

test("a mistake in an article fails the build with one line that names file and line", async () => {
  const content = join(folder, "content");
  await cp(CONTENT, content, { recursive: true });
  const article = join(content, "articles/taubenabwehr-altona/index.mdx");
  const source = await readFile(article, "utf8");

  await writeFile(article, source.replace(/^date: .*$/m, "date: 2025-13-01"));
  const wrong = await failure(content);
  assert.match(wrong, /^error: .*taubenabwehr-altona\/index\.mdx:4: date: must be a date such as 2025-04-01\n$/);

  await writeFile(article, source);
  const drawing = join(content, "articles/taubenabwehr-altona/picture.svg");
  await writeFile(drawing, '<svg viewBox="0 0 8 8">\n<path class="pink" d="M0 0h8"/>\n</svg>');
  assert.match(await failure(content), /taubenabwehr-altona\/picture\.svg:\d+: <path> has the unknown class pink/);
});

/** A page in the manifest. */
interface Listed {
  file: string;
  inline: { styles: string[]; scripts: string[] };
}

async function readManifest(): Promise<{ pages: Listed[]; not_found: Record<string, Listed> }> {
  return JSON.parse(await readFile(join(FIRST(), "manifest.json"), "utf8"));
}

/** Copies the sources to a folder, builds there, and returns the hash of each file. */
async function buildIn(place: string): Promise<Map<string, string>> {
  const filter = (source: string) => !NOT_COPIED.has(source);
  await cp(UI, join(place, "ui"), { recursive: true, filter });
  await copyPackages(join(UI, "node_modules"), join(place, "ui/node_modules"));
  const out = join(place, "site");
  const env = { ...process.env, NODE_ENV: "production" };
  await run(process.execPath, ["--import", "tsx", "build/build.ts", "--content", CONTENT, "--out", out], {
    cwd: join(place, "ui"),
    env,
  });
  return hashesIn(out);
}

/** Returns the hash of each file below a folder. */
async function hashesIn(out: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    hashes.set(
      relative(out, file),
      createHash("sha256")
        .update(await readFile(file))
        .digest("hex"),
    );
  }
  return new Map([...hashes].toSorted());
}

/**
 * Also copies the packages, because Parcel's hashes depend on the path behind a symbolic link. Hard links are fifty times
 * faster than copies, but need a single file system (and GNU cp).
 */
async function copyPackages(from: string, to: string): Promise<void> {
  await run("cp", ["-al", from, to]).catch(() => cp(from, to, { recursive: true, verbatimSymlinks: true }));
}

/** Returns the paths of all scripts that a page loads at once. */
async function scriptsOf(file: string): Promise<string[]> {
  const html = await readFile(join(FIRST(), file), "utf8");
  const loaded = html.includes(' data-island="') ? / (?:src|data-island-src)="([^"]+\.js)"/g : / src="([^"]+\.js)"/g;
  assert.doesNotMatch(html, /href="[^"]+\.js"/, file);
  return [...html.matchAll(loaded)].map(([, path = ""]) => path).sort();
}

/** Returns the brotli size of scripts in bytes. */
async function sizeOf(scripts: string[]): Promise<number> {
  const files = scripts.map((path) => readFile(join(FIRST(), "files", path)));
  return (await Promise.all(files)).reduce((sum, bytes) => sum + brotliSize(bytes), 0);
}

function brotliSize(bytes: Buffer): number {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })
    .length;
}

/** Returns the error of the content step for a folder that it rejects. */
async function failure(content: string): Promise<string> {
  const copy = join(folder, "refusing");
  // Without package.json the code would be treated as CommonJS.
  for (const part of ["package.json", "build", "src/drawings", "src/styles", "src/prose/facts"])
    await cp(join(UI, part), join(copy, part), { recursive: true });
  await rm(join(copy, "node_modules"), { force: true });
  await symlink(join(UI, "node_modules"), join(copy, "node_modules"));
  const error = await run(process.execPath, [
    "--import",
    "tsx",
    join(copy, "build/build.ts"),
    "--content",
    content,
    "--only",
    "content",
  ]).then(
    () => assert.fail("the build went through"),
    (reason: { stderr: string; code: number }) => reason,
  );
  assert.equal(error.code, 1);
  return error.stderr;
}
