import { whenPainted } from "../browser/lifecycle.ts";

/**
 * Loads the island's script, which replaces what the page was served with, when that is on the screen: the first paint
 * shares its connection with nothing that it does not need. If the script does not come, marks the container and calls
 * back: its contents may work without code.
 */
export function loadIsland(container: HTMLElement, onFailure: () => void): void {
  whenPainted(() => {
    const script = document.createElement("script");
    script.type = "module";
    script.src = islandSource();
    script.addEventListener("error", () => {
      giveUp(container, `The module ${script.src} could not be loaded.`);
      onFailure();
    });
    document.head.append(script);
  });
}

/** Returns the address of the island's script, which every page names. */
export function islandSource(): string {
  return document.querySelector<HTMLElement>("[data-island-src]")?.dataset.islandSrc ?? "";
}

/** Shows the whole served form, which works without code, rather than keep visitors waiting for a script. */
export function giveUp(container: HTMLElement, message: string): void {
  container.dataset.failed = message;
  const form = container.closest<HTMLElement>("[data-mode]");
  if (form?.dataset.mode === "step") form.dataset.mode = "whole";
}
