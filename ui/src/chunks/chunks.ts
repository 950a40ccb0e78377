import { lazy, type ComponentType } from "react";

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

function lazyScreen(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await load() }));
}
