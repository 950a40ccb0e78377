import { deferred } from "./deferred.ts";

/** For how long something may be on its way, on a slow machine. */
const PATIENCE = 60_000;

/** What has arrived, in that order, for tests that wait for it. */
export class Arrivals<T> {
  readonly all: T[] = [];
  #waiting: (() => void)[] = [];
  #mayAnswer: Promise<void> = Promise.resolve();

  /** Takes one. Resolves when its sender may know. */
  take(arrived: T): Promise<void> {
    this.all.push(arrived);
    for (const look of this.#waiting.splice(0)) look();
    return this.#mayAnswer;
  }

  /** Leaves senders without an answer until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = deferred();
    this.#mayAnswer = promise;
    return () => {
      this.#mayAnswer = Promise.resolve();
      resolve();
    };
  }

  /** Waits for the first one of a kind. */
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
