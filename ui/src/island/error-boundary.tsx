import { Component, type ReactNode } from "react";
import { showError } from "./error-page.ts";

/** Shows the error instead of an empty page when rendering fails. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <div ref={(element) => void (element && showError(element, error.message))} />;
  }
}
