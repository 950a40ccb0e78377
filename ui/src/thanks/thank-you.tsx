import { type ReactNode, useEffect, useRef, useState } from "react";
import { whenShown } from "../browser/shown.ts";
import { WhatFollows } from "../components/what-follows.tsx";
import { FormDrawing } from "../drawings/form-drawing.tsx";
import { useLocation } from "react-router";
import { isPrivateVisit } from "../inquiry/private-page.ts";
import { showResult } from "../inquiry-queue/result-toast.ts";
import { reportConversion } from "../tags/conversion.ts";
import { type Arrival, readArrival } from "./arrival.ts";
import { Countdown } from "./countdown.tsx";
import { isEntryMarked, markEntry } from "./entry-mark.ts";
import { Message } from "./message.tsx";
import { SuggestedReading } from "./suggested-reading.tsx";
import { useInquiryStatus } from "./use-inquiry-status.ts";

interface Props {
  /** What is said in the served page, where it is not known how the visitor came. */
  message?: ReactNode;
  /** The HTML of something to read while waiting for offers (`pages/thank-you-articles.tsx`). */
  suggestedReading: string;
}

/** The thank-you page. How the visitor came is known in the browser only. */
export function ThankYou({ message, suggestedReading }: Props) {
  const arrival = readArrival(useLocation().state);
  const status = useInquiryStatus(arrival);
  const isOnItsWay = status.kind === "stored" || status.kind === "queued";
  const home = useRef<HTMLAnchorElement>(null);
  useConversion(arrival);
  const mayLead = useFirstTime() && arrival.kind === "submitted";

  const goHome = () => {
    // The link goes along, and the way back to this page stays.
    if (status.kind === "stored") showResult(status);
    window.location.assign("/");
  };

  return (
    <>
      <div className="thanks">
        <div
          className="thanks-message"
          data-kind={isOnItsWay ? (status.kind === "stored" ? "submitted" : "pending") : "failed"}
        >
          {message ?? <Message status={status} />}
          {mayLead && <Countdown onEnd={goHome} onStay={() => home.current?.focus()} />}
          <a className="button" href="/" ref={home}>
            Zurück zur Startseite
          </a>
          <FormDrawing name="scenes/thanks" className="thanks-drawing" />
        </div>
        {isOnItsWay && (
          <section className="thanks-next" aria-labelledby="next-heading">
            <h2 id="next-heading">So geht es weiter</h2>
            <WhatFollows />
          </section>
        )}
      </div>
      <SuggestedReading html={suggestedReading} />
    </>
  );
}

/** Says whether the visitor comes to this entry of the history for the first time: who comes back to it is led nowhere. */
function useFirstTime(): boolean {
  const [isFirst] = useState(() => !isEntryMarked("seen"));
  useEffect(() => markEntry("seen"), []);
  return isFirst;
}

/** Reports the conversion of an inquiry that came without a script, once. All others are reported when they are stored. */
function useConversion({ kind }: Arrival): void {
  useEffect(() => {
    if (kind !== "posted") return undefined;
    return whenShown(() => {
      // Where there are tags, the page is about to be loaded again, without the token.
      if (isPrivateVisit() || isEntryMarked("reported")) return;
      markEntry("reported");
      reportConversion();
    });
  }, [kind]);
}
