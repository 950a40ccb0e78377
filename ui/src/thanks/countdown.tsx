import { useEffect, useState } from "react";
import { onReturn } from "../browser/returning.ts";
import { useCountdown } from "./use-countdown.ts";

interface CountdownProps {
  readonly onEnd: () => void;
  /** The visitor stays. The button that had the focus is gone then. */
  readonly onStay: () => void;
}

/** Says that it leads to the home page after 5 seconds, unless the visitor wants to stay (WCAG 2.2.1). */
export function Countdown({ onEnd, onStay }: CountdownProps) {
  const [isStopped, setStopped] = useState(false);
  const left = useCountdown(isStopped, onEnd);
  // Who comes back to the page, which the browser has kept, wants to be there.
  useEffect(() => onReturn(() => setStopped(true)), []);
  return (
    <div className="countdown">
      {isStopped ? null : (
        <>
          <p>Sie werden in {secondsText(left)} zur Startseite weitergeleitet.</p>
          <button
            type="button"
            className="button-quiet"
            onClick={() => {
              setStopped(true);
              onStay();
            }}
          >
            Hier bleiben
          </button>
        </>
      )}
      <p aria-live="polite">{isStopped && "Die Weiterleitung ist angehalten. Sie können hier bleiben."}</p>
    </div>
  );
}

function secondsText(seconds: number): string {
  return seconds === 1 ? "1 Sekunde" : `${seconds} Sekunden`;
}
