import { useRef } from "react";
import { useHydrated } from "../browser/use-hydrated.ts";
import { WhatFollows } from "../components/what-follows.tsx";
import { FormDrawing } from "../drawings/form-drawing.tsx";
import { Link, useLocation } from "../routing/router.ts";
import { useConversion } from "../tags/use-conversion.ts";
import { type Arrival, readArrival } from "./arrival.ts";
import { Countdown } from "./countdown.tsx";
import { Message } from "./message.tsx";
import { SuggestedReading } from "./suggested-reading.tsx";
import { useInquiryStatus } from "./use-inquiry-status.ts";

/** The thank-you page (spec section 2). How the visitor came is known in the browser only, so it is read after hydration. */
export function ThankYou() {
  const { state } = useLocation();
  const isHydrated = useHydrated();
  const arrival: Arrival = isHydrated ? readArrival(state) : { kind: "direct" };
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
          <Message status={status} />
          {arrival.kind === "submitted" && <Countdown onStay={() => home.current?.focus()} />}
          <Link className="button" to="/" ref={home}>
            Zurück zur Startseite
          </Link>
          <FormDrawing name="scenes/thanks" className="thanks-drawing" />
        </div>
        {isOnItsWay && (
          <section className="thanks-next" aria-labelledby="next-heading">
            <h2 id="next-heading">So geht es weiter</h2>
            <WhatFollows />
          </section>
        )}
      </div>
      <SuggestedReading />
    </>
  );
}
