import type { Page } from "playwright-core";
import { withoutRepeats } from "./faults.ts";

/** A check that runs on many pages. */
export interface Check {
  readonly name: string;
  /** Returns what is wrong with the open page. */
  readonly look: (page: Page, where: string) => Promise<string[]>;
}

/** Collects findings for tests that report one check each. Opening pages takes longest, so all checks share a visit. */
export class Findings {
  readonly #faults = new Map<string, string[]>();
  readonly #looks = new Map<string, number>();

  /** Runs checks on the open page. A check that throws is a fault as well, and hides no others. */
  async ask(page: Page, where: string, checks: readonly Check[]): Promise<void> {
    for (const { name, look } of checks) {
      this.#looks.set(name, (this.#looks.get(name) ?? 0) + 1);
      const lines = await look(page, where).catch((error: unknown) => [short(error)]);
      this.note(name, where, lines);
    }
  }

  note(name: string, where: string, lines: readonly string[]): void {
    this.#faults.set(name, [...(this.#faults.get(name) ?? []), ...lines.map((line) => `${where}: ${line}`)]);
  }

  /** Returns the faults that a check has found, each once. Too few checked pages are a fault as well. */
  of(name: string, least: number): string[] {
    const looks = this.#looks.get(name) ?? 0;
    const missing = looks < least ? [`looked at ${looks} pages, not ${least}`] : [];
    return [...missing, ...withoutRepeats(this.#faults.get(name) ?? [])];
  }
}

export function short(error: unknown): string {
  return String(error).split("\n", 3).join(" ");
}
