import { deferred } from "./deferred.ts";

/** How long something may take to arrive on a slow machine, in milliseconds. */
const PATIENCE = 60_000;

/** Collects what arrives, in order, for tests that wait for it. */
export class Arrivals<T> {
  readonly all: T[] = [];
  #mayAnswer: Promise<void> = Promise.resolve();

  /** Adds an arrival. The promise resolves when its sender may be answered. */
  take(arrived: T): Promise<void> {
    this.all.push(arrived);
    return this.#mayAnswer;
  }

  /** Withholds all answers to senders until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = deferred();
    this.#mayAnswer = promise;
    return () => {
      this.#mayAnswer = Promise.resolve();
      resolve();
    };
  }

  /** Waits for the first arrival of a kind. */
  async first(what: string, isMeant: (arrived: T) => boolean): Promise<T> {
    for (const start = Date.now(); Date.now() - start < PATIENCE; ) {
      const found = this.all.find(isMeant);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${what} has not come, only ${this.all.length} others`);
  }
}
