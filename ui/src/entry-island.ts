import { mount } from "./island/mount.tsx";

/*
 * The questionnaire's second script: React. It shares no module with `entry-client.ts`, because a bundle that another one
 * imports from cannot be tree-shaken. Toasts and consent, which both need, go through events and the browser's storage.
 */
const container = document.querySelector<HTMLElement>("[data-island]");
const root = container?.closest<HTMLElement>("[data-mode]");
try {
  if (container && root) mount(container, root);
} catch (error) {
  if (root?.dataset.mode === "step") root.dataset.mode = "whole"; // the served form works without code
  throw error;
}
