import { Component, type ReactNode } from "react";

/** Shows the error instead of an empty page when rendering fails. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
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
