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

/** Letters of names that are common in Germany, in the languages next to German. Others are shown in a system font. */
const NAMES = "áàâåæçéèêëíîïñóôøúÁÅÆÇÉÈÓØ";

/** What headings are made of. */
const HEADINGS = `${printableAscii()}ÄÖÜäöüß\u00a0–’„“…€éèà`;

/**
 * What scripts are made of, and no heading. Without it, the file and the head of its response are what a new connection takes
 * without a pause (ten segments, 14,600 bytes); text is painted a round trip earlier.
 */
const CODE = "#$*<=>@[\\]^_`{|}~";

/** The features of OpenType that style sheets ask for, and those that every text needs. */
const FEATURES = ["calt", "ccmp", "clig", "kern", "liga", "lnum", "locl", "mark", "mkmk", "rlig", "tnum"];

/**
 * The fonts of the site, the largest first: pages ask for them in this order, and the first request takes the page's own
 * connection, which has left its slow start behind. `weight` is the only one, or the lowest and the highest.
 */
const FONTS = [
  {
    family: "Source Sans 3 Variable",
    name: "source-sans-3",
    source: "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2",
    weight: [200, 900],
    letters: GERMAN + NAMES,
    without: "",
  },
  {
    family: "Besley",
    name: "besley",
    source: "@fontsource/besley/files/besley-latin-600-normal.woff2",
    weight: [600],
    letters: HEADINGS,
    without: CODE,
  },
];

export interface Fonts {
  /** Addresses of the files, which every page loads ahead. */
  paths: string[];
  /** The rules that name them. */
  css: string;
}

/**
 * Writes the fonts to `assets`, each with no more glyphs than the site uses. All weights stay: with fewer, text
 * would have slightly other widths.
 *
 * @param texts everything that pages and scripts say
 */
export async function writeFonts(assets: string, texts: Iterable<string>, make: Make): Promise<Fonts> {
  const used = lettersOf(texts);
  const written = [];
  for (const { family, name, source, weight, letters, without } of FONTS) {
    const stay = [...letters, ...used].filter((letter) => !without.includes(letter));
    const wanted = { letters: stay.join(""), features: FEATURES };
    const bytes = await make({ source, ...wanted }, async () => {
      const subset = await startSubsetter();
      // The copies matter: the packer's own memory is overwritten by the next font.
      const whole = Uint8Array.from(await wawoff.decompress(await readFile(require.resolve(source))));
      return Uint8Array.from(await wawoff.compress(subset(whole, wanted)));
    });
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
    const file = `${name}.${hash}.woff2`;
    await writeFile(join(assets, file), bytes);
    written.push({ path: `/assets/${file}`, css: fontFace(family, weight, `/assets/${file}`) });
  }
  return { paths: written.map(({ path }) => path), css: written.map(({ css }) => css).join("") };
}

/** Returns the rule of a font. A font that arrives late is used from the next page on, so that nothing moves. */
function fontFace(family: string, weight: number[], path: string) {
  return `@font-face{font-family:"${family}";font-weight:${weight.join(" ")};font-display:optional;src:url(${path})format("woff2")}`;
}

function lettersOf(texts: Iterable<string>) {
  const letters = new Set();
  for (const text of texts) for (const letter of text) letters.add(letter);
  return [...letters].sort().join("");
}

function printableAscii() {
  return String.fromCodePoint(...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index));
}
