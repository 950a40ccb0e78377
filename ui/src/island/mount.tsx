import { Component, type ReactNode, StrictMode } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { guarded } from "../browser/guarded.ts";
import { whenShown } from "../browser/lifecycle.ts";
import { startDelivery } from "../questionnaire/delivery/delivery.ts";
import { QuestionnaireForm } from "../questionnaire/questionnaire-form.tsx";
import { staysServed } from "../questionnaire/served-answers.ts";
import { readSettings } from "../template/site-settings.ts";
import { SettingsProvider } from "../template/settings.tsx";

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

/** Shows the error instead of an empty page when rendering fails. */
class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="layout-wrap error-page" role="alert">
        <h1 lang="en">Unexpected Application Error!</h1>
        <p className="error-page-message">{error.message}</p>
        <p className="layout-lead">
          Diese Seite konnte nicht angezeigt werden. Ihre Eingaben im Fragebogen sind noch da.
        </p>
        <p className="actions" data-above="5">
          <a className="button" href={window.location.href}>
            Seite neu laden
          </a>
          <a className="button-quiet" href="/">
            Zur Startseite
          </a>
        </p>
      </div>
    );
  }
}
