import { onReturn, whenShown } from "../../browser/lifecycle.ts";
import { isWaiting } from "./waiting.ts";

let isStarted = false;

/** Loads the delivery code as soon as an inquiry is waiting. On pages with an island, the island's own code delivers. */
export function watchQueue(): void {
  const look = () => {
    if (isStarted || !isWaiting(Date.now())) return;
    isStarted = true;
    import("./start.ts").then(
      ({ startDelivery }) => startDelivery(),
      () => {
        isStarted = false; // until the next event: without a network nothing could be sent either
      },
    );
  };
  whenShown(look);
  onReturn(look);
  window.addEventListener("storage", look);
  window.addEventListener("online", look);
}
