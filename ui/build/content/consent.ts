import { flag, table, tables, text, wholeNumber } from "./fields.ts";
import { readToml } from "./toml.ts";

/** The server stores the number in 16 bits. */
const LAST_VERSION = 65_535;

const FILE = table({
  wording: tables({ version: wholeNumber(1, LAST_VERSION), by_hand: flag, text }),
  spoken: tables({ version: wholeNumber(1, LAST_VERSION), text }),
});

/** Reads every wording that the questionnaire's consent sentence has had, oldest first. */
export async function readConsent(file: string) {
  const source = await readToml(file);
  const { wording: wordings } = source.read(FILE);
  for (const [index, { version }] of wordings.entries()) {
    const next = index + 1;
    if (version !== next) source.fail(["wording", index, "version"], `must be ${next}, because versions count from 1`);
  }
  return wordings;
}

/** Returns what the form shows: the newest sentence about firms, and the newest for an operator who mediates by hand. */
export function newestConsent(wordings: Awaited<ReturnType<typeof readConsent>>) {
  const newest = (isByHand: boolean) => {
    const shown = wordings.findLast(({ by_hand }) => by_hand === isByHand);
    if (!shown) throw new Error("consent.toml: each way of mediating needs a wording");
    return { version: shown.version, text: shown.text };
  };
  return { ...newest(false), by_hand: newest(true) };
}
