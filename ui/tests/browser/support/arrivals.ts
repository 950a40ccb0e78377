import { deferred } from "./deferred.ts";

/** How long something may take to arrive on a slow machine, in milliseconds. */
const PATIENCE = 60_000;

/** Collects what arrives, in order, for tests that wait for it. */
export class Arrivals<T> {
  readonly all: T[] = [];
  #waiting: (() => void)[] = [];
  #mayAnswer: Promise<void> = Promise.resolve();

  /** Adds an arrival. The promise resolves when its sender may be answered. */
  take(arrived: T): Promise<void> {
    this.all.push(arrived);
    for (const look of this.#waiting.splice(0)) look();
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
  first(what: string, isMeant: (arrived: T) => boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${what} has not come, only ${this.all.length} others`)),
        PATIENCE,
      );
      const look = () => {
        const found = this.all.find(isMeant);
        if (found === undefined) {
          this.#waiting.push(look);
          return;
        }
        clearTimeout(timer);
        resolve(found);
      };
      look();
    });
  }
}
