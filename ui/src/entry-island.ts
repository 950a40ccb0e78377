import { mount } from "./island/mount.tsx";

/*
 * The second script of the questionnaire: React. It shares no module with `entry-client.ts`, because a bundle that another one
 * imports from cannot be shaken. What both must know of, toasts and consent, goes by events and by the browser's storage.
 */
const container = document.querySelector<HTMLElement>("[data-island]");
const root = container?.closest<HTMLElement>("[data-mode]");
try {
  if (container && root) mount(container, root);
} catch (error) {
  if (root?.dataset.mode === "step") root.dataset.mode = "whole"; // the form as served works without code
  throw error;
}
