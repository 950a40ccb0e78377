import { whenPainted } from "../browser/lifecycle.ts";

/**
 * Loads the island's script, which takes over the served markup, only after the first paint, so that nothing unnecessary
 * competes for the connection. Calls back if the script does not load; `inline/steps.js` then shows the whole form.
 */
export function loadIsland(onFailure: () => void): void {
  whenPainted(() => {
    const script = document.createElement("script");
    script.type = "module";
    script.src = islandSource();
    script.addEventListener("error", onFailure);
    document.head.append(script);
  });
}

/** Returns the address of the island's script, which every page contains. */
export function islandSource(): string {
  return document.querySelector<HTMLElement>("[data-island-src]")?.dataset.islandSrc ?? "";
}
