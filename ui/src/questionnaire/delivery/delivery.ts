import { onReturn } from "../../browser/lifecycle.ts";
import { readItem, removeItem, writeItem } from "../../browser/storage.ts";
import { send, type SendResult } from "../../inquiry/send.ts";
import type { Submission } from "../../inquiry/submission.ts";
import { clearDraft } from "../draft.ts";
import {
  delay,
  dueAt,
  enqueue,
  type Failure,
  type FinalResult,
  findQueued,
  isExpired,
  listQueue,
  postpone,
  type QueuedInquiry,
  removeQueued,
  settle,
  storedResult,
} from "./queue.ts";
import { showResult, showWaiting } from "./toasts.ts";
import { QUEUE_PREFIX } from "./waiting.ts";

/* Delivers the queue. Nothing in this folder needs React, because pages without a form also deliver. */

/** The page of the form, whose draft has the answers. */
const FORM_PATH = "/fragebogen";

/** Checks again after this time, in case the clock was set back or a suspended tab holds a lock. */
const RECHECK_MS = 60_000;
/** Prevents a tight loop, whatever the stored times say. */
const SHORTEST_PAUSE_MS = 2_000;

/** How long a reloading page has to hold an inquiry back again: its lock is gone, and newly opened pages deliver at once. */
const RELOAD_MS = 10_000;

/** Where a page that is left while sending an inquiry stores its key, for the next page in this tab. */
const ABANDONED_KEY = "leftWhileSending";

/** What starts a round. A new visit or a new connection cuts pauses short. */
type Trigger = "timer" | "page-open" | "online";

/** The inquiry that was being sent when the visitor left the form, as long as the draft has its answers. */
let abandonedKey: string | null = null;
let isStarted = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let isRunning = false;
/** The inquiries that the visitor is correcting on this page. */
const heldBack = new Set<string>();

/**
 * Delivers the queue as long as the page is open: immediately, when the browser goes online, and after each pause. The
 * visitor learns the result, even after leaving the form during sending.
 */
export function startDelivery(): void {
  isStarted = true;
  // The form itself, if reopened, shows the answers.
  if (window.location.pathname !== FORM_PATH) abandonedKey = readItem("sessionStorage", ABANDONED_KEY);
  removeItem("sessionStorage", ABANDONED_KEY);
  window.addEventListener("online", () => void run("online"));
  window.addEventListener("storage", ({ key }) => {
    if (key?.startsWith(QUEUE_PREFIX)) schedule();
  });
  // Another page may have added something, which a page in the back/forward cache does not notice.
  onReturn(() => void run("page-open"));
  // Reaching the thank-you page because of the failure is not a new visit.
  void run(document.querySelector("[data-just-failed]") ? "timer" : "page-open");
}

/** The result of sending an inquiry, and whether it stays in the queue to be sent again. */
export interface SubmitResult {
  readonly result: SendResult;
  readonly isKept: boolean;
}

/**
 * Sends an inquiry now. It is queued first, so that it survives if the tab is closed or crashes during the request: the
 * next visit sends it again with the same key.
 */
export async function submit(submission: Submission): Promise<SubmitResult> {
  const { key } = submission;
  const note = () => writeItem("sessionStorage", ABANDONED_KEY, key);
  window.addEventListener("pagehide", note);
  const attempt = async () => {
    const result = await send(submission);
    // A page that is being left loses its requests just before `pagehide`; then nothing below runs.
    if (result.kind === "unreachable") await new Promise((resolve) => setTimeout(resolve));
    return finish(key, result);
  };
  try {
    // If another tab is sending the same inquiry, both requests go out, and the key makes them one.
    return await (enqueue(submission, Date.now()) ? withLock(key, attempt) : attempt());
  } finally {
    window.removeEventListener("pagehide", note);
    schedule();
  }
}

/** Keeps an inquiry from being sent, in any tab, while the visitor corrects it. Returns a function that releases it. */
export function holdBack(key: string): () => void {
  let release = () => {};
  const corrected = new Promise<void>((resolve) => {
    release = resolve;
  });
  const leave = () => delay(key, Date.now() + RELOAD_MS);
  heldBack.add(key);
  window.addEventListener("pagehide", leave);
  void globalThis.navigator.locks?.request(QUEUE_PREFIX + key, () => corrected);
  return () => {
    release();
    heldBack.delete(key);
    window.removeEventListener("pagehide", leave);
    schedule();
  };
}

/** Sends every inquiry that is due, one after the other, and keeps those that fail for later. */
export async function deliver(trigger: Trigger): Promise<void> {
  const deliverOne = async (inquiry: QueuedInquiry) => {
    const { key, notBefore } = inquiry;
    const isLate = isExpired(inquiry, Date.now());
    if (!isLate && Date.now() < (trigger === "timer" ? dueAt(inquiry) : notBefore)) return;
    const result = isLate ? ({ kind: "expired" } as const) : await send(inquiry);
    if (result.kind === "busy" || result.kind === "unreachable") {
      if (keep(key, result)) tellWaiting(key);
      return;
    }
    settle(key, result, Date.now());
    tellSettled(key, result);
  };
  for (const { key } of listQueue(Date.now())) {
    await withLock(key, async (isFree) => {
      // Read again: while the previous one was sent, another tab may have delivered this one.
      const inquiry = isFree && !heldBack.has(key) ? findQueued(key) : null;
      if (inquiry !== null) await deliverOne(inquiry);
    });
  }
}

function tellSettled(key: string, result: FinalResult): void {
  window.dispatchEvent(new Event("inquiry-settled")); // for the thank-you page
  const isInForm = key === abandonedKey;
  if (isInForm && result.kind === "stored") clearDraft();
  showResult(result, isInForm);
}

/** Tells a visitor who has left the form, once, that the inquiry awaits another attempt. */
function tellWaiting(key: string): void {
  if (key !== abandonedKey) return;
  abandonedKey = null;
  clearDraft();
  showWaiting();
}

/** Settles, drops or keeps an inquiry according to the response to its first request. */
function finish(key: string, result: SendResult): SubmitResult {
  if (result.kind === "busy" || result.kind === "unreachable") {
    const elsewhere = storedResult(key);
    return elsewhere ? { result: elsewhere, isKept: false } : { result, isKept: keep(key, result) };
  }
  // The thank-you page reads its link from here, because tag managers report addresses and history entries.
  if (result.kind === "stored") settle(key, result, Date.now());
  else removeQueued(key);
  return { result, isKept: false };
}

/** Keeps an inquiry that could not be sent, unless it was withdrawn or settled in the meantime. */
function keep(key: string, failure: Failure): boolean {
  const inquiry = findQueued(key);
  if (inquiry !== null) postpone(inquiry, failure, Date.now(), Math.random());
  return inquiry !== null;
}

/**
 * Runs an action with the lock of an inquiry, or without it if another tab holds it. The browser releases the locks of
 * closed tabs. Plain http has no locks; there only the Idempotency-Key prevents duplicates.
 */
function withLock<T>(key: string, action: (isFree: boolean) => Promise<T>): Promise<T> {
  const { locks } = globalThis.navigator as { locks?: LockManager };
  if (locks === undefined) return action(true);
  return locks.request(QUEUE_PREFIX + key, { ifAvailable: true }, (lock) => action(lock !== null));
}

async function run(trigger: Trigger): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  clearTimeout(timer);
  try {
    await deliver(trigger);
  } finally {
    isRunning = false;
    schedule();
  }
}

function schedule(): void {
  clearTimeout(timer);
  const due = Math.min(...listQueue(Date.now()).map(dueAt));
  if (!isStarted || due === Infinity) return;
  const pause = Math.min(Math.max(due - Date.now(), SHORTEST_PAUSE_MS), RECHECK_MS);
  timer = setTimeout(() => void run("timer"), pause);
}
