import { afterFailure, dueAt, isDue, isExpired, type Letter, type Occasion } from "./letter.ts";
import type { Outbox } from "./outbox.ts";
import type { Outcome } from "./submit.ts";

/** How a letter left the outbox. */
export type Settlement = Extract<Outcome, { kind: "stored" | "refused" }> | { readonly kind: "expired" };

export interface Delivery {
  readonly outbox: Outbox;
  readonly send: (letter: Letter) => Promise<Outcome>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number from 0 to 1, as of Math.random. */
  readonly random: () => number;
  readonly onSettled: (letter: Letter, settlement: Settlement) => void;
}

/** Sends every letter that is due, one after the other, and keeps those that failed for later. */
export async function deliver(delivery: Delivery, occasion: Occasion): Promise<void> {
  for (const { key } of delivery.outbox.list()) {
    // Read again: sending the one before took time, in which another tab may have delivered this one.
    const letter = delivery.outbox.find(key);
    if (letter !== null) {
      await deliverOne(delivery, letter, occasion);
    }
  }
}

/** When the next letter is due, in milliseconds since the epoch; null for an empty outbox. */
export function nextDue(outbox: Outbox): number | null {
  const times = outbox.list().map(dueAt);
  return times.length === 0 ? null : Math.min(...times);
}

async function deliverOne(delivery: Delivery, letter: Letter, occasion: Occasion): Promise<void> {
  if (isExpired(letter, delivery.now())) {
    return settle(delivery, letter, { kind: "expired" });
  }
  if (!isDue(letter, delivery.now(), occasion)) {
    return;
  }
  const outcome = await delivery.send(letter);
  if (outcome.kind === "stored" || outcome.kind === "refused") {
    return settle(delivery, letter, outcome);
  }
  // Nothing is kept again that another tab settled in the meantime.
  if (delivery.outbox.find(letter.key) !== null) {
    delivery.outbox.keep(afterFailure(letter, outcome, delivery.now(), delivery.random()));
  }
}

function settle(delivery: Delivery, letter: Letter, settlement: Settlement): void {
  delivery.outbox.remove(letter.key);
  delivery.onSettled(letter, settlement);
}
