import { onReturn } from "../browser/lifecycle.ts";
import type { SendResult } from "../inquiry/send.ts";
import type { Submission } from "../inquiry/submission.ts";
import type { Release } from "./lock.ts";
import { type InquiryQueue, itemName } from "./queue.ts";
import type { FinalResult } from "./past-inquiry.ts";
import { afterFailure, dueAt, isDue, isExpired, type QueuedInquiry, type Trigger } from "./queued-inquiry.ts";
import { QUEUE_PREFIX } from "./waiting.ts";

/** The clock was set back, or another tab has fallen asleep with a lock: look again after this time. */
const RECHECK_MS = 60_000;
/** Never in a tight loop, whatever the stored times say. */
const SHORTEST_PAUSE_MS = 2_000;

/** What the worker works with. */
export interface Delivery {
  readonly queue: InquiryQueue;
  readonly send: (submission: Submission) => Promise<SendResult>;
  /** Takes a lock without waiting, so that one tab at a time sends an inquiry. */
  readonly lock: (name: string) => Promise<Release | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number from 0 to 1, as of Math.random. */
  readonly random: () => number;
  readonly onSettled: (key: string, result: FinalResult) => void;
  /** An attempt has failed, and the inquiry waits for the next one. */
  readonly onFailed?: (key: string, result: Exclude<SendResult, FinalResult>) => void;
}

/** Delivers the queue while a page is open: at once, when the browser is online again, and after each pause. */
export interface Worker {
  /** Plans the next round again. To be called when an inquiry was added or released. */
  schedule(): void;
  stop(): void;
}

/** Starts to deliver. The trigger says why: a visit that begins cuts pauses short. */
export function startWorker(delivery: Delivery, trigger: Trigger = "page-open"): Worker {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let isRunning = false;

  const schedule = () => {
    clearTimeout(timer);
    const due = nextDue(delivery.queue);
    if (due === null || isStopped) return;
    const pause = Math.min(Math.max(due - delivery.now(), SHORTEST_PAUSE_MS), RECHECK_MS);
    timer = setTimeout(() => void run("timer"), pause);
  };

  const run = async (trigger: Trigger) => {
    if (isRunning) return;
    isRunning = true;
    clearTimeout(timer);
    try {
      await deliver(delivery, trigger);
    } finally {
      isRunning = false;
      schedule();
    }
  };

  const onOnline = () => void run("online");
  const onStorage = ({ key }: StorageEvent) => {
    if (key?.startsWith(QUEUE_PREFIX)) schedule();
  };

  window.addEventListener("online", onOnline);
  window.addEventListener("storage", onStorage);
  // Meanwhile another page may have added something, unnoticed by one in the back/forward cache.
  const stopListening = onReturn(() => void run("page-open"));
  void run(trigger);

  return {
    schedule,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      window.removeEventListener("online", onOnline);
      window.removeEventListener("storage", onStorage);
      stopListening();
    },
  };
}

/** Sends every inquiry that is due, one after the other, and keeps those that fail for later. */
export async function deliver(delivery: Delivery, trigger: Trigger): Promise<void> {
  const { queue } = delivery;
  queue.removeOldResults(delivery.now());
  for (const { key } of queue.list()) {
    const release = await delivery.lock(itemName(key));
    if (release === null) continue;
    try {
      // Read again: while the one before was sent, another tab may have delivered this one.
      const inquiry = queue.find(key);
      if (inquiry !== null) await deliverOne(delivery, inquiry, trigger);
    } finally {
      release();
    }
  }
}

/** Returns when the next inquiry is due, in milliseconds since the epoch; null if the queue is empty. */
export function nextDue(queue: InquiryQueue): number | null {
  const times = queue.list().map(dueAt);
  return times.length === 0 ? null : Math.min(...times);
}

async function deliverOne(delivery: Delivery, inquiry: QueuedInquiry, trigger: Trigger): Promise<void> {
  const { queue, now, random } = delivery;
  const settle = (result: FinalResult) => {
    queue.settle(inquiry.key, result, now());
    delivery.onSettled(inquiry.key, result);
  };
  if (isExpired(inquiry, now())) return settle({ kind: "expired" });
  if (!isDue(inquiry, now(), trigger)) return;
  const result = await delivery.send(inquiry);
  if (result.kind === "stored" || result.kind === "refused") return settle(result);
  // What was withdrawn or settled in the meantime stays so.
  if (queue.find(inquiry.key) === null) return;
  queue.put(afterFailure(inquiry, result, now(), random()));
  delivery.onFailed?.(inquiry.key, result);
}
