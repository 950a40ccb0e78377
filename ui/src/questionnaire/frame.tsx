import type { ReactNode } from "react";
import { WhatFollows } from "../components/what-follows.tsx";

/** The panel of the questionnaire, and beside it, or below it on a phone, what visitors want to know before they continue. */
export function Frame({ aside, children }: { readonly aside?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="layout-wrap layout-page questionnaire-page">
      <div className="questionnaire-frame">
        <div className="questionnaire">{children}</div>
        <aside className="questionnaire-aside" aria-label="Zu Ihrer Anfrage">
          <h2>So geht es danach weiter</h2>
          <WhatFollows />
          {aside}
        </aside>
      </div>
    </div>
  );
}
