import { useState } from "react";
import { useCountdown } from "./use-countdown.ts";

interface CountdownProps {
  /** The visitor stays. The button that had the focus is gone then. */
  readonly onStay: () => void;
}

const goHome = () => window.location.replace("/");

/** Leads to the home page after 5 seconds, unless the visitor wants to stay (WCAG 2.2.1). */
export function Countdown({ onStay }: CountdownProps) {
  const [isStopped, setStopped] = useState(false);
  const left = useCountdown(isStopped, goHome);
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
