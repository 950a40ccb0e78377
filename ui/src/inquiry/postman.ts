import { type Delivery, deliver, nextDue } from "./delivery.ts";
import type { Occasion } from "./letter.ts";
import { OUTBOX_PREFIX } from "./outbox.ts";

/** One tab at a time delivers. */
const LOCK = "inquiry-outbox";
/** When another tab holds the lock, or the clock was set back, look again after this time. */
const RECHECK_MS = 60_000;
/** Never in a tight loop, whatever the stored times say. */
const SHORTEST_PAUSE_MS = 1_000;

/** Delivers the outbox while a page is open: at once, when online again, and after each pause. */
export interface Postman {
  /** To be called when a letter was put into the outbox: its pause begins. */
  schedule(): void;
  stop(): void;
}

export function startPostman(delivery: Delivery): Postman {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let underWay = false;

  const schedule = () => {
    clearTimeout(timer);
    const due = nextDue(delivery.outbox);
    if (due === null || stopped) return;
    const pause = Math.min(Math.max(due - delivery.now(), SHORTEST_PAUSE_MS), RECHECK_MS);
    timer = setTimeout(() => void round("pause-over"), pause);
  };

  const round = async (occasion: Occasion) => {
    if (underWay) return;
    underWay = true;
    clearTimeout(timer);
    await exclusively(() => deliver(delivery, occasion));
    underWay = false;
    schedule();
  };

  const onHope = () => void round("new-hope");
  const onStorage = (event: StorageEvent) => {
    if (event.key?.startsWith(OUTBOX_PREFIX)) schedule();
  };

  window.addEventListener("online", onHope);
  window.addEventListener("storage", onStorage);
  onHope();

  return {
    schedule,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      window.removeEventListener("online", onHope);
      window.removeEventListener("storage", onStorage);
    },
  };
}

/** Runs the work unless another tab does. Plain http has no locks; there the Idempotency-Key alone prevents doubles. */
async function exclusively(work: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) {
    await work();
    return;
  }
  await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock === null ? undefined : work()));
}
