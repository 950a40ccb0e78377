import { NO_ANSWERS, type Answers } from "../../../src/inquiry/answers.ts";

/** Fragments that JavaScript and Rust, or form and server, might treat differently. */
const ODD = [
  ..."\t\n\r\v\f \u0000\u001b\u001c\u001f\u007f\u0085\u009f\u00a0\u00ad\u1680\u180e\u2000",
  ..."\u2003\u200b\u200c\u200d\u200e\u2028\u2029\u202e\u202f\u205f\u2060\u3000\ufeff\ufffd\ufffe\uffff\u{10ffff}",
  ..."０２٢²½五ßäÄſKé@＠.．,;'\"<>&\\/+＋-‐–()（）",
  "e\u0301",
  "🕊",
  "👩‍🔧",
  // Halves of surrogate pairs.
  "\ud83d",
  "\udd4a",
];

const LETTERS = [..."abcXYZäöüß0123456789"];
const PROBLEMS = ["nesting", "droppings", "noise", "damage", "health", "other"];
const LOCATIONS = ["balcony", "roof", "facade", "courtyard", "garden", "other"];

/** Returns an endless generator of answers. The same seed yields the same answers. */
export function answersFrom(seed: number): { next(): Answers } {
  const chance = mulberry32(seed);
  const below = (end: number) => Math.floor(chance() * end);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const several = (least: number, most: number, make: () => string) =>
    Array.from({ length: least + below(most - least + 1) }, make).join("");
  const digits = (least: number, most: number) => several(least, most, () => pick([..."0123456789"]));
  const letters = (least: number, most: number) => several(least, most, () => pick(LETTERS));
  const odd = () => several(1, 3, () => pick(ODD));

  /** Returns the text, sometimes with odd fragments around it, inside it or in place of a character. */
  function spoilt(text: string): string {
    const chars = [...text];
    const at = below(chars.length + 1);
    switch (below(8)) {
      case 0:
        return odd() + text + odd();
      case 1:
        return [...chars.slice(0, at), odd(), ...chars.slice(at)].join("");
      case 2:
        return [...chars.slice(0, at), odd(), ...chars.slice(at + 1)].join("");
      default:
        return text;
    }
  }

  /** Returns a text of about `limit` characters, each of one or more UTF-16 code units. */
  function nearLimit(limit: number): string {
    return pick(["a", "ä", "🕊", "👩‍🔧"]).repeat(limit + below(5) - 2);
  }

  /** Returns a text of about 400 UTF-16 code units, which still fits in a form together with everything else. */
  function description(): string {
    const character = pick(["a", "ä", "🕊"]);
    return character.repeat(Math.floor((400 + below(5) - 2) / character.length));
  }

  const name = () => pick([() => letters(1, 8), () => letters(1, 8), () => odd(), () => nearLimit(100), () => ""])();
  const near = () => `2${below(4)}${digits(3, 3)}`;
  const postalCode = () => pick([near, near, () => digits(4, 6)])();
  const between = () => pick(["", "", " ", "-", "(", ")"]);
  const email = () =>
    pick([
      () => `${letters(1, 5)}@${letters(1, 5)}.${letters(1, 3)}`,
      () => `${letters(1, 5)}@${letters(1, 5)}.${letters(1, 3)}`,
      () => several(0, 7, () => pick([..."ab@@.. "])),
      () => `${nearLimit(250)}@b.c`,
    ])();
  const phone = () =>
    pick([
      () => `${pick(["+49", "0", "", "+49 (0)", "0049", "+43"])}${pick(["", " ", "(", "-"])}${digits(7, 15)}`,
      () => pick(["+49 ", "0", ""]) + "1" + several(7, 14, () => digits(1, 1) + between()),
      () => `040${" ".repeat(86 + below(6))}12345678`,
    ])();

  return {
    next: () => ({
      ...NO_ANSWERS,
      propertyType: pick(["residential", "commercial", "industrial", "residential", "commercial", "industrial", ""]),
      postalCode: spoilt(postalCode()),
      problems: PROBLEMS.filter(() => below(2) === 0),
      problemOther: below(4) === 0 ? spoilt(description()) : "",
      locations: LOCATIONS.filter(() => below(2) === 0),
      locationOther: below(4) === 0 ? spoilt(description()) : "",
      firstName: below(4) === 0 ? spoilt(name()) : "Änne",
      lastName: below(4) === 0 ? spoilt(name()) : "Groß",
      email: below(2) === 0 ? spoilt(email()) : "a@b.de",
      phone: below(2) === 0 ? spoilt(phone()) : "040 1234567",
    }),
  };
}

/** Returns Tommy Ettinger's pseudo-random number generator, which yields numbers from 0 up to, but not including, 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
