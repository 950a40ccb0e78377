import { whenPainted } from "../browser/painted.ts";
import { giveUp } from "./error-page.ts";
import { islandSource } from "./source.ts";

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
