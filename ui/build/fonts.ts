import type { Make } from "./made-before.ts";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import wawoff from "wawoff2";
import { startSubsetter } from "./subset-font.ts";

const require = createRequire(import.meta.url);

/** What German text is made of, whatever today's texts contain: operators' data and visitors' answers are shown, too. */
const GERMAN = `${printableAscii()}ÄÖÜäöüßẞ\u00a0§©«»·²³°½¼¾×±–—‘’‚“”„•…€−`;

/** Letters of names that are common in Germany, in the languages next to German. */
const NAMES = "áàâåæçéèêëíîïñóôøúÁÅÆÇÉÈÓØıŒœ";

/**
 * Letters of other names: Turkish, Polish, Czech, Croatian, Romanian, ... Latin Extended-A, and what Romanian adds. The fonts'
 * Latin files lack them, even where a page uses one.
 */
const FURTHER_NAMES = [...`${lettersFrom(0x100, 0x17f)}ȘșȚț`].filter((letter) => !NAMES.includes(letter));

/** What headings are made of. */
const HEADINGS = `${printableAscii()}ÄÖÜäöüß\u00a0–’„“…€éèà`;

/**
 * What scripts are made of, and no heading. Without it, the file and the head of its response are what a new connection takes
 * without a pause (ten segments, 14,600 bytes); text is painted a round trip earlier.
 */
const CODE = "#$*<=>@[\\]^_`{|}~";

/** The features of OpenType that style sheets ask for, and those that every text needs. */
const FEATURES = ["calt", "ccmp", "clig", "kern", "liga", "lnum", "locl", "mark", "mkmk", "rlig", "tnum"];

interface Font {
  family: string;
  /** The only weight, or the lowest and the highest. */
  weight: string;
  /** The beginning of the name of its files. */
  name: string;
  /** Where the letters are that every page loads ahead, and the rarer ones. */
  sources: { page: string; further: string };
  letters: string;
  without: string;
  /** Height above and below the base line, for a size of 1. */
  ascent: number;
  descent: number;
  /**
   * Fonts of visitors' systems that are shown until it is there, by the families that `tokens.css` lists: the weights each
   * stands in for, its names, and the factor by which its letters become as wide on average, in German text.
   */
  standIns: Record<string, [weight: string, local: string[], scale: number][]>;
}

/**
 * The fonts of the site, the largest first: pages ask for them in this order, and the first request takes the page's own
 * connection, which is past its slow start.
 */
const FONTS: Font[] = [
  {
    family: "Source Sans 3 Variable",
    weight: "200 900",
    name: "source-sans-3",
    sources: {
      page: "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2",
      further: "@fontsource-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2",
    },
    letters: GERMAN + NAMES,
    without: "",
    ascent: 1.024,
    descent: 0.4,
    standIns: {
      "Sized Arial": [
        ["200 499", ["Arial", "Liberation Sans"], 0.938],
        ["500 900", ["Arial Bold", "Liberation Sans Bold"], 0.898],
      ],
      "Sized Roboto": [
        ["200 499", ["Roboto"], 0.94],
        ["500 900", ["Roboto Bold"], 0.953],
      ],
      "Sized DejaVu Sans": [
        ["200 499", ["DejaVu Sans"], 0.82],
        ["500 900", ["DejaVu Sans Bold"], 0.753],
      ],
    },
  },
  {
    family: "Besley",
    weight: "600",
    name: "besley",
    sources: {
      page: "@fontsource/besley/files/besley-latin-600-normal.woff2",
      further: "@fontsource/besley/files/besley-latin-ext-600-normal.woff2",
    },
    letters: HEADINGS,
    without: CODE,
    ascent: 1.25,
    descent: 0.425,
    standIns: {
      "Sized Georgia": [["600", ["Georgia Bold"], 1.022]],
      "Sized Noto Serif": [["600", ["Noto Serif Bold"], 1.035]],
      "Sized DejaVu Serif": [["600", ["DejaVu Serif Bold"], 0.934]],
    },
  },
];

export interface Fonts {
  /** Addresses of the files, which every page loads ahead. */
  paths: string[];
  /** The rules that name them. */
  css: string;
}

/**
 * Writes the fonts to `assets`: a file each with the glyphs that the site uses, and one or two with those that only names
 * have. Browsers load these where a page shows such a name. All weights stay: with fewer, text would have slightly other widths.
 *
 * @param texts everything that pages and scripts say
 */
export async function writeFonts(assets: string, texts: Iterable<string>, make: Make): Promise<Fonts> {
  const used = lettersOf(texts);
  const paths = [];
  const css = [];
  for (const font of FONTS) {
    const onPages = lettersOf([...font.letters, ...used]).filter(
      (letter) => !font.without.includes(letter) && !FURTHER_NAMES.includes(letter),
    );
    const rare = [...NAMES].filter((letter) => !onPages.includes(letter));
    const path = await writePart(assets, font.name, font.sources.page, onPages, make);
    paths.push(path);
    for (const [family, faces] of Object.entries(font.standIns))
      css.push(...faces.map((face) => standInRule(family, face, font)));
    css.push(fontRule(font, path));
    for (const [name, source, letters] of [
      [`${font.name}-names`, font.sources.page, rare],
      [`${font.name}-further`, font.sources.further, FURTHER_NAMES],
    ] as const)
      if (letters.length > 0) css.push(fontRule(font, await writePart(assets, name, source, letters, make), letters));
  }
  return { paths, css: css.join("") };
}

/** Writes the part of a font that has these letters, and returns its address. */
async function writePart(assets: string, name: string, source: string, letters: readonly string[], make: Make) {
  const wanted = { letters: letters.join(""), features: FEATURES };
  const bytes = await make({ source, ...wanted }, async () => {
    const subset = await startSubsetter();
    // The copies matter: the packer's own memory is overwritten by the next font.
    const whole = Uint8Array.from(await wawoff.decompress(await readFile(require.resolve(source))));
    return Uint8Array.from(await wawoff.compress(subset(whole, wanted)));
  });
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const file = `${name}.${hash}.woff2`;
  await writeFile(join(assets, file), bytes);
  return `/assets/${file}`;
}

/** Returns the rule of a font, or of a part of it that has only these letters. */
function fontRule({ family, weight }: Font, path: string, letters: readonly string[] = []) {
  const range = letters.length > 0 ? `;unicode-range:${rangesOf(letters).join()}` : "";
  return `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url(${path})format("woff2")${range}}`;
}

/** Returns the rule of a system's font in the size at which lines break where they will with the font itself. */
function standInRule(
  family: string,
  [weight, local, scale]: Font["standIns"][string][number],
  { ascent, descent }: Pick<Font, "ascent" | "descent">,
) {
  const percent = (part: number) => `${(part * 100).toFixed(1)}%`;
  const sources = local.map((one) => `local("${one}")`).join();
  const heights = `ascent-override:${percent(ascent / scale)};descent-override:${percent(descent / scale)};line-gap-override:0%`;
  return `@font-face{font-family:"${family}";font-weight:${weight};src:${sources};size-adjust:${percent(scale)};${heights}}`;
}

/** Returns the ranges of code points that hold these letters and no others. */
function rangesOf(letters: readonly string[]) {
  const codes = new Set(letters.map((letter) => letter.codePointAt(0) ?? 0));
  const sorted = [...codes].sort((one, other) => one - other);
  const ends = sorted.filter((code) => !codes.has(code + 1));
  return sorted
    .filter((code) => !codes.has(code - 1))
    .map((start, index) => `U+${start.toString(16)}-${ends[index]?.toString(16)}`);
}

function lettersOf(texts: Iterable<string>) {
  const letters = new Set<string>();
  for (const text of texts) for (const letter of text) letters.add(letter);
  return [...letters].sort();
}

function lettersFrom(first: number, last: number) {
  return String.fromCodePoint(...Array.from({ length: last + 1 - first }, (_, index) => first + index));
}

function printableAscii() {
  return lettersFrom(0x20, 0x7e);
}
