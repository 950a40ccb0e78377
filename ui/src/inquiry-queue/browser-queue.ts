import { browserStorage } from "../browser/storage.ts";
import { send, type SendResult } from "../inquiry/send.ts";
import type { Submission } from "../inquiry/submission.ts";
import { holdBack as holdInQueue } from "./hold-back.ts";
import { watchLeaving } from "./abandoned-while-sending.ts";
import { tryLock } from "./lock.ts";
import { createQueue, itemName } from "./queue.ts";
import type { FinalResult } from "./past-inquiry.ts";
import { afterFailure, queued, type Trigger } from "./queued-inquiry.ts";
import { type Delivery, startWorker, type Worker } from "./worker.ts";

/*
 * The browser's one queue. Its parts are tested apart. Nothing in this folder needs React: pages without a form
 * deliver, too.
 */

type SettledListener = (key: string, result: FinalResult) => void;

const queue = createQueue(browserStorage("localStorage"), browserStorage("sessionStorage"));
const settledListeners = new Set<SettledListener>();
let worker: Worker | null = null;

const sendFromHere = (submission: Submission) => send(submission, { fetch: window.fetch.bind(window), now: Date.now });

/** The result of sending an inquiry, and whether it stays in the queue to be sent again. */
export interface SubmitResult {
  readonly result: SendResult;
  readonly isKept: boolean;
}

/**
 * Sends an inquiry now. It is put into the queue before, so that it survives a tab that is closed or crashes while the
 * request is under way: the next visit sends it again with the same key.
 */
export async function submit(submission: Submission): Promise<SubmitResult> {
  const { key } = submission;
  queue.put({ ...(queue.find(key) ?? queued(submission, Date.now())), ...submission });
  // If another tab is sending this very inquiry, both do: the key makes it one.
  const release = await tryLock(itemName(key));
  const stopWatching = watchLeaving(key);
  try {
    const result = await sendFromHere(submission);
    // A page that is being left loses its requests a moment before its event. Then nothing below happens here.
    if (result.kind === "unreachable") await new Promise((resolve) => setTimeout(resolve));
    if (result.kind === "stored" || result.kind === "refused") {
      // The thank-you page finds its link here: tag managers report addresses and history entries.
      if (result.kind === "stored") queue.settle(key, result, Date.now());
      else queue.remove(key);
      return { result, isKept: false };
    }
    const elsewhere = queue.resultOf(key);
    if (elsewhere?.kind === "stored") return { result: elsewhere, isKept: false };
    const inquiry = queue.find(key);
    if (inquiry !== null) queue.put(afterFailure(inquiry, result, Date.now(), Math.random()));
    return { result, isKept: inquiry !== null };
  } finally {
    stopWatching();
    release?.();
    worker?.schedule();
  }
}

/**
 * Removes an inquiry that a corrected one replaces. Guaranteed: no tab of this browser begins to send it any more. Not
 * guaranteed: that the server never gets it. A request that is under way in another tab cannot be recalled, and one
 * whose answer was lost may have been stored. The operator then has both, the corrected one with the later time.
 */
export function withdraw(key: string): void {
  queue.remove(key);
}

/** Keeps an inquiry from being sent while the visitor corrects it. Returns how to let it go. */
export function holdBack(key: string): () => void {
  const letGo = holdInQueue(queue, key);
  return () => {
    letGo();
    worker?.schedule();
  };
}

/** Delivers what is in the queue for as long as the page is open. */
export function startDelivery(trigger: Trigger, onFailed: Delivery["onFailed"] & object): void {
  const delivery: Delivery = {
    queue,
    send: sendFromHere,
    lock: tryLock,
    now: Date.now,
    random: Math.random,
    onSettled: (key, result) => {
      for (const listener of settledListeners) listener(key, result);
    },
    onFailed,
  };
  worker = startWorker(delivery, trigger);
}

/** Calls back when the worker of this tab has delivered an inquiry or given it up. Returns how to stop. */
export function onSettled(listener: SettledListener): () => void {
  settledListeners.add(listener);
  return () => settledListeners.delete(listener);
}

/** What is known in this browser of an inquiry that could not be sent at once. */
export type DeliveryStatus = FinalResult | { readonly kind: "queued" } | { readonly kind: "unknown" };

export function deliveryStatus(key: string): DeliveryStatus {
  return queue.resultOf(key) ?? { kind: queue.find(key) === null ? "unknown" : "queued" };
}

/** Returns the private page of an inquiry that this tab has sent. */
export function privatePageOf(key: string): string | null {
  return queue.privatePageOf(key);
}
