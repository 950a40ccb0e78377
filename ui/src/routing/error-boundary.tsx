import { Component, type ReactNode } from "react";

/** Shows what went wrong instead of an empty page when rendering fails. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <main className="wrap error-page" role="alert">
        <h1>Unexpected Application Error!</h1>
        <p>{error.message}</p>
        <p>
          <a href="/">Zur Startseite</a>
        </p>
      </main>
    );
  }
}
