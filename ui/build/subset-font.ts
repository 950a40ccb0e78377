import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { BuildError } from "./fail.ts";

const require = createRequire(import.meta.url);

/** What `hb_blob_create` may do with the bytes: they are its own. */
const WRITABLE = 2;

/** Sets of a subset's input, as `hb_subset_sets_t` numbers them. */
const SETS = { names: 4, features: 6 };

export interface Part {
  /** What stays. */
  letters: string;
  /** Of OpenType that stay. */
  features: string[];
}

/** What is called of HarfBuzz. Its objects are addresses in its memory. */
interface HarfBuzz {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_reference_blob(face: number): number;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_set_clear(set: number): void;
  hb_set_add(set: number, value: number | undefined): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

/** Starts HarfBuzz, which makes parts of fonts. WebAssembly makes the same bytes on every machine. */
export async function startSubsetter(): Promise<(font: Uint8Array, part: Part) => Buffer> {
  const code = await readFile(require.resolve("harfbuzzjs/dist/harfbuzz-subset.wasm"));
  const { instance } = await WebAssembly.instantiate(code);
  const hb = instance.exports as unknown as HarfBuzz;
  hb["_initialize"]();

  return (font, { letters, features }) => {
    const address = hb.malloc(font.length);
    new Uint8Array(hb.memory.buffer, address, font.length).set(font);
    const face = hb.hb_face_create(hb.hb_blob_create(address, font.length, WRITABLE, 0, 0), 0);
    const input = hb.hb_subset_input_create_or_fail();
    fill(hb.hb_subset_input_unicode_set(input), letters, (letter) => letter.codePointAt(0));
    fill(hb.hb_subset_input_set(input, SETS.features), features, tag);
    fill(hb.hb_subset_input_set(input, SETS.names), [], Number);
    const subset = hb.hb_subset_or_fail(face, input);
    if (!subset) throw new BuildError("HarfBuzz cannot make a part of a font");
    const blob = hb.hb_face_reference_blob(subset);
    const start = hb.hb_blob_get_data(blob, 0);
    // The copy matters: this memory is used again. It is not given back, since the program ends soon.
    return Buffer.from(new Uint8Array(hb.memory.buffer, start, hb.hb_blob_get_length(blob)));
  };

  function fill<Entry>(set: number, entries: Iterable<Entry>, numberOf: (entry: Entry) => number | undefined) {
    hb.hb_set_clear(set);
    for (const entry of entries) hb.hb_set_add(set, numberOf(entry));
  }
}

/** Returns the number that encodes a name of four letters. */
function tag(name: string) {
  return Buffer.from(name, "latin1").readUInt32BE();
}
