import type { Attempt } from "./attempt.ts";
import type { Settlement } from "./delivery.ts";
import { letterFor, type Letter } from "./letter.ts";
import { createOutbox } from "./outbox.ts";
import { type Postman, startPostman } from "./postman.ts";
import { browserStorage } from "../browser/storage.ts";
import { type Outcome, submit } from "./submit.ts";

/** The browser's one outbox and what is told about it. Everything it is made of is pure and tested apart. */

type Listener = (letter: Letter, settlement: Settlement) => void;

const outbox = createOutbox(browserStorage("localStorage"));
const listeners = new Set<Listener>();
const settled = new Map<string, Settlement>();
let postman: Postman | null = null;

/** Sends an inquiry now. */
export async function send(attempt: Attempt): Promise<Outcome> {
  const outcome = await submit(attempt, { fetch: window.fetch.bind(window), now: Date.now });
  // The visitor may have gone back and sent again what waited for later.
  if (outcome.kind === "stored") outbox.remove(attempt.key);
  return outcome;
}

/** Keeps an inquiry that could not be sent, for later. False if this browser keeps nothing. */
export function keepForLater(attempt: Attempt, outcome: Outcome): boolean {
  const kept = outbox.keep(letterFor(attempt, outcome, Date.now(), Math.random()));
  postman?.schedule();
  return kept;
}

/** Delivers what waits, now and for as long as the page is open. To be called once, and undone by the answer. */
export function startDelivery(): () => void {
  const started = startPostman({
    outbox,
    send,
    now: Date.now,
    random: Math.random,
    onSettled: (letter, settlement) => {
      settled.set(letter.key, settlement);
      for (const listener of listeners) listener(letter, settlement);
    },
  });
  postman = started;
  return () => started.stop();
}

/** What became of a letter since this page was opened; undefined while it waits. */
export function settlementOf(key: string): Settlement | undefined {
  return settled.get(key);
}

/** Tells how letters leave the outbox; the answer ends it. */
export function onSettled(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
