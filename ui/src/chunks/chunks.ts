import { lazy, type ComponentType } from "react";
import { LoadFromServer } from "../static/load-from-server.tsx";

const loadForms = () => import("./forms.ts");

export const QuestionnaireScreen = lazyScreen(async () => (await loadForms()).QuestionnaireScreen);
export const CookieSettingsScreen = lazyScreen(async () => (await loadForms()).CookieSettingsScreen);
export const ThankYouScreen = lazyScreen(async () => (await loadForms()).ThankYouScreen);

/** Whether the page at a path needs the forms' chunk besides the first bundle. */
export function needsForms(path: string): boolean {
  return /^\/(fragebogen|danke|cookie-einstellungen)$/.test(path);
}

/** Starts to load the forms' chunk; a failure shows when a form is opened. */
export function preloadForms(): void {
  loadForms().catch(() => undefined);
}

/** Whether this visit began on a page that has the chunk in its own file. */
const hasBegunWithForms = typeof window !== "undefined" && needsForms(window.location.pathname);

/**
 * A chunk that cannot be had any more belongs to an older build: the server has the page with the present one. A page
 * that has just come from there is not asked for again; then the error is shown.
 */
function lazyScreen(load: () => Promise<ComponentType>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      if (hasBegunWithForms) throw error;
      return { default: LoadFromServer };
    }
  });
}
