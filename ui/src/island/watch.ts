import { giveUp } from "./error-page.ts";

/**
 * Watches whether the island's script comes, which replaces what the page was served with. If it does not, marks the
 * container and calls back: what stands in it may work without code. Must run before that script, as scripts do that stand
 * before it.
 */
export function watchIsland(container: HTMLElement, onFailure: () => void): void {
  const script = document.querySelector<HTMLScriptElement>("script[data-island-script]");
  script?.addEventListener("error", () => {
    giveUp(container, `The module ${script.src} could not be loaded.`);
    onFailure();
  });
}
