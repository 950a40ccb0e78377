import { type ReactNode, useEffect, useRef } from "react";
import { whenShown } from "../browser/shown.ts";
import { WhatFollows } from "../components/what-follows.tsx";
import { FormDrawing } from "../drawings/form-drawing.tsx";
import { useLocation } from "react-router";
import { reportConversion } from "../tags/conversion.ts";
import { readArrival } from "./arrival.ts";
import { Countdown } from "./countdown.tsx";
import { Message } from "./message.tsx";
import { SuggestedReading } from "./suggested-reading.tsx";
import { useInquiryStatus } from "./use-inquiry-status.ts";

interface Props {
  /** What is said in the served page, where it is not known how the visitor came. */
  message?: ReactNode;
  /** The HTML of something to read while waiting for offers (`pages/thank-you-articles.tsx`). */
  suggestedReading: string;
}

/** The thank-you page (spec section 2). How the visitor came is known in the browser only. */
export function ThankYou({ message, suggestedReading }: Props) {
  const arrival = readArrival(useLocation().state);
  const status = useInquiryStatus(arrival);
  const isOnItsWay = status.kind === "stored" || status.kind === "queued";
  const home = useRef<HTMLAnchorElement>(null);
  useConversion();

  return (
    <>
      <div className="thanks">
        <div
          className="thanks-message"
          data-kind={isOnItsWay ? (status.kind === "stored" ? "submitted" : "pending") : "failed"}
        >
          {message ?? <Message status={status} />}
          {arrival.kind === "submitted" && <Countdown onStay={() => home.current?.focus()} />}
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

/** Reports a conversion, once, although React may start an effect twice. */
function useConversion(): void {
  const isReported = useRef(false);
  useEffect(
    () =>
      whenShown(() => {
        if (!isReported.current) reportConversion();
        isReported.current = true;
      }),
    [],
  );
}
