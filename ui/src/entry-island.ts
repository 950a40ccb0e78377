import { giveUp } from "./island/load.ts";
import { mount } from "./island/mount.tsx";

/*
 * The second script of the questionnaire: React. It shares no module with `entry-client.ts`, because a bundle that another one
 * imports from cannot be shaken. What both must know of, toasts and consent, goes by events and by the browser's storage.
 */
const container = document.querySelector<HTMLElement>("[data-island]");
try {
  if (container) mount(container);
} catch (error) {
  if (container) giveUp(container, error instanceof Error ? error.message : String(error));
  throw error;
}
