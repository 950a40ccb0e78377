import type { ReactNode } from "react";
import { WhatFollows } from "../components/what-follows.tsx";

interface FrameProps {
  /** Shown at the top of the side column. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** The panel of the questionnaire, and beside it, or below it on a phone, what visitors want to know before they continue. */
export function Frame({ aside, children }: FrameProps) {
  return (
    <div className="layout-wrap layout-page questionnaire-page">
      <div className="questionnaire-frame">
        <div className="questionnaire">{children}</div>
        <aside className="questionnaire-aside stack" data-gap="6" aria-label="Zu Ihrer Anfrage">
          {aside}
          <section>
            <h2>So geht es danach weiter</h2>
            <WhatFollows />
          </section>
        </aside>
      </div>
    </div>
  );
}
