import { onReturn, whenShown } from "../../browser/lifecycle.ts";
import { isWaiting } from "./waiting.ts";

let isStarted = false;

/** Loads what delivers inquiries as soon as one waits. Pages with an island deliver by the island's own code. */
export function watchQueue(): void {
  const look = () => {
    if (isStarted || !isWaiting(Date.now())) return;
    isStarted = true;
    import("./start.ts").then(
      ({ startDelivery }) => startDelivery(),
      () => {
        isStarted = false; // until the next occasion: without a network nothing could be sent either
      },
    );
  };
  whenShown(look);
  onReturn(look);
  window.addEventListener("storage", look);
  window.addEventListener("online", look);
}
