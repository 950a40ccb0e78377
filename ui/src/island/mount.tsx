import { Component, type ReactNode, StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { guarded } from "../browser/guarded.ts";
import { whenShown } from "../browser/lifecycle.ts";
import { startDelivery } from "../questionnaire/delivery/delivery.ts";
import { QuestionnaireForm } from "../questionnaire/questionnaire-form.tsx";
import { staysServed } from "../questionnaire/served-answers.ts";
import { readSettings } from "../template/site-settings.ts";
import { SettingsProvider } from "../template/settings.tsx";

/** Hydrates the served form in `container`, below the `root` that defines what is visible, unless the form stays as served. */
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
  // In slices, so that a slow phone answers meanwhile. What is typed between them is read when the form is taken over.
  startTransition(() => void hydrateRoot(container, island));
}

/** Shows the error instead of an empty page if rendering fails. */
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
