import type { ReactNode } from "react";
import { WhatFollows } from "../components/what-follows.tsx";

interface FrameProps {
  /** What was answered so far, where there is something. */
  readonly soFar?: ReactNode;
  readonly children: ReactNode;
}

/** The panel of the questionnaire, and beside it (on a phone below) what a visitor wants to know before going on. */
export function Frame({ soFar, children }: FrameProps) {
  return (
    <div className="questionnaire-frame">
      <div className="questionnaire">{children}</div>
      <aside className="questionnaire-aside" aria-label="Zu Ihrer Anfrage">
        {soFar}
        <section>
          <h2>So geht es danach weiter</h2>
          <WhatFollows />
        </section>
      </aside>
    </div>
  );
}
