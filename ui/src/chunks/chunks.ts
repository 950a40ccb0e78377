import { lazy, type ComponentType } from "react";
import { LoadFromServer } from "../static/load-from-server.tsx";

const loadForms = () => import("./forms.ts");

export const QuestionnaireScreen = lazyScreen(async () => (await loadForms()).QuestionnaireScreen);
export const CookieSettingsScreen = lazyScreen(async () => (await loadForms()).CookieSettingsScreen);
export const ThankYouScreen = lazyScreen(async () => (await loadForms()).ThankYouScreen);

/** Tells whether the page at a path needs the chunk with the forms. */
export function needsForms(path: string): boolean {
  return /^\/(fragebogen|danke|cookie-einstellungen)$/.test(path);
}

/** Starts to load the chunk with the forms. A failure shows when a form is opened. */
export function preloadForms(): void {
  loadForms().catch(() => undefined);
}

/** Whether this visit began on a page whose file names the chunk. */
const hasBegunWithForms = typeof window !== "undefined" && needsForms(window.location.pathname);

/**
 * Loads a screen. A chunk that cannot be loaded probably belongs to an older build, so the browser then loads the page
 * from the server, which names the current one. If the page has just come from there, the error is shown instead.
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
