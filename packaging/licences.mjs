// Prints the licences of all third-party work in the executable: crates, npm packages, fonts, the standard library of Rust.
// Usage: node packaging/licences.mjs TARGET NODE_MODULES

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const [target, nodeModules] = process.argv.slice(2);
if (nodeModules === undefined) {
  console.error("usage: node packaging/licences.mjs TARGET NODE_MODULES");
  process.exit(2);
}

/** What the sources of the site do not import themselves: the bundler puts its own code, and the fonts, into the site. */
const BUNDLED = [
  "@parcel/runtime-js",
  "@parcel/transformer-js",
  "@swc/helpers",
  "@fontsource/besley",
  "@fontsource-variable/source-sans-3",
];

/** Names of files that hold a licence or a notice which it asks to pass on. */
const LICENCE_FILE = /^(licen[cs]e|copying|copyright|notice|unlicense)([-._].*)?$/i;

/** Licences whose text some crates name without enclosing it. */
const STANDARD_TEXTS = ["MIT", "BSD-3-Clause"];

/** Returns the text of a component's licence, for one that encloses none. */
function standardText({ licence, holders }) {
  const id = STANDARD_TEXTS.find((known) => licence.split(/[ ()/]+/).includes(known));
  if (id === undefined) return [];
  const text = readFileSync(new URL(`licences/${id}.txt`, import.meta.url), "utf8").trim();
  return [text.replace("HOLDERS", holders)];
}

/** Returns the texts of the licence files in a folder. */
function texts(folder) {
  const files = readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name) && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => join(folder, name));
  return files.map((file) => readFileSync(file, "utf8").trim());
}

/** Returns the crates in the executable. Macros run only while it is built. */
function crates() {
  const cargo = (...args) => execFileSync("cargo", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const tree = cargo("tree", "--locked", "--target", target, "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}");
  // `name v1.2.3`, and behind it perhaps ` (*)` or a path.
  const built = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages, workspace_members: ours } = JSON.parse(cargo("metadata", "--locked", "--format-version", "1"));
  return packages
    .filter((crate) => built.has(`${crate.name} v${crate.version}`) && !ours.includes(crate.id))
    .map((crate) => ({
      name: crate.name,
      version: crate.version,
      licence: crate.license ?? "see below",
      holders: crate.authors.join(", ") || `the authors of ${crate.name}`,
      texts: texts(dirname(crate.manifest_path)),
    }));
}

/** Returns the npm packages that the site's sources name, and those that these need. */
function npmPackages() {
  const sources = readdirSync("ui/src", { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const imported = sources.flatMap((name) => {
    const code = readFileSync(join("ui/src", name), "utf8");
    const found = code.matchAll(/(?:from|import\(?)\s*"((?:@[\w-]+\/)?[a-z][\w-]*)[/"]/g);
    return [...found].map((match) => match[1]);
  });
  const names = new Set([...BUNDLED, ...imported]);
  const found = [];
  // A set visits what is added meanwhile, too.
  for (const name of names) {
    const folder = join(nodeModules, name);
    if (!existsSync(folder)) {
      throw new Error(`${name} is not in ${nodeModules}: install the packages of ui/ first (npm ci)`);
    }
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (!BUNDLED.includes(name)) {
      for (const needed of Object.keys(about.dependencies ?? {})) names.add(needed);
    }
    const author = typeof about.author === "string" ? about.author : about.author?.name;
    found.push({
      name,
      version: about.version,
      licence: about.license ?? "see below",
      holders: author ?? `the authors of ${name}`,
      texts: texts(folder),
    });
  }
  return found;
}

function standardLibrary() {
  const [version] = execFileSync("rustc", ["--version"], { encoding: "utf8" }).split(" (");
  return {
    name: "Rust's standard library",
    version: version.replace("rustc ", ""),
    licence: "MIT OR Apache-2.0",
    holders: "The Rust Project contributors",
    texts: [],
  };
}

/** What the site shows of others. Its licences ask for a note, which stands in the imprint of the site, too. */
const DATA = `The borders on the map: Freie und Hansestadt Hamburg, Landesbetrieb Geoinformation und Vermessung, Data licence Germany
- attribution - 2.0 (https://www.govdata.de/dl-de/by-2-0), simplified.

The places of postal codes: GeoNames (https://www.geonames.org), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), rounded.`;

const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1);
const components = [standardLibrary(), ...crates().sort(byName), ...npmPackages().sort(byName)];

// Most crates share a few texts, so each text stands here once, under all whose it is.
const sharing = new Map();
const unknown = [];
for (const component of components) {
  const found = component.texts.length > 0 ? component.texts : standardText(component);
  if (found.length === 0) unknown.push(`${component.name} ${component.version} (${component.licence})`);
  for (const text of found) {
    // Line breaks differ between copies of one text.
    const key = text.replace(/\s+/g, " ");
    const entry = sharing.get(key) ?? { text, names: [] };
    entry.names.push(`${component.name} ${component.version}`);
    sharing.set(key, entry);
  }
}
if (unknown.length > 0) {
  console.error(`licences.mjs: no licence text came with ${unknown.join(", ")}`);
  process.exit(1);
}

const rule = "=".repeat(80);
const out = [
  "The taubenabwehr executable contains the following work of others.",
  "",
  ...components.map((component) => `${component.name} ${component.version}: ${component.licence}`),
  "",
  rule,
  DATA,
];
for (const { names, text } of sharing.values()) {
  out.push("", rule, `${[...new Set(names)].join(", ")}:`, "", text.replaceAll("\r\n", "\n"));
}
process.stdout.write(`${out.join("\n")}\n`);
