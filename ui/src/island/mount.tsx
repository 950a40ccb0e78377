import { StrictMode } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { guarded } from "../browser/guarded.ts";
import { whenShown } from "../browser/lifecycle.ts";
import { startDelivery } from "../questionnaire/delivery/delivery.ts";
import { QuestionnaireForm } from "../questionnaire/questionnaire-form.tsx";
import { staysServed } from "../questionnaire/served-answers.ts";
import { readSettings } from "../template/site-settings.ts";
import { SettingsProvider } from "../template/settings.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";

/** Takes over the served form in `container`, below the `root` that says what is shown of it, unless it keeps working as it is. */
export function mount(container: HTMLElement, root: HTMLElement): void {
  whenShown(() => guarded(startDelivery));
  if (staysServed(root)) return;
  const island = (
    <StrictMode>
      <SettingsProvider value={readSettings()}>
        <ErrorBoundary>
          <QuestionnaireForm root={root} />
        </ErrorBoundary>
      </SettingsProvider>
    </StrictMode>
  );
  // At once: what is typed meanwhile would be lost between reading the form and taking it over.
  flushSync(() => hydrateRoot(container, island));
}
